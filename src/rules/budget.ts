/** How many tokens a person may still use in 30 days (B3, B4, P18, X3). */
import type { RequestPurpose, UsageEntry } from '../protocol/usage-methods.ts';

export interface Budget {
  /** Tokens in 30 days; null = without a limit. */
  budget: number | null;
  used: number;
  /** Unix milliseconds. From then on nothing is used, and 30 days begin anew. */
  resetAt: number;
}

export const budgetMs = 30 * 24 * 60 * 60 * 1_000;

/** What the owner decides for everybody. */
export interface BudgetRules {
  /** Tokens in 30 days of whoever writes for the first time; null = without a limit. */
  guestTokens: number | null;
  /** What the model had read already counts for nobody. */
  isCacheFree: boolean;
}

export const defaultBudgetRules: BudgetRules = { guestTokens: 5_000, isCacheFree: false };

/** As it is at that moment: a long absence begins anew once, from now (Q6). */
export function budgetAt(budget: Budget, now: number): Budget {
  return now >= budget.resetAt ? { ...budget, used: 0, resetAt: now + budgetMs } : budget;
}

/** Of a budget as it is now. */
export const hasTokensLeft = ({ budget, used }: Budget): boolean => budget === null || used < budget;

/** What is read ahead or made a vector of is Andiron's own idea: nobody pays for it. */
const countsInBudget = (purpose: RequestPurpose): boolean => purpose !== 'warm' && purpose !== 'vectors';

/** What a stopped request is taken to have cost, for nobody has counted it. */
export interface AssumedTokens {
  inputTokens: number;
  outputTokens: number;
}

/** What a request takes from the budget of whoever it was for. What nobody has said or assumed is no token. */
export function budgetTokens(
  { purpose, inputTokens, cachedTokens, outputTokens, assumed }: CountedTokens,
  { isCacheFree }: BudgetRules,
): number {
  if (!countsInBudget(purpose)) return 0;
  if (assumed) return (isCacheFree ? 0 : assumed.inputTokens) + assumed.outputTokens;
  const free = isCacheFree ? Math.min(cachedTokens ?? 0, inputTokens ?? 0) : 0;
  return (inputTokens ?? 0) - free + (outputTokens ?? 0);
}

type CountedTokens = Pick<UsageEntry, 'purpose' | 'inputTokens' | 'cachedTokens' | 'outputTokens'> & {
  assumed?: AssumedTokens | undefined;
};

/** S13, to the letter. */
export const overBudgetText =
  "You've exceeded your monthly token budget. Please contact an admin to increase your limit.";
