import { expect, test } from 'vitest';
import { budgetTokens, defaultBudgetRules } from './budget.ts';

const request = { purpose: 'main', inputTokens: 100, cachedTokens: 80, outputTokens: 7 } as const;
const unknown = { ...request, inputTokens: null, cachedTokens: null, outputTokens: null };
const isCacheFree = { ...defaultBudgetRules, isCacheFree: true };

test.each([
  ['all that was read and written', request, defaultBudgetRules, 107],
  ['only what was read anew where cached tokens are free', request, isCacheFree, 27],
  [
    'all of it where the engine does not say what was cached',
    { ...request, cachedTokens: null },
    isCacheFree,
    107,
  ],
  ['never less than what was written', { ...request, cachedTokens: 900 }, isCacheFree, 7],
  [
    'nothing that the engine has not counted',
    { ...request, inputTokens: null, outputTokens: null },
    isCacheFree,
    0,
  ],
  [
    'what a stopped one is taken to have cost',
    { ...unknown, assumed: { inputTokens: 90, outputTokens: 3 } },
    defaultBudgetRules,
    93,
  ],
  [
    'what a stopped one has written, where what was read may have been cached',
    { ...unknown, assumed: { inputTokens: 90, outputTokens: 3 } },
    isCacheFree,
    3,
  ],
  ['nothing that Andiron read ahead', { ...request, purpose: 'warm' }, defaultBudgetRules, 0],
  ['nothing that vectors took', { ...request, purpose: 'vectors' }, defaultBudgetRules, 0],
] as const)('A request takes %s from a budget (B6, X3)', (_what, asked, rules, tokens) => {
  expect(budgetTokens(asked, rules)).toBe(tokens);
});
