/** The short fuzz of a reply's bytes on every change; `npm run chaos -- --only fuzz` is the long one. */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AndironError } from '../../src/protocol/errors.ts';
import { fuzz, type FuzzOptions } from '../chaos/fuzz/campaign.ts';
import { fuzzGates } from '../chaos/fuzz/figures.ts';
import { readReply, type ReadReply } from '../chaos/fuzz/read.ts';
import { holds } from '../chaos/report.ts';
import { drawnBelow, isThorough } from '../helpers/thorough.ts';

const streams = isThorough ? 2_000 : 700;

it('reads mutated streams without a crash or a hang', async () => {
  const result = await fuzz({ seed: 1 + drawnBelow(1_000), streams, hugeRounds: 0, overHttp: streams / 20 });
  expect(result.problems).toEqual([]);
  expect(fuzzGates(result).filter((gate) => !holds(gate))).toEqual([]);
  // Every way to end was met, so none of them was left untried.
  const ways = ['done', 'engine_refused', 'stream_broken', 'stream_cut'];
  expect([...result.endings.keys()]).toEqual(expect.arrayContaining(ways));
});

const silentReader: ReadReply = async function* () {
  yield* [];
  await new Promise(() => undefined);
};

describe('the fuzz finds a reader that', () => {
  const broken: Record<string, ReadReply> = {
    'passes on what it did not check': async function* (pieces) {
      for (const line of Buffer.concat(pieces).toString().split('\n')) {
        const value = JSON.parse(line || '{}');
        if (value?.message) yield value;
      }
    },
    'throws what is not meant for a person': async function* (pieces) {
      try {
        yield* readReply(pieces);
      } catch {
        throw new TypeError('Cannot read properties of undefined');
      }
    },
    'forgets the last line': async function* (pieces) {
      for await (const line of readReply(pieces)) if (!line.done) yield line;
    },
    'says done twice': async function* (pieces) {
      for await (const line of readReply(pieces)) {
        yield line;
        if (line.done) yield line;
      }
    },
    'loses lines by how they were cut': async function* (pieces) {
      let skip = pieces.length % 2 === 0;
      for await (const line of readReply(pieces)) {
        if (!skip || line.done) yield line;
        skip = false;
      }
    },
    'floods its error': async function* (pieces) {
      try {
        yield* readReply(pieces);
      } catch (error) {
        throw new AndironError('stream_broken', `${'x'.repeat(5000)} ${String(error)}`, 'Advice.');
      }
    },
  };

  const options: FuzzOptions = { seed: 1, streams: 60, hugeRounds: 0, overHttp: 0 };

  it.each(Object.keys(broken))('%s', async (name) => {
    const result = await fuzz({ ...options, read: broken[name] ?? readReply });
    expect(result.crashes + result.unlike).toBeGreaterThan(0);
    expect(result.problems).not.toEqual([]);
  });

  it('never ends', async () => {
    const result = await fuzz({ ...options, streams: 1, read: silentReader, givenUpMs: 50, hangMs: 20 });
    expect(result.hangs).toBeGreaterThan(0);
  });
});

const slowReader: ReadReply = async function* (pieces) {
  await setTimeout(100);
  yield* readReply(pieces);
};

it.each([
  ['a hang where it takes far longer than the parser', 20, true],
  ['no hang where the parser is as slow: that is the machine', 20_000, false],
])('a slow reader is %s', async (_, parseMs, isHang) => {
  const options = { seed: 1, streams: 1, hugeRounds: 0, overHttp: 0, hangMs: 20, parseMs: () => parseMs };
  const result = await fuzz({ ...options, read: slowReader });
  expect(result.hangs > 0).toBe(isHang);
});
