import { expect, test } from 'vitest';
import { makePlan } from './load-plan.ts';

const model = { name: 'qwen3:8b', trainedContext: 32_768 };

test('the window is what was asked for, at most what the model was trained for', () => {
  expect(makePlan({ model, contextTokens: 16_384, onCpu: false, rate: undefined }).options).toEqual({
    num_ctx: 16_384,
  });
  expect(makePlan({ model, contextTokens: 99_999, onCpu: false, rate: undefined }).options).toEqual({
    num_ctx: 32_768,
  });
});

test('an unknown trained window limits nothing', () => {
  const unknown = { ...model, trainedContext: null };
  expect(
    makePlan({ model: unknown, contextTokens: 99_999, onCpu: false, rate: undefined }).options.num_ctx,
  ).toBe(99_999);
});

test('on the CPU the batch is small, so that Stop is quick; elsewhere, and while unknown, nothing is said', () => {
  const batch = (onCpu: boolean | null) =>
    Object.keys(makePlan({ model, contextTokens: 4096, onCpu, rate: undefined }).options).includes(
      'num_batch',
    );
  expect([batch(true), batch(false), batch(null)]).toEqual([true, false, false]);
  expect(makePlan({ model, contextTokens: 4096, onCpu: true, rate: undefined }).options.num_batch).toBe(256);
});

test('the runner never shifts its window', () => {
  expect(makePlan({ model, contextTokens: 4096, onCpu: null, rate: undefined }).shift).toBe(false);
});

test('on a GPU the batch is the learnt one, on the CPU it stays small', () => {
  const rate = { tokensPerSecond: 600, samples: 9 };
  const batch = (onCpu: boolean) => makePlan({ model, contextTokens: 16_384, onCpu, rate }).options.num_batch;
  expect([batch(false), batch(true)]).toEqual([512, 256]);
});
