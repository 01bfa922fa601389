import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from './json.ts';
import { maxNesting } from './limits.ts';
import { isNestedDeeper, nestsDeeper } from './nesting.ts';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

test('the depth is exactly that of the parsed value, whatever stands in its strings', () => {
  const odd = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ']', '}', 'a', 'é') });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      odd,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(odd, tie('value'), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(value, (made) => {
      const json = JSON.stringify(made);
      const depth = depthOf(JSON.parse(json));
      fc.pre(depth > 0);
      expect(nestsDeeper(json, depth)).toBe(false);
      expect(nestsDeeper(json, depth - 1)).toBe(true);
      expect(isNestedDeeper(JSON.parse(json), depth)).toBe(false);
      expect(isNestedDeeper(JSON.parse(json), depth - 1)).toBe(true);
    }),
  );
});

test('a string that never ends and a row of backslashes are no trap', () => {
  expect(nestsDeeper('["', 1)).toBe(false);
  expect(nestsDeeper(`["${'\\'.repeat(1_000_001)}"[[[`, 1)).toBe(false);
  expect(nestsDeeper('['.repeat(1_000_000), 200)).toBe(true);
});

const nested = (levels: number): string => '{"a":'.repeat(levels) + '"}]"' + '}'.repeat(levels);

test('JSON is parsed up to the limit of nesting and refused one level deeper (audit-S12)', () => {
  expect(parseJson(nested(maxNesting))).toHaveProperty('a');
  expect(() => parseJson(nested(maxNesting + 1))).toThrow(SyntaxError);
  expect(() => parseJson(nested(1_000_000))).toThrow('nested deeper than 64 levels');
});

const sources = new URL('../', import.meta.url);
/** Text of our own, or of the page's own browser, that never leaves the process again. */
const own = [
  'platform/clean-start.ts',
  'platform/data-lock.ts',
  'platform/demo.ts',
  'protocol/json.ts',
  'protocol/transport.ts',
  // Refused frames are parsed for their id alone.
  'server/socket-pipe.ts',
  'host/store/json.ts',
  // Three fields that the last start wrote, and another start is as well off without.
  'platform/sandbox/known-sandbox.ts',
  // Whoever serves the pipe refuses what is nested too deep; its other end reads answers of the host.
  'platform/line-pipe.ts',
  'platform/local-socket.ts',
  // What the host hands to the process that reads a page.
  'host/web/page-reader-entry.ts',
  // And to the one that writes a document.
  'host/documents/document-writer-entry.ts',
  // A list of numbers that its own statement makes.
  'host/store/search.ts',
  // Bounded by itself: files may be nested deeper than frames.
  'host/sessions/snapshot.ts',
  'host/sessions/json-stream.ts',
];

test('whatever comes from outside is parsed with a limit of nesting (audit-S12)', () => {
  const free = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.tsx?$/.test(name) && !/^(sim|renderer)\/|testing|\.test\.tsx?$/.test(name))
    .filter((name) => readFileSync(new URL(name, sources), 'utf8').includes('JSON.parse('));
  expect(free.toSorted()).toEqual(own.toSorted());
});
