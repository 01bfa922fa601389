import type { UndoCoverage } from '../protocol/changed-files.ts';

/** Nothing that a command could do to the folder is lost, but in the places that are only counted. */
export const coversAll = (coverage: UndoCoverage): boolean =>
  coverage.kind === 'covered' && coverage.notKept === 0;
