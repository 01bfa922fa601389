import { expect, test } from 'vitest';
import type { ToolDisplay } from '../../../protocol/model.ts';
import { countFact } from './count-fact.ts';

const found = (total: number, files: number): ToolDisplay => ({
  kind: 'matches',
  matches: [],
  files,
  total,
  truncated: true,
});
const names = (total: number): ToolDisplay => ({ kind: 'list', entries: [], total, truncated: false });

test.each<[string, ToolDisplay | null, string | null]>([
  ['lines of one file', found(18, 1), 'Lines found: 18, in 1 file.'],
  ['more lines than are shown', found(1_204, 30), 'Lines found: 1204, in 30 files.'],
  ['few lines', found(3, 3), null],
  ['names', names(9), null],
  ['nothing to show', null, null],
])('The count of what was found is told where a glance does not tell it: %s', (_, display, told) => {
  expect(countFact(display)).toBe(told);
});
