import type { RequestUsage } from '../protocol/model.ts';
import type { TokenSums } from '../protocol/usage-methods.ts';

/** What requests took together: each figure is a sum of what was counted, and null where nothing was. */
export function sumTokens(requests: readonly RequestUsage[]): TokenSums {
  return {
    inputTokens: sum(requests.map(({ promptTokens }) => promptTokens)),
    cachedTokens: sum(requests.map(({ cachedTokens }) => cachedTokens)),
    outputTokens: sum(requests.map(({ outputTokens }) => outputTokens)),
  };
}

function sum(figures: readonly (number | null)[]): number | null {
  const known = figures.filter((figure) => figure !== null);
  return known.length === 0 ? null : known.reduce((one, other) => one + other, 0);
}
