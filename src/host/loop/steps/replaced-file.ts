/** Steps that put something in the place of all that a file holds, as a worked example of openings says them, or that say less. */
import { mentioned, nameOf, wordsIn } from './named-in-text.ts';

const replacesWhole = 'replace all of ';

/** Of that file; it may be the one that was spoken of before. */
export function replacesAll(step: string, path: string): boolean {
  const words = step.replaceAll(/["'`]/g, '').trim();
  return [path, 'it'].some((whole) => `${words} `.startsWith(`${replacesWhole}${whole} `));
}

/** Of some file. */
export const replacesFile = (step: string): boolean => step.startsWith(replacesWhole);

/** Which file it is, and not what comes in its place. */
export const namesFileAlone = (step: string): boolean =>
  replacesFile(step) && /^(?:[^\s"'`]+|(["'`]).+\1)$/.test(step.slice(replacesWhole.length).trim());

/** It says no more than what is done to that file, in a word: "write notes.txt". What is to come into it is not in it. */
export function saysOnlyFile(step: string, path: string): boolean {
  if (mentioned([step], [path]).length === 0) return false;
  return wordsIn(step.replaceAll(path, ' ').replaceAll(nameOf(path), ' ')).length === 1;
}
