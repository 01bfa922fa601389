/** One change of a file is taken back: its lines as they were, every other byte as it is, and only of what was shown. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { property, assert, array, constantFrom, integer } from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FileView } from '../../protocol/changed-files.ts';
import { diffChanges, withoutChange } from '../../rules/diff-changes.ts';
import { diffDisplay } from '../tools/diff-display.ts';
import { UndoWorld } from './points/testing.ts';

let world: UndoWorld;
beforeEach(async () => {
  world = await UndoWorld.open();
});
afterEach(() => world.close());

const at = (path: string): string => join(world.bench.workspace, path);
const lines = (...some: string[]): string => some.map((line) => `${line}\n`).join('');
const text = (): string => readFileSync(at('a.txt'), 'utf8');
const view = (turnId?: string): Promise<FileView> => world.changes.view('s', 'a.txt', turnId);
const countOf = ({ whole }: FileView): number =>
  whole.kind === 'diff' ? diffChanges(whole.diff.hunks).length : 0;
const done = { refused: null, detail: '' };

async function restoreIt(index: number, turnId?: string) {
  const shown = await view(turnId);
  return world.changes.restoreChange('s', 'a.txt', {
    ...(turnId !== undefined && { turnId }),
    between: shown.between,
    change: { at: index, of: countOf(shown) },
  });
}

const isDos = (words: string): boolean => !/(?<!\r)\n|\r(?!\n)/.test(words);

/** Two changes in one turn, far from each other. */
async function changed(): Promise<void> {
  world.bench.write('a.txt', lines('one', 'two', 'three', 'four', 'five'));
  await world.run(`printf 'ONE\\ntwo\\nthree\\nfour\\nfive\\nsix\\n' > a.txt`, 't1');
}

describe('One change', () => {
  test('is taken back, and the others stay', async () => {
    await changed();
    expect(countOf(await view())).toBe(2);
    expect(await restoreIt(0)).toMatchObject({ ...done, path: 'a.txt' });
    expect(text()).toBe(lines('one', 'two', 'three', 'four', 'five', 'six'));
    expect(await restoreIt(0)).toMatchObject(done);
    expect(text()).toBe(lines('one', 'two', 'three', 'four', 'five'));
    expect(countOf(await view())).toBe(0);
  });

  test('comes back with the step that its answer names, and only that', async () => {
    await changed();
    const { step } = await restoreIt(0);
    expect(await world.changes.undo('s', ['a.txt'], undefined, step ?? -1)).toMatchObject([done]);
    expect(text()).toBe(lines('ONE', 'two', 'three', 'four', 'five', 'six'));
    expect(await world.changes.undo('s', ['a.txt'], undefined, step ?? -1)).toMatchObject([
      { refused: 'undone' },
    ]);
  });

  test('does not come back from under what a later turn or somebody else wrote', async () => {
    await changed();
    const { step } = await restoreIt(0);
    const again = () => world.changes.undo('s', ['a.txt'], undefined, step ?? -1);
    writeFileSync(at('a.txt'), 'mine\n');
    await world.run('echo more >> a.txt', 't2');
    expect(await again()).toMatchObject([{ refused: 'later' }]);
    await world.changes.undo('s', ['a.txt'], 't2');
    expect(await again()).toMatchObject([{ refused: 'changed' }]);
    expect(text()).toBe('mine\n');
  });

  test('comes back alone, where its file is not named', async () => {
    await changed();
    await world.run('echo x > b.txt', 't2');
    const { step } = await restoreIt(0);
    expect(await world.changes.undo('s', undefined, undefined, step ?? -1)).toMatchObject([
      { path: 'a.txt' },
    ]);
  });

  test('goes with its turn, and comes again as it was left', async () => {
    await changed();
    await restoreIt(0);
    expect(await world.changes.undo('s', undefined, 't1')).toMatchObject([done]);
    expect(text()).toBe(lines('one', 'two', 'three', 'four', 'five'));
    expect(await world.changes.redo('s', undefined, 't1')).toMatchObject([done]);
    expect(text()).toBe(lines('one', 'two', 'three', 'four', 'five', 'six'));
  });

  test('is one of a turn where that turn is looked at, and of the session else', async () => {
    await changed();
    await world.run(`sed -i s/three/THREE/ a.txt`, 't2');
    expect([countOf(await view('t2')), countOf(await view('t1')), countOf(await view())]).toEqual([1, 3, 3]);
    expect(await restoreIt(0, 't2')).toMatchObject(done);
    expect(text()).toBe(lines('ONE', 'two', 'three', 'four', 'five', 'six'));
  });

  test('keeps the marks of lines and the permission bits of its file', async () => {
    world.bench.write('a.txt', 'one\r\ntwo\r\nthree');
    await world.run(`chmod 755 a.txt; printf 'ONE\\r\\ntwo\\r\\nthree\\r\\n' > a.txt`, 't1');
    await restoreIt(0);
    expect(text()).toBe('one\r\ntwo\r\nthree\r\n');
    expect(world.tree()['a.txt']).toMatch(/^755 /);
  });
});

describe('Nothing is taken back', () => {
  test('of a file that somebody else changed or removed since it was shown', async () => {
    await changed();
    const shown = { between: (await view()).between, change: { at: 0, of: 2 } };
    writeFileSync(at('a.txt'), 'mine');
    expect(await world.changes.restoreChange('s', 'a.txt', shown)).toMatchObject({
      refused: 'changed',
      step: null,
    });
    expect(text()).toBe('mine');
    expect(await restoreIt(0)).toMatchObject({ refused: 'changed' });
    rmSync(at('a.txt'));
    expect(await world.changes.restoreChange('s', 'a.txt', shown)).toMatchObject({ refused: 'gone' });
  });

  test('where it was shown against another beginning', async () => {
    await changed();
    await world.run(`sed -i s/three/THREE/ a.txt`, 't2');
    const { between } = await view();
    const shown = { turnId: 't2', between, change: { at: 0, of: 1 } };
    expect(await world.changes.restoreChange('s', 'a.txt', shown)).toMatchObject({ refused: 'changed' });
    expect([(await view('t1')).canUndo, (await view('t2')).canUndo]).toEqual([false, true]);
  });

  test('of what another turn has changed since it was shown', async () => {
    await changed();
    const shown = { between: (await view()).between, change: { at: 0, of: 2 } };
    await world.run(`sed -i s/three/THREE/ a.txt`, 't2');
    expect(await world.changes.restoreChange('s', 'a.txt', shown)).toMatchObject({ refused: 'changed' });
    expect(text()).toContain('THREE');
  });

  test('where the changes are not as many as were shown, or it is none of them', async () => {
    await changed();
    const { between } = await view();
    for (const change of [
      { at: 0, of: 3 },
      { at: 2, of: 2 },
    ])
      expect(await world.changes.restoreChange('s', 'a.txt', { between, change })).toMatchObject({
        refused: 'nothing',
      });
  });

  test('of a file that was made: that goes as a whole', async () => {
    await world.run('echo one > a.txt', 't1');
    expect(await restoreIt(0)).toMatchObject({ refused: 'nothing' });
    expect(text()).toBe('one\n');
  });

  test('of a file that nobody has recorded', async () => {
    const shown = { between: { before: null, now: null }, change: { at: 0, of: 1 } };
    await expect(world.changes.restoreChange('s', 'other', shown)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

test('Whatever the texts, taking back each change in any order comes to what was before, byte for byte', () => {
  const line = constantFrom('', 'a', 'b', 'b ', 'c\r', '- d', '+ e', '\\ f');
  const some = array(line, { maxLength: 12 });
  const end = constantFrom('', '\n', '\r\n');
  assert(
    property(
      some,
      end,
      some,
      end,
      array(integer({ min: 0, max: 99 }), { minLength: 30, maxLength: 30 }),
      (a, aEnd, b, bEnd, order) => {
        const before = a.join('\n') + aEnd;
        let now = b.join('\n') + bEnd;
        for (const drawn of order) {
          const changes = diffChanges(diffDisplay('', before, now).hunks);
          if (changes.length === 0) break;
          const change = changes[drawn % changes.length];
          if (change) now = withoutChange(before, now, change);
        }
        // Where every line on both sides ends with a return, that is no change that is shown.
        const areDos = isDos(before) && isDos(now);
        const read = (words: string): string => (areDos ? words.replaceAll('\r', '') : words);
        expect(read(now)).toBe(read(before));
      },
    ),
  );
});
