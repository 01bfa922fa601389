/** Steps that put something in the place of what stands in a file, as the worked examples of openings say them. */

const changesPart = /^\S.* to \S.* in (\S.*)$/u;
const replacesWhole = 'replace all of ';

/** "replace all of a.txt"; the file may be the one that was spoken of before. */
export function replacesAll(step: string, path: string): boolean {
  const words = step.replaceAll(/["'`]/g, '').trim();
  return [path, 'it'].some((whole) => `${words} `.startsWith(`${replacesWhole}${whole} `));
}

/** That, or "old to new in a.txt": the file is there already. */
export const replacesIn = (step: string, path: string): boolean =>
  replacesAll(step, path) || changesPart.exec(step)?.[1] === path;

/** It does that in some file. */
export const replaces = (step: string): boolean => step.startsWith(replacesWhole) || changesPart.test(step);
