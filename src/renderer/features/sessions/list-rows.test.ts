import { describe, expect, it } from 'vitest';
import { aSession } from '../../testing/fixtures.ts';
import { foldersOf, folderName } from '../../stores/folders.ts';
import { listHeight, listRows, rowsIn, rowSizes } from './list-rows.ts';
import { nothingSelected, stillThere, stretched, toggled } from './selection.ts';

const ids = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => aSession({ id: `s${from + at}` }));
const groups = [
  { kind: 'pinned' as const, folder: null, sessions: ids(0, 2) },
  { kind: 'folder' as const, folder: { path: '/a/kiln', name: 'kiln' }, sessions: ids(2, 2000) },
];

describe('the rows of the list', () => {
  const rows = listRows(groups, { draft: true, headings: true, sizes: rowSizes.normal });

  it('stand below one another, a heading above the first of each group', () => {
    expect(rows.slice(0, 4).map(({ key, heading, top }) => [key, heading?.label ?? null, top])).toEqual([
      ['draft', null, 0],
      ['s0', 'Pinned', 28],
      ['s1', null, 88],
      ['s2', 'kiln', 116],
    ]);
    expect(listHeight(rows)).toBe(2001 * 28 + 2 * 32);
    expect(listHeight([])).toBe(0);
  });

  it('exist only in view, but for the one that has the keyboard', () => {
    const inView = rowsIn(rows, { from: 28_000, to: 28_280 }, 's3').map(({ key }) => key);
    expect(inView).toHaveLength(12);
    expect(inView[0]).toBe('s3');
  });

  it('have no headings where only marks are shown', () => {
    const rail = listRows(groups, { draft: false, headings: false, sizes: rowSizes.largest });
    expect(listHeight(rail)).toBe(2000 * 36);
  });
});

const at = (workspace: string, updatedAt: number) => aSession({ id: workspace, workspace, updatedAt });

describe('folders', () => {
  it('are called by their own names, or by their paths where two are called alike', () => {
    const sessions = [at('/a/kiln', 1), at('/b/kiln/', 3), at('C:\\Users\\ada\\notes', 2)];
    expect(foldersOf([...sessions, at('/a/kiln', 0)])).toEqual([
      { path: '/b/kiln/', name: '/b/kiln/', sessions: 1 },
      { path: 'C:\\Users\\ada\\notes', name: 'notes', sessions: 1 },
      { path: '/a/kiln', name: '/a/kiln', sessions: 2 },
    ]);
    expect(folderName('/')).toBe('/');
  });
});

describe('a selection', () => {
  const order = ['a', 'b', 'c', 'd'];

  it('begins with the row that was left for another, and takes each out again', () => {
    const two = toggled(nothingSelected, 'c', 'a');
    expect(two.ids).toEqual(['a', 'c']);
    expect(toggled(two, 'a', null).ids).toEqual(['c']);
    expect(toggled(nothingSelected, 'a', 'a').ids).toEqual(['a']);
  });

  it('stretches from its anchor, either way, and turns around it', () => {
    const down = stretched(nothingSelected, 'c', { order, from: 'b' });
    expect(down).toEqual({ ids: ['b', 'c'], anchor: 'b' });
    expect(stretched(down, 'a', { order, from: null }).ids).toEqual(['a', 'b']);
    expect(stretched(nothingSelected, 'c', { order, from: null }).ids).toEqual(['c']);
    expect(stretched(down, 'gone', { order, from: null }).ids).toEqual(['gone']);
  });

  it('loses what leaves the list', () => {
    const all = { ids: order, anchor: 'a' };
    expect(stillThere(all, order)).toBe(all);
    expect(stillThere(all, ['b', 'd']).ids).toEqual(['b', 'd']);
  });
});
