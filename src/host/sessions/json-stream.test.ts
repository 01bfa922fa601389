import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonStream, type JsonPath } from './json-stream.ts';

/** What a stream makes of a text that comes in pieces of `size` bytes, put together again; all lists and objects above `depth` are entered. */
function readBack(text: string, size: number, depth: number): unknown {
  const root: { value?: unknown } = {};
  const at = (path: JsonPath): { holder: Record<string | number, unknown>; name: string | number } => {
    let holder = root as Record<string | number, unknown>;
    let name: string | number = 'value';
    for (const step of path) {
      holder = holder[name] as Record<string | number, unknown>;
      name = step;
    }
    return { holder, name };
  };
  const put = (path: JsonPath, value: unknown): void => {
    const { holder, name } = at(path);
    Object.defineProperty(holder, name, { value, enumerable: true, writable: true, configurable: true });
  };
  const kinds = new Map<string, 'list' | 'object'>();
  const stream = new JsonStream({
    plan(path, kind) {
      if (kind === 'scalar' || path.length >= depth) return 'keep';
      kinds.set(JSON.stringify(path), kind);
      return 'enter';
    },
    room: () => ({ bytes: 1_000_000, values: 1_000 }),
    onTooLarge: () => {
      throw new Error('too large');
    },
    onTooDeep: () => {
      throw new Error('too deep');
    },
    onBroken: () => {
      throw new Error('broken');
    },
    entered: (path) => put(path, kinds.get(JSON.stringify(path)) === 'list' ? [] : {}),
    value: put,
    left: () => undefined,
  });
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) stream.feed(bytes.subarray(from, from + size));
  stream.end();
  return root.value;
}

const texts = fc
  .tuple(fc.jsonValue({ noUnicodeString: false, maxDepth: 6 }), fc.constantFrom('', ' ', '\t', 2))
  .map(([value, space]) => JSON.stringify(value, null, space))
  .filter((text) => !text.includes('__proto__'));

function outcomeOf(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch {
    return 'refused';
  }
}

describe('JSON in pieces', () => {
  it('A text in pieces of any size gives the value that it gives as a whole', () => {
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 5 }),
        (text, size, depth) => {
          expect(readBack(text, size, depth)).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('A text that is no JSON is refused wherever JSON.parse refuses it', () => {
    const broken = fc
      .tuple(texts, fc.nat(), fc.constantFrom('', ',', ':', '"', '[', ']', '{', '}', '\\', 'x', '1'))
      .map(([text, at, sign]) => {
        const place = at % (text.length + 1);
        return (text.slice(0, place) + sign + text.slice(place + (sign === '' ? 1 : 0))).toWellFormed();
      });
    fc.assert(
      fc.property(
        broken,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 4 }),
        (text, size, depth) => {
          const parsed = outcomeOf(() => JSON.parse(text) as unknown);
          expect(outcomeOf(() => readBack(text, size, depth))).toEqual(parsed);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('A value that is larger than its room, or too deep, is refused before all of it has come', () => {
    const text = `{"a": "${'x'.repeat(2_000_000)}`;
    expect(() => readBack(text, 1000, 3)).toThrow('too large');
    expect(() => readBack(`{"a": [${'{},'.repeat(2_000)}`, 1000, 1)).toThrow('too large');
    expect(() => readBack(`[${'['.repeat(300)}`, 100, 1)).toThrow('too deep');
  });
});
