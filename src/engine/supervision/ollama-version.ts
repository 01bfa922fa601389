/** Ollama's version numbers, as `/api/version` tells them. */

/** What Andiron was tried with, and what it sets up. */
export const recommendedVersion = '0.40.2';

/** True only when it is certainly older: builds from source say 0.0.0, and others may say anything. */
export function isOutdated(version: string): boolean {
  const found = numbersOf(version);
  const wanted = numbersOf(recommendedVersion);
  if (!found || !wanted || found.every((part) => part === 0)) return false;
  const differing = wanted.findIndex((part, index) => part !== found[index]);
  return differing !== -1 && (found[differing] ?? 0) < (wanted[differing] ?? 0);
}

function numbersOf(version: string): number[] | null {
  const match = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version.trim());
  return match && match.slice(1).map(Number);
}
