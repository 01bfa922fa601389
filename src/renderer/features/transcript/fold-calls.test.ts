import { describe, expect, it } from 'vitest';
import type { Item } from '../../../protocol/model.ts';
import { anItem, aTurn } from '../../testing/fixtures.ts';
import { RowBuilder } from './build-rows.ts';
import { countCalls, foldKey } from './fold-calls.ts';
import type { Row } from './rows.ts';

const call = (index: number): Item =>
  anItem('tool', {
    id: `i${index}`,
    index,
    tool: index % 4 === 0 ? 'search' : 'read_file',
    state: index % 50 === 3 ? 'failed' : 'done',
  });
const calls = (from: number, to: number): Item[] =>
  Array.from({ length: to - from }, (_, place) => call(from + place));
const build = (items: Item[], more = {}, expanded = {}): Row[] =>
  new RowBuilder().build(
    { turns: [aTurn({ status: 'finished', phase: null })], items, ...more },
    null,
    expanded,
  );
const shapes = (rows: Row[]): [string, number][] =>
  rows.map((row) => [row.kind, row.kind === 'tools' || row.kind === 'calls' ? row.entries.length : 0]);

describe('a long run of calls', () => {
  it('folds what is far behind, and shows the last ones', () => {
    const rows = build(calls(0, 300));
    expect(shapes(rows)).toEqual([
      ...Array.from({ length: 13 }, () => ['calls', 20]),
      ['tools', 20],
      ['tools', 20],
    ]);
    expect(rows.every(({ joins }) => joins !== undefined)).toBe(true);
  });

  it('is not folded while it is short', () => {
    expect(shapes(build(calls(0, 40)))).toEqual([
      ['tools', 20],
      ['tools', 20],
    ]);
  });

  it('has the same rows below when a page is put in front of it', () => {
    const before = build(calls(137, 300), { edge: 137 });
    const after = build(calls(20, 300), { edge: 137 });
    const shown = after.slice(-before.length);
    expect(shown.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
    expect(shapes(shown)).toEqual(shapes(before));
  });

  it('shows a folded stretch when it is opened', () => {
    const rows = build(calls(0, 100), {}, { [foldKey('i20')]: true });
    expect(rows.map(({ key }) => key)).toEqual([
      'calls:i0',
      'calls:i20',
      'tools:i20',
      'calls:i40',
      'tools:i60',
      'tools:i80',
    ]);
  });

  it('keeps a call that still runs in sight', () => {
    const items = calls(0, 100).map((item) =>
      item.index === 5 ? { ...item, completedAt: null, state: 'running' as const } : item,
    ) as Item[];
    expect(build(items)[0]?.kind).toBe('tools');
  });

  it('counts by tool, most first, and what failed', () => {
    const [row] = build(calls(0, 100));
    expect(row?.kind === 'calls' && countCalls(row.entries)).toEqual({
      tools: [
        ['read_file', 15],
        ['search', 5],
      ],
      failed: 1,
    });
  });
});
