/** The windows that an exam asks about, and the largest of them that the model fits into wholly. */
import type { Fit } from '../../../protocol/model.ts';

const minWindow = 4_096;

export function windowsUpTo(most: number): number[] {
  const windows: number[] = [];
  for (let tokens = minWindow; tokens < most; tokens *= 2) windows.push(tokens);
  return [...windows, most];
}

/** null = none does, or nobody knows. What fits only within the error of the estimate is not promised. */
export function maxThatFits(fits: readonly Pick<Fit, 'contextTokens' | 'verdict'>[]): number | null {
  const windows = fits.filter(({ verdict }) => verdict === 'fits').map(({ contextTokens }) => contextTokens);
  return windows.length === 0 ? null : Math.max(...windows);
}
