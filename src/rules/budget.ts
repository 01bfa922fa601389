/** How many tokens a person may still use in 30 days (B3, B4, P18, X3). */
import type { RequestPurpose } from '../protocol/usage-methods.ts';

export interface Budget {
  /** Tokens in 30 days; null = without a limit. */
  budget: number | null;
  used: number;
  /** Unix milliseconds. From then on nothing is used, and 30 days begin anew. */
  resetAt: number;
}

export const budgetMs = 30 * 24 * 60 * 60 * 1_000;
/** Of a guest whom nobody has given another one. */
export const guestBudget = 5_000;

/** As it is at that moment: a long absence begins anew once, from now (Q6). */
export function budgetAt(budget: Budget, now: number): Budget {
  return now >= budget.resetAt ? { ...budget, used: 0, resetAt: now + budgetMs } : budget;
}

/** Of a budget as it is now. */
export const hasTokensLeft = ({ budget, used }: Budget): boolean => budget === null || used < budget;

/** What is read ahead is Andiron's own idea: nobody pays for it. */
export const countsInBudget = (purpose: RequestPurpose): boolean => purpose !== 'warm';

/** S13, to the letter. */
export const overBudgetText =
  "You've exceeded your monthly token budget. Please contact an admin to increase your limit.";
