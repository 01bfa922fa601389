/**
 * Models of this size call by a grammar from their first reply on: by themselves they made 0 of 48 calls right
 * (engine-truth/tiny-models.md), and what they write instead of a call looks like an answer.
 */
const maxParameters = 1_500_000_000;

const units: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9 };

/** `parameterSize` as the engine writes it: 630.17M, 1.5B; null or unreadable = not small. */
export function isSmallModel(parameterSize: string | null): boolean {
  const [, digits, unit] = /^([\d.]+)\s*([KMB])$/i.exec(parameterSize?.trim() ?? '') ?? [];
  const parameters = Number(digits) * (units[unit?.toUpperCase() ?? ''] ?? NaN);
  return parameters <= maxParameters;
}
