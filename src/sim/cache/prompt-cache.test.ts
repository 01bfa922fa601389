import { describe, expect, test } from 'vitest';
import { PromptCache, type CacheOptions, type MemoryKind } from './index.ts';

/** `length` tokens that differ from those of every other start. */
const run = (start: number, length: number) => Array.from({ length }, (_, index) => start + index);
const A = 100_000;
const B = 200_000;
const C = 300_000;

const cacheOf = (memory: MemoryKind, more: Partial<CacheOptions> = {}) =>
  new PromptCache({ memory, numBatch: 1024, bytesPerToken: 1000, ...more });

/** Sends a prompt, evaluates it whole and gives the tokens found in the cache. */
const send = (cache: PromptCache, prompt: number[], userStarts: number[] = []) => {
  const evaluation = cache.begin(prompt, { userStarts });
  for (const size of evaluation.batches()) evaluation.commit(size);
  evaluation.end();
  return evaluation.cached;
};
/** A prompt that leaves `run(A, …)` after `common` tokens. */
const diverging = (common: number) => [...run(A, common), ...run(B, 200)];
/** Tokens found for a prompt that leaves the held one of `length` tokens after `common`. */
const goesBackTo = (memory: MemoryKind, length: number, common: number) => {
  const cache = cacheOf(memory);
  send(cache, run(A, length));
  return send(cache, diverging(common));
};
/** Two slots, the first holding A, the second B, used in this order. */
const twoSlots = () => {
  const cache = cacheOf({ kind: 'full' }, { slots: 2 });
  const first = cache.begin(run(A, 1000));
  const second = cache.begin(run(B, 1000));
  for (const evaluation of [first, second]) {
    for (const size of evaluation.batches()) evaluation.commit(size);
    evaluation.end();
  }
  return { cache, first: first.slot, second: second.slot };
};
const stored = (cache: PromptCache) => cache.stats().sideCache.entries.map(({ tokens }) => tokens);
const heldBySlots = (cache: PromptCache) => cache.stats().slots.map(({ tokens }) => tokens);

describe.each<MemoryKind>([{ kind: 'full' }, { kind: 'sliding', window: 512 }, { kind: 'recurrent' }])(
  'any memory ($kind)',
  (memory) => {
    test('finds a prompt that only grew', () => {
      const cache = cacheOf(memory);
      send(cache, run(A, 3000));
      expect(send(cache, run(A, 3500))).toBe(3000);
    });

    test('evaluates at least one token, even of a prompt it holds as a whole', () => {
      const cache = cacheOf(memory);
      send(cache, run(A, 3000));
      // A recurrent state cannot go back one token: it returns to its last checkpoint.
      expect(send(cache, run(A, 3000))).toBe(memory.kind === 'recurrent' ? 2996 : 2999);
      expect(send(cache, [A])).toBe(0);
    });

    test('a cancelled request keeps every finished batch', () => {
      const cache = cacheOf(memory);
      const cancelled = cache.begin(run(A, 8000));
      let finished = 0;
      for (const size of cancelled.batches()) {
        if (finished === 3) break;
        cancelled.commit(size);
        finished += 1;
      }
      cancelled.end();
      expect(cancelled.held).toBe(3072);
      expect(send(cache, run(A, 8000))).toBe(3072);
    });

    test('another conversation in between costs only the newest tokens', () => {
      const cache = cacheOf(memory);
      send(cache, run(A, 3000));
      send(cache, run(B, 2500));
      expect(send(cache, [...run(A, 3000), ...run(C, 40)])).toBeGreaterThanOrEqual(2995);
    });

    test('loses everything on clear, the side cache included', () => {
      const cache = cacheOf(memory);
      send(cache, run(A, 3000));
      send(cache, run(B, 2500));
      cache.clear();
      expect(cache.stats()).toEqual({
        slots: [{ id: 0, busy: false, tokens: 0, checkpoints: [] }],
        sideCache: { bytes: 0, entries: [] },
      });
      expect(send(cache, run(A, 3000))).toBe(0);
    });
  },
);

describe('how far each memory goes back', () => {
  test('full attention: to any token, and it takes no checkpoints', () => {
    const cache = cacheOf({ kind: 'full' });
    send(cache, run(A, 5000));
    expect(cache.stats().slots[0]?.checkpoints).toEqual([]);
    expect(send(cache, diverging(1234))).toBe(1234);
  });

  test('recurrent: to a checkpoint 4 or num_batch tokens before the end of the prompt, or to nothing', () => {
    const memory: MemoryKind = { kind: 'recurrent' };
    expect([4999, 4500, 3900].map((common) => goesBackTo(memory, 5000, common))).toEqual([4996, 3976, 0]);
  });

  test('recurrent: checkpoints behind the point it went back to are gone', () => {
    const cache = cacheOf({ kind: 'recurrent' });
    send(cache, run(A, 5000));
    expect(cache.stats().slots[0]?.checkpoints).toEqual([3976, 4996]);
    cache.begin(diverging(4500));
    expect(cache.stats().slots[0]?.checkpoints).toEqual([3976]);
  });

  test('recurrent on a native path: to the start of the last user message', () => {
    const cache = cacheOf({ kind: 'recurrent' });
    send(cache, run(A, 5000), [1000, 4700]);
    expect(send(cache, diverging(4710))).toBe(4700);
  });

  test('sliding window: freely while the tokens before are still there, then to a checkpoint', () => {
    const memory: MemoryKind = { kind: 'sliding', window: 512 };
    // 1,536 cells: of 5,000 tokens those from 3,464 on are held, so 3,977 is the first with 512 before it.
    expect([4990, 3977, 3976].map((common) => goesBackTo(memory, 5000, common))).toEqual([4990, 3977, 3975]);
    expect([3975, 3900].map((common) => goesBackTo(memory, 5000, common))).toEqual([3975, 0]);
  });

  test('sliding window: within the first window only to a checkpoint, although all of it is held', () => {
    const memory: MemoryKind = { kind: 'sliding', window: 512 };
    expect([513, 512, 474].map((common) => goesBackTo(memory, 1500, common))).toEqual([513, 475, 0]);
  });
});

describe('a reply', () => {
  test('is held except for its last token, which nothing was computed from', () => {
    const cache = cacheOf({ kind: 'full' });
    const evaluation = cache.begin(run(A, 100));
    for (const size of evaluation.batches()) evaluation.commit(size);
    for (const token of run(B, 5)) evaluation.generated(token);
    evaluation.end();
    expect(heldBySlots(cache)).toEqual([104]);
    expect(send(cache, [...run(A, 100), ...run(B, 5), ...run(C, 10)])).toBe(104);
  });

  test('cannot begin before the prompt is evaluated', () => {
    const evaluation = cacheOf({ kind: 'full' }).begin(run(A, 100));
    expect(() => evaluation.generated(1)).toThrow('before the prompt is evaluated');
  });
});

describe('choice of a slot', () => {
  test('the one that holds the largest part of the prompt', () => {
    const { cache, second } = twoSlots();
    const evaluation = cache.begin([...run(B, 900), ...run(C, 100)]);
    expect([evaluation.slot, evaluation.cached]).toEqual([second, 900]);
  });

  test('the least recently used one when none holds more than a tenth', () => {
    const { cache, first } = twoSlots();
    const tenth = cache.begin([...run(B, 100), ...run(C, 900)]);
    expect([tenth.slot, tenth.cached]).toEqual([first, 0]);
    const { cache: another, second } = twoSlots();
    const above = another.begin([...run(B, 101), ...run(C, 899)]);
    expect([above.slot, above.cached]).toEqual([second, 101]);
  });

  test('never a busy one, and an error when all are busy', () => {
    const { cache, first, second } = twoSlots();
    expect(cache.begin(run(B, 1000)).slot).toBe(second);
    expect(cache.begin(run(B, 1000)).slot).toBe(first);
    expect(cache.hasFreeSlot).toBe(false);
    expect(() => cache.begin(run(B, 1000))).toThrow('Every slot is busy');
  });
});

describe('side cache', () => {
  test('a slot is stored when less than half of it survives, and not otherwise', () => {
    const cache = cacheOf({ kind: 'full' });
    send(cache, run(A, 1000));
    send(cache, [...run(A, 500), ...run(B, 100)]);
    expect(stored(cache)).toEqual([]);
    send(cache, [...run(A, 299), ...run(C, 100)]);
    expect(stored(cache)).toEqual([600]);
  });

  test('conversations beyond its size are read again', () => {
    const cache = cacheOf({ kind: 'full' }, { ramLimitBytes: 1500 * 1000 });
    for (const start of [A, B, C]) send(cache, run(start, 1000));
    expect(stored(cache)).toEqual([1000]);
    expect(send(cache, run(A, 1000))).toBe(0);
  });

  test('says where reused tokens came from', () => {
    const cache = cacheOf({ kind: 'recurrent' });
    send(cache, run(A, 3000));
    send(cache, run(B, 3000));
    expect(cache.begin([...run(A, 2999), C]).reuse).toEqual({
      how: 'checkpoint',
      common: 2999,
      cached: 2996,
      fromSideCache: true,
    });
  });
});

describe('misuse', () => {
  test('a batch of another size, a batch that was not committed and an empty prompt are errors', () => {
    const cache = cacheOf({ kind: 'full' });
    expect(() => cache.begin([])).toThrow('at least one token');
    const evaluation = cache.begin(run(A, 2000));
    expect(() => evaluation.commit(5)).toThrow('has 1024 tokens, not 5');
    expect(() => [...evaluation.batches()]).toThrow('Commit a batch');
    evaluation.end();
    expect(() => evaluation.commit(1024)).toThrow('has ended');
  });

  test('an evaluation that outlives its runner changes nothing', () => {
    const cache = cacheOf({ kind: 'full' });
    const orphan = cache.begin(run(A, 2000));
    cache.clear();
    orphan.commit(1024);
    orphan.end();
    expect(heldBySlots(cache)).toEqual([0]);
    expect(cache.hasFreeSlot).toBe(true);
  });
});
