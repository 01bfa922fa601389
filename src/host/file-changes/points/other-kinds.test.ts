/** Where a command puts one kind of entry in the place of another, and what lies beneath. */
import { appendFileSync, chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UndoWorld } from './testing.ts';

let world: UndoWorld;
beforeEach(async () => {
  world = await UndoWorld.open();
});
afterEach(() => world.close());

const done = { refused: null, detail: '' };
const at = (path: string): string => join(world.bench.workspace, path);

test('A file becomes a folder and a folder a file, and back', async () => {
  world.bench.write('x', 'file\n');
  world.bench.write('y/in', 'in\n');
  const before = world.tree();
  await world.run('rm x; mkdir x; echo in > x/in; rm -r y; echo file > y');
  const after = world.tree();
  await world.changes.undo('s', undefined, 't1');
  expect(world.tree()).toEqual(before);
  await world.changes.redo('s', undefined, 't1');
  expect(world.tree()).toEqual(after);
});

test('A folder that became a file goes back with what it had in it, and that is said before', async () => {
  world.bench.write('sub/in/a.txt', 'one\n');
  const before = world.tree();
  await world.run('echo made > sub/in/b.txt');
  await world.run('rm -r sub; echo file > sub');
  const paths = ['sub', 'sub/in', 'sub/in/a.txt', 'sub/in/b.txt'];
  const wanted = paths.map((path) => ({ path, ...done }));
  expect(await world.changes.ofTurn('s', paths, 't1')).toEqual(
    wanted.map((file) => ({ ...file, canRedo: false })),
  );
  const undone = await world.changes.undo('s', undefined, 't1');
  expect(undone.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(wanted);
  expect(world.tree()).toEqual(before);
});

test.each([
  [0o700, '750', 0o711],
  [0o755, '755', 0o755],
  [0o755, '600', 0o600],
])(
  'A folder (%o) that becomes a file (%s) has the permissions of each, back and forth',
  async (mode, made, since) => {
    world.bench.write('a/x', 'x\n');
    chmodSync(at('a'), mode);
    const before = world.tree();
    await world.run(`rm -r a; echo run > a; chmod ${made} a`);
    const after = world.tree();
    await world.changes.undo('s', undefined, 't1');
    expect(world.tree()).toEqual(before);
    // Those of the folder are no business of the file.
    chmodSync(at('a'), since);
    await world.changes.redo('s', undefined, 't1');
    expect(world.tree()).toEqual(after);
  },
);

test('What is too large to be kept is said to be lost, also where its folder comes back', async () => {
  world.bench.write('sub/large', 'x'.repeat(17 * 1024 * 1024));
  await world.run('rm -r sub; echo file > sub');
  const told = await world.changes.ofTurn('s', ['sub', 'sub/large'], 't1');
  expect(told.map(({ refused }) => refused)).toEqual([null, 'not_kept']);
});

test('A file that became a folder and was removed goes back, whatever was in the folder for a while', async () => {
  world.bench.write('a', 'one\n');
  const before = world.tree();
  await world.run('rm a; mkdir -p a/in; echo x > a/in/x');
  await world.run('rm -r a');
  const undone = await world.changes.undo('s', undefined, 't1');
  expect(undone.map(({ refused }) => refused)).toEqual([null, null, null]);
  expect(world.tree()).toEqual(before);
});

test.runIf(process.platform === 'linux')(
  'The permissions of what is no file are said not to be kept',
  async () => {
    const bind = 'import socket; socket.socket(socket.AF_UNIX).bind("sock")';
    await world.run(`python3 -c '${bind}'`, 't1');
    await world.run('chmod 600 sock', 't2');
    expect(await world.changes.undo('s', undefined, 't2')).toMatchObject([
      { path: 'sock', refused: 'not_kept' },
    ]);
  },
);

test('What lay in a folder is said to stay where a file took the folder’s place and is the person’s by now', async () => {
  world.bench.write('sub/a.txt', 'one\n');
  await world.run('rm -r sub; echo file > sub');
  appendFileSync(at('sub'), 'mine\n');
  const told = await world.changes.ofTurn('s', ['sub', 'sub/a.txt'], 't1');
  expect(told.map(({ refused }) => refused)).toEqual(['changed', 'unreachable']);
  expect(await world.changes.undo('s', undefined, 't1')).toMatchObject([
    { path: 'sub', refused: 'changed' },
    { path: 'sub/a.txt', refused: 'unreachable' },
  ]);
});

test('A folder in which something lies that the turn did not make is said to stay, with those above it', async () => {
  await world.run('mkdir -p new/in; echo made > new/in/a.txt');
  world.bench.write('new/in/mine.txt', 'mine\n');
  const paths = ['new', 'new/in', 'new/in/a.txt'];
  const told = await world.changes.ofTurn('s', paths, 't1');
  expect(told.map(({ refused }) => refused)).toEqual(['changed', 'changed', null]);
  const undone = await world.changes.undo('s', paths, 't1');
  expect(undone.map(({ refused }) => refused)).toEqual(['changed', 'changed', null]);
});
