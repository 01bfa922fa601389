import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { systemFiles, type Files } from '../../../platform/files.ts';
import { systemProcesses } from '../../../platform/processes.ts';
import { scanFolder } from './scan-folder.ts';
import { UndoWorld } from './testing.ts';

let world: UndoWorld;
beforeEach(async () => {
  world = await UndoWorld.open();
});
afterEach(() => world.close());

const done = { refused: null, detail: '' };
const at = (path: string): string => join(world.bench.workspace, path);

test('What a command made, changed and removed is told file by file, and all of it goes back and forth', async () => {
  world.bench.write('a.txt', 'one\ntwo\n');
  world.bench.write('src/old.ts', 'old\n');
  world.bench.write('src/deep/er.ts', 'deep\n');
  const before = world.tree();
  const changes = await world.run(
    'printf "1\\ntwo\\n" > a.txt; rm -r src; mkdir -p new/empty; echo n > new/n.txt; ln -s n.txt new/l; chmod 755 a.txt',
  );
  expect(changes).toEqual({
    files: [
      { path: 'a.txt', added: 1, removed: 1, what: 'changed' },
      { path: 'new', added: 0, removed: 0, what: 'new' },
      { path: 'new/empty', added: 0, removed: 0, what: 'new' },
      { path: 'new/l', added: 0, removed: 0, what: 'new' },
      { path: 'new/n.txt', added: 1, removed: 0, what: 'new' },
      { path: 'src', added: 0, removed: 0, what: 'removed' },
      { path: 'src/deep', added: 0, removed: 0, what: 'removed' },
      { path: 'src/deep/er.ts', added: 0, removed: 1, what: 'removed' },
      { path: 'src/old.ts', added: 0, removed: 1, what: 'removed' },
    ],
    total: 9,
    uncovered: [],
  });
  const after = world.tree();
  for (let times = 0; times < 2; times += 1) {
    const undone = await world.changes.undo('s', undefined, 't1');
    expect(undone.filter(({ refused }) => refused !== null)).toEqual([]);
    expect(world.tree()).toEqual(before);
    const redone = await world.changes.redo('s', undefined, 't1');
    expect(redone.filter(({ refused }) => refused !== null)).toEqual([]);
    expect(world.tree()).toEqual(after);
  }
});

test('Edits of tools and changes of commands are one history of a file', async () => {
  world.bench.write('a.txt', 'one\n');
  await world.call('read_file', { path: 'a.txt' }, 't1');
  await world.call('edit_file', { path: 'a.txt', old_text: 'one', new_text: 'two' }, 't1');
  await world.run('sed -i s/two/three/ a.txt', 't1');
  await world.run('echo four >> a.txt', 't2');
  expect(await world.changes.view('s', 'a.txt')).toMatchObject({
    file: { added: 2, removed: 1, turns: ['t1', 't2'] },
    whole: { diff: { hunks: [{ lines: ['-one', '+three', '+four'] }] } },
  });
  expect(await world.changes.undo('s', ['a.txt'], 't2')).toMatchObject([done]);
  expect(world.bench.read('a.txt')).toBe('three\n');
  expect(await world.changes.undo('s', ['a.txt'])).toMatchObject([done]);
  expect(world.bench.read('a.txt')).toBe('one\n');
});

test('What somebody else wrote between two changes is never overwritten: undo goes back to it and no further', async () => {
  world.bench.write('a.txt', 'one\n');
  await world.run('echo two > a.txt', 't1');
  writeFileSync(at('a.txt'), 'by hand\n');
  await world.run('echo three >> a.txt', 't2');
  expect(await world.changes.undo('s', ['a.txt'])).toMatchObject([done]);
  expect(world.bench.read('a.txt')).toBe('by hand\n');
  expect(await world.changes.undo('s', ['a.txt'])).toMatchObject([{ refused: 'changed' }]);
  expect(await world.changes.undo('s', ['a.txt'], 't1')).toMatchObject([{ refused: 'changed' }]);
  expect(await world.changes.view('s', 'a.txt')).toMatchObject({
    standing: 'changed',
    canUndo: false,
    canRedo: false,
  });
  expect(world.bench.read('a.txt')).toBe('by hand\n');
});

test('A folder that a command made is left where somebody else has put something in it', async () => {
  await world.run('mkdir made; echo x > made/x');
  writeFileSync(at('made/mine'), 'mine');
  const outcomes = await world.changes.undo('s', undefined, 't1');
  expect(outcomes).toEqual([
    { path: 'made/x', ...done },
    { path: 'made', refused: 'changed', detail: '' },
  ]);
  expect(world.tree()).toMatchObject({ 'made/mine': expect.stringContaining('mine') });
});

test('Permissions that somebody else gave meanwhile stay', async () => {
  world.bench.write('a.sh', 'one\n');
  await world.run('chmod 700 a.sh');
  expect(await world.changes.view('s', 'a.sh')).toMatchObject({ modes: { now: 0o700 } });
  const { chmodSync } = await import('node:fs');
  chmodSync(at('a.sh'), 0o744);
  expect(await world.changes.undo('s', undefined, 't1')).toMatchObject([{ refused: 'changed' }]);
  chmodSync(at('a.sh'), 0o700);
  expect(await world.changes.undo('s', undefined, 't1')).toMatchObject([done]);
  expect(world.tree()['a.sh']).toMatch(/^644/);
});

test('What Git ignores, its own folder and installed packages are counted and not kept', async () => {
  world.bench.write('.gitignore', 'build/\n*.log\n');
  world.bench.write('build/out.js', 'out');
  world.bench.write('build/deep/out.js', 'out');
  world.bench.write('.git/HEAD', 'ref: refs/heads/main\n');
  world.bench.write('node_modules/a/index.js', 'a');
  world.bench.write('run.log', 'log');
  const changes = await world.run(
    'echo n > build/out.js; rm build/deep/out.js; echo x > .git/HEAD; echo b > node_modules/a/index.js; echo y >> run.log; echo k > kept',
  );
  expect(changes).toEqual({
    files: [{ path: 'kept', added: 1, removed: 0, what: 'new' }],
    total: 1,
    uncovered: [
      { path: '.git', changed: 1 },
      // The folder of what was removed is another, too.
      { path: 'build', changed: 3 },
      { path: 'node_modules', changed: 1 },
      { path: 'run.log', changed: 1 },
    ],
  });
});

test('What was covered before a command stays covered, whatever the command has Git ignore', async () => {
  world.bench.write('a.txt', 'one\n');
  world.bench.write('src/b.txt', 'two\n');
  const before = world.tree();
  const changes = await world.run('echo "*" > .gitignore; rm -r src; echo x > a.txt; echo new > c.txt');
  expect(changes?.files.map(({ path, what }) => `${what} ${path}`)).toEqual([
    'changed a.txt',
    'removed src',
    'removed src/b.txt',
  ]);
  expect(changes?.uncovered.map(({ path }) => path)).toEqual(['.gitignore', 'c.txt']);
  await world.changes.undo('s', undefined, 't1');
  expect(world.tree(['.gitignore', 'c.txt'])).toEqual(before);
});

test('A file with the same size and the same date as before is still seen to be another', async () => {
  world.bench.write('a.txt', 'one\n');
  const changes = await world.run(
    'touch -r a.txt /tmp/andiron-ref-$$; echo two > a.txt; touch -r /tmp/andiron-ref-$$ a.txt; rm /tmp/andiron-ref-$$',
  );
  expect(changes?.files).toMatchObject([{ path: 'a.txt', what: 'changed' }]);
});

test('A file that is too large to be kept is told of, and left as it is', async () => {
  writeFileSync(at('big.bin'), Buffer.alloc(17 * 1024 * 1024, 1));
  const changes = await world.run('printf x >> big.bin');
  expect(changes?.files).toMatchObject([{ path: 'big.bin', what: 'changed' }]);
  expect(await world.changes.undo('s', undefined, 't1')).toMatchObject([{ refused: 'too_large' }]);
});

test('A link that a command leads elsewhere leads back, and what it leads to is never touched', async () => {
  const outside = join(world.bench.root, 'outside');
  writeFileSync(outside, 'outside\n');
  world.bench.write('a.txt', 'one\n');
  mkdirSync(at('sub'));
  const before = world.tree();
  await world.run('rm a.txt; ln -s ../outside a.txt; rmdir sub; ln -s .. sub');
  await world.changes.undo('s', undefined, 't1');
  expect(world.tree()).toEqual(before);
  expect(existsSync(outside)).toBe(true);
});

test('What is reached through a link by now is left as it is', async () => {
  world.bench.write('sub/a.txt', 'one\n');
  await world.run('echo two > sub/a.txt');
  rmSync(at('sub'), { recursive: true });
  const { symlinkSync } = await import('node:fs');
  mkdirSync(join(world.bench.root, 'other'));
  writeFileSync(join(world.bench.root, 'other', 'a.txt'), 'two\n');
  symlinkSync('../other', at('sub'));
  expect(await world.changes.undo('s', undefined, 't1')).toMatchObject([{ refused: 'unreachable' }]);
});

test('A change of the person between two commands is theirs', async () => {
  world.bench.write('a.txt', 'one\n');
  await world.run('true');
  appendFileSync(at('a.txt'), 'mine\n');
  expect((await world.run('echo x > b.txt'))?.files.map(({ path }) => path)).toEqual(['b.txt']);
});

test('What a command did before its host died is found at the next start', async () => {
  world.bench.write('a.txt', 'one\n');
  world.bench.write('b.txt', 'one\n');
  await world.dieDuring('c1', () => {
    writeFileSync(at('a.txt'), 'two\n');
    rmSync(at('b.txt'));
  });
  world = await UndoWorld.open({ root: world.bench.root });
  expect(world.store.changedFiles('s').map(({ path, turns }) => [path, turns])).toEqual([
    ['a.txt', ['t1']],
    ['b.txt', ['t1']],
  ]);
  await world.changes.undo('s', undefined, 't1');
  expect([world.bench.read('a.txt'), world.bench.read('b.txt')]).toEqual(['one\n', 'one\n']);
});

test('What changed long after a host died is not overwritten, and told as changed since', async () => {
  world.bench.write('a.txt', 'one\n');
  await world.dieDuring('c1', () => writeFileSync(at('a.txt'), 'by hand\n'), 60_000);
  world = await UndoWorld.open({ root: world.bench.root });
  expect(await world.changes.undo('s', undefined, 't1')).toMatchObject([
    { path: 'a.txt', refused: 'changed' },
  ]);
  expect(world.bench.read('a.txt')).toBe('by hand\n');
});

test('Two sessions at once: a change belongs to the one that recorded it first', async () => {
  world.bench.write('a.txt', 'one\n');
  const { changes } = await world.whileRunning(async () => {
    await world.call('read_file', { path: 'a.txt' }, 't2');
    await world.call('edit_file', { path: 'a.txt', old_text: 'one', new_text: 'two' }, 't2');
    writeFileSync(at('b.txt'), 'of the command\n');
  }, 't1');
  expect(changes?.files.map(({ path }) => path)).toEqual(['b.txt']);
  expect(await world.changes.undo('s', undefined, 't1')).toMatchObject([{ path: 'b.txt', ...done }]);
  expect(world.bench.read('a.txt')).toBe('two\n');
});

test('What Git ignored before and no longer does is nothing new: undo does not remove it', async () => {
  world.bench.write('.gitignore', 'mine/\n*.log\n');
  world.bench.write('mine/precious.txt', 'precious\n');
  world.bench.write('a.log', 'log\n');
  const changes = await world.run('rm .gitignore; echo new > mine/new.txt');
  expect(changes?.files.map(({ path, what }) => `${what} ${path}`)).toEqual([
    'removed .gitignore',
    'new mine/new.txt',
  ]);
  await world.changes.undo('s', undefined, 't1');
  expect(world.tree()).toMatchObject({ 'mine/precious.txt': '644 precious\n', 'a.log': '644 log\n' });
});

test('A name that a command takes from a hard link leaves the other as it was', async () => {
  world.bench.write('a.txt', 'one\n');
  await world.run('ln a.txt b.txt');
  const before = world.tree();
  await world.run('echo two > b.txt', 't2');
  expect(await world.changes.undo('s', undefined, 't2')).toMatchObject([done, done]);
  expect(world.tree()).toEqual(before);
});

test('Two files that a command made one by a hard link are two again', async () => {
  world.bench.write('a.txt', 'one\n');
  world.bench.write('b.txt', 'two\n');
  const before = world.tree();
  await world.run('ln -f a.txt b.txt; echo three > a.txt');
  expect(await world.changes.undo('s', undefined, 't1')).toMatchObject([done, done]);
  expect(world.tree()).toEqual(before);
});

test('A folder that its tool made goes with the file that was written into it', async () => {
  await world.call('write_file', { path: 'new/deep/a.txt', content: 'one\n' });
  expect(await world.changes.undo('s', undefined, 't1')).toHaveLength(3);
  expect(world.tree()).toEqual({});
});

test('A folder with too many files is not covered: that is said before, and after nothing is told', async () => {
  world.close();
  world = await UndoWorld.open({ limits: { entries: 2 } });
  for (const name of ['a', 'b', 'c']) world.bench.write(name, name);
  expect(await world.coverage()).toEqual({ kind: 'none', problem: 'too_many' });
  expect(await world.run('rm a')).toBeNull();
  expect(world.store.changedFiles('s')).toEqual([]);
});

test('A folder that has too many files only since undo was promised has no command run in it', async () => {
  world.close();
  world = await UndoWorld.open({ limits: { entries: 2 } });
  world.bench.write('a', 'a');
  const promised = await world.coverage();
  for (const name of ['b', 'c']) world.bench.write(name, name);
  const { ok, content } = await world.bench.call(
    'run_command',
    { command: 'rm a' },
    { person: { promised } },
  );
  expect(ok).toBe(false);
  expect(content).toBe(
    'Error: Undo covered the folder before and no longer does, so nothing was run: it has too many files now. Call it once more: the person is then told what undo covers now.',
  );
  expect(world.bench.read('a')).toBe('a');
});

test('What takes too long to look through is not covered', async () => {
  world.close();
  world = await UndoWorld.open({ limits: { ms: -1 }, ripgrepPath: null });
  world.bench.write('a', 'a');
  expect(await world.coverage()).toEqual({ kind: 'none', problem: 'too_slow' });
});

test('Beyond what a folder may keep a file is told of, and left as it is', async () => {
  world.close();
  world = await UndoWorld.open({ limits: { keptBytes: 6 } });
  world.bench.write('a', 'four');
  world.bench.write('b', 'four');
  expect(await world.coverage()).toMatchObject({ files: 2, notKept: 1 });
  await world.run('echo x > a; echo x > b');
  const outcomes = await world.changes.undo('s', undefined, 't1');
  expect(new Set(outcomes.map(({ refused }) => refused))).toEqual(new Set(['not_kept', null]));
});

test('Without a search program all but Git’s own folder and packages is covered', async () => {
  world.close();
  world = await UndoWorld.open({ ripgrepPath: null });
  for (const path of ['.gitignore', 'build/out', '.git/HEAD', 'node_modules/a'])
    world.bench.write(path, 'build/');
  expect(await world.coverage()).toMatchObject({ files: 2, uncovered: ['.git', 'node_modules'] });
});

test('A pipe that a command made goes, and one that it removed is told of', async () => {
  await world.run('mkfifo pipe', 't1');
  await world.run('rm pipe', 't2');
  expect(await world.changes.undo('s', undefined, 't2')).toMatchObject([{ refused: 'not_kept' }]);
  await world.run('mkfifo pipe', 't3');
  expect(await world.changes.undo('s', undefined, 't3')).toMatchObject([done]);
  expect(world.tree()).toEqual({});
});

test('An empty folder in which a command puts what Git ignores is still there', async () => {
  world.bench.write('.gitignore', '*.log\n');
  mkdirSync(at('logs'));
  const changes = await world.run('echo l > logs/a.log');
  expect(changes).toEqual({ files: [], total: 0, uncovered: [{ path: 'logs/a.log', changed: 1 }] });
});

test('What a disk in trouble did not let be recorded is recorded before the next command, as the work of its own', async () => {
  world.close();
  let isWell = true;
  const createFile: Files['createFile'] = async (path) => {
    const writer = await systemFiles.createFile(path);
    return { ...writer, close: () => (isWell ? writer.close() : Promise.reject(new Error('EIO'))) };
  };
  world = await UndoWorld.open({ files: { ...systemFiles, createFile } });
  isWell = false;
  expect(await world.run('echo one > a.txt', 't1')).toBe(null);
  isWell = true;
  expect(await world.run('echo two >> a.txt', 't2')).toMatchObject({ files: [{ path: 'a.txt', added: 1 }] });
  expect(await world.changes.undo('s', undefined, 't2')).toMatchObject([done]);
  expect(world.tree()).toEqual({ 'a.txt': '644 one\n' });
  expect(await world.changes.undo('s', undefined, 't1')).toMatchObject([done]);
  expect(world.tree()).toEqual({});
});

test('Nothing is left open once a command or an edit is done', async () => {
  await world.run('echo x > a.txt');
  await world.call('write_file', { path: 'new/b.txt', content: 'one\n' });
  expect(readdirSync(join(world.bench.root, 'data', 'undo', 'points'))).toEqual([]);
  expect(world.store.openFileSteps()).toEqual([]);
});

test('Andiron’s own data in the folder of a session is no part of what a command changed', async () => {
  const { bench } = world;
  const scan = await scanFolder(
    {
      files: systemFiles,
      processes: systemProcesses,
      ripgrepPath: null,
      clock: systemClock,
      dataDirs: [join(bench.root, 'data')],
    },
    bench.root,
    [],
    { entries: 100, uncovered: 100, ms: 2_000 },
  );
  if (typeof scan === 'string') throw new Error(scan);
  expect(scan.covered.map(({ path }) => path)).toEqual(['work']);
  expect(scan.uncovered.size).toBe(0);
});
