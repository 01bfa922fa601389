import { describe, expect, test } from 'vitest';

import type { Options } from '../wire/options.ts';
import { automaticContext, reloadCause, resolveLaunch } from './launch.ts';

const resolve = (options: Options, shift = true) =>
  resolveLaunch(options, shift, { numCtx: 32_768, trainedContext: 40_960 });

describe('what forces a reload', () => {
  test.each<[string, Options, Options]>([
    ['another window', { num_ctx: 8192 }, { num_ctx: 4096 }],
    ['an explicit window, then none', { num_ctx: 8192 }, {}],
    ['an automatic batch, then another one', {}, { num_batch: 512 }],
    ['an explicit batch that is not the assumed 512, then none', { num_batch: 1024 }, {}],
    ['layers on the GPU', {}, { num_gpu: 10 }],
    ['threads set, then omitted', { num_thread: 4 }, {}],
    ['a memory map asked for', {}, { use_mmap: true }],
    ['a draft', {}, { draft_num_predict: 4 }],
  ])('%s', (_, loaded, wanted) => {
    expect(reloadCause(resolve(loaded), resolve(wanted))).toBeDefined();
  });

  test.each<[string, Options, Options]>([
    ['nothing set twice', {}, {}],
    ['the automatic window by its number', {}, { num_ctx: 32_768 }],
    ['windows above the trained length', { num_ctx: 50_000 }, { num_ctx: 60_000 }],
    ['a batch of 512, then none', { num_batch: 512 }, {}],
    ['the automatic batch by its number', {}, { num_batch: 1024 }],
    ['layers on the GPU, then none named', { num_gpu: 10 }, {}],
    ['sampling', {}, { temperature: 0, seed: 1, num_predict: 5, stop: ['x'] }],
  ])('not: %s', (_, loaded, wanted) => {
    expect(reloadCause(resolve(loaded), resolve(wanted))).toBeUndefined();
  });

  test('shift does', () => {
    expect(reloadCause(resolve({}, true), resolve({}, false))).toBe('shift true → false');
  });
});

test('the automatic window follows the tiers of total VRAM', () => {
  const gib = 2 ** 30;
  expect([0, 22.9, 23, 46, 47].map((size) => automaticContext(size * gib))).toEqual([
    4096, 4096, 32_768, 32_768, 262_144,
  ]);
});
