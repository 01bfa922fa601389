import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { systemFiles, type Files } from '../../platform/files.ts';
import { systemEntryPlaces } from '../../platform/place-entry.ts';
import { silentLog } from '../../platform/log.ts';
import { storeFolder, summary, type StoreFolder } from '../store/testing.ts';
import type { Store } from '../store/store.ts';
import { workbench, type Workbench } from '../tools/testing.ts';
import { FileChanges } from './file-changes.ts';
import { createKeptContents } from './points/kept-contents.ts';

let folder: StoreFolder;
let store: Store;
let bench: Workbench;
let changes: FileChanges;
let running: boolean;
let told: string[];
let calls: number;

function begin(files: Files = systemFiles, maxKeptContent?: number): void {
  bench?.remove();
  const recorder: FileChanges['recorder'] = { begin: (change) => changes.recorder.begin(change) };
  bench = workbench(systemFiles, { recorder });
  folder?.remove();
  folder = storeFolder();
  reopen(files, maxKeptContent);
  store.createSession({ summary: summary(), workspaceReal: bench.workspace, contextUsage: null });
}

function reopen(files: Files = systemFiles, maxKeptContent?: number): void {
  store = folder.open();
  changes = new FileChanges({
    store,
    files,
    places: systemEntryPlaces,
    contents: createKeptContents(join(folder.path, 'undo'), systemFiles),
    clock: systemClock,
    log: silentLog,
    ...(maxKeptContent !== undefined && { maxKeptContent }),
    isRunning: () => running,
    onChange: (sessionId) => void told.push(sessionId),
  });
}

beforeEach(() => {
  running = false;
  told = [];
  calls = 0;
  begin();
});
afterEach(() => {
  bench.remove();
  folder.remove();
});

const at = (path: string): string => join(bench.workspace, path);

/** A call of a turn, as the journal has it. */
async function call(tool: string, args: object, turnId = 't1', sessionId = 's'): Promise<void> {
  const callId = `call${String((calls += 1))}`;
  store.recordIntent(sessionId, { callId, turnId, tool, args, at: 1 });
  const result = await bench.call(tool, args, { sessionId, callId });
  if (!result.ok) throw new Error(result.content);
}

async function change(path: string, from: string, to: string, turnId?: string): Promise<void> {
  await call('read_file', { path }, turnId);
  await call('edit_file', { path, old_text: from, new_text: to }, turnId);
}

const undo = async (path: string, turnId?: string) => (await changes.undo('s', [path], turnId))[0];
const redo = async (path: string, turnId?: string) => (await changes.redo('s', [path], turnId))[0];
const undone = { refused: null, detail: '' };

describe('the way back', () => {
  test('all changes of a file are one diff, and go back and forth as often as wanted, also after a restart', async () => {
    bench.write('a.txt', 'one\ntwo\nthree\n');
    await change('a.txt', 'one', '1', 't1');
    await change('a.txt', 'three', '3', 't2');
    const view = await changes.view('s', 'a.txt');
    expect(view).toMatchObject({
      file: { path: 'a.txt', added: 2, removed: 2, created: false, turns: ['t1', 't2'], undone: false },
      standing: 'written',
      by: null,
      canUndo: true,
      canRedo: false,
      whole: { diff: { hunks: [{ lines: ['-one', '+1', ' two', '-three', '+3'] }] } },
    });
    for (let times = 0; times < 2; times += 1) {
      expect(await undo('a.txt')).toMatchObject(undone);
      expect(bench.read('a.txt')).toBe('one\ntwo\nthree\n');
      reopen();
      expect(await changes.view('s', 'a.txt')).toMatchObject({
        file: { added: 0, removed: 0, turns: [], undone: true },
        standing: 'undone',
        canUndo: false,
        canRedo: true,
        whole: { diff: { hunks: [] } },
      });
      expect(await redo('a.txt')).toMatchObject(undone);
      expect(bench.read('a.txt')).toBe('1\ntwo\n3\n');
    }
    expect(store.changedFiles('s')).toEqual([view.file]);
    expect(told).toHaveLength(6);
  });

  test('a file that was created is removed, and brought back with its permissions', async () => {
    await call('write_file', { path: 'new/run.sh', content: 'echo hi\n' });
    chmodSync(at('new/run.sh'), 0o755);
    expect(store.changedFiles('s')).toMatchObject([
      { path: 'new', created: true, kind: 'folder' },
      { path: 'new/run.sh', created: true, added: 1, removed: 0 },
    ]);
    expect(await undo('new/run.sh')).toMatchObject(undone);
    expect(existsSync(at('new/run.sh'))).toBe(false);
    rmSync(at('new'), { recursive: true });
    expect(await redo('new/run.sh')).toMatchObject(undone);
    expect(bench.read('new/run.sh')).toBe('echo hi\n');
    expect(statSync(at('new/run.sh')).mode & 0o777).toBe(0o755);
  });

  test('permissions that somebody changed since are kept', async () => {
    bench.write('a.sh', 'old\n');
    await change('a.sh', 'old', 'new');
    chmodSync(at('a.sh'), 0o750);
    await undo('a.sh');
    expect([bench.read('a.sh'), statSync(at('a.sh')).mode & 0o777]).toEqual(['old\n', 0o750]);
  });

  test('a turn is taken back without those before it, and not under those after it', async () => {
    bench.write('a.txt', 'one\n');
    await change('a.txt', 'one', 'two', 't1');
    await change('a.txt', 'two', 'three', 't2');
    await change('a.txt', 'three', 'four', 't2');
    expect(await undo('a.txt', 't1')).toMatchObject({ refused: 'later' });
    expect(await undo('a.txt', 't2')).toMatchObject(undone);
    expect(bench.read('a.txt')).toBe('two\n');
    expect(store.changedFiles('s')).toMatchObject([{ added: 1, removed: 1, turns: ['t1'], undone: true }]);
    expect(await undo('a.txt', 't1')).toMatchObject(undone);
    expect(bench.read('a.txt')).toBe('one\n');
    await redo('a.txt');
    await redo('a.txt');
    expect(bench.read('a.txt')).toBe('four\n');
  });

  test('of each turn it is told beforehand what can be taken back and brought back, and why the rest cannot', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) {
      bench.write(name, 'one\n');
      await change(name, 'one', 'two', 't1');
    }
    await change('b.txt', 'two', 'three', 't2');
    bench.write('c.txt', 'theirs\n');
    await undo('d.txt', 't1');
    const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'fork.txt'];
    const told = await changes.ofTurn('s', names, 't1');
    expect(told.map(({ path, refused, canRedo }) => [path, refused, canRedo])).toEqual([
      ['a.txt', null, false],
      ['b.txt', 'later', false],
      ['c.txt', 'changed', false],
      ['d.txt', 'undone', true],
      ['fork.txt', 'unrecorded', false],
    ]);
    expect(names.slice(0, 4).map((name) => bench.read(name))).toEqual([
      'two\n',
      'three\n',
      'theirs\n',
      'one\n',
    ]);
    const undos = await changes.undo('s', names, 't1');
    expect(undos.map(({ refused }) => refused)).toEqual(told.map(({ refused }) => refused));
    expect(await changes.ofTurn('s', ['a.txt'], 't9')).toMatchObject([{ refused: 'unrecorded' }]);
  });

  test('of a turn alone is brought back only where nothing else was undone with it', async () => {
    bench.write('a.txt', 'one\n');
    await change('a.txt', 'one', 'two', 't1');
    await change('a.txt', 'two', 'three', 't2');
    await undo('a.txt');
    expect(await changes.ofTurn('s', ['a.txt'], 't2')).toMatchObject([{ refused: 'undone', canRedo: false }]);
    expect(await redo('a.txt', 't2')).toMatchObject({ refused: 'nothing' });
    expect(bench.read('a.txt')).toBe('one\n');
    await redo('a.txt');
    await undo('a.txt', 't2');
    expect(await redo('a.txt', 't2')).toMatchObject(undone);
    expect(bench.read('a.txt')).toBe('three\n');
  });

  test('a new change forgets what was undone, and leads back to the same beginning', async () => {
    bench.write('a.txt', 'one\n');
    await change('a.txt', 'one', 'two');
    await undo('a.txt');
    await change('a.txt', 'one', 'other', 't2');
    expect(await redo('a.txt')).toMatchObject({ refused: 'nothing' });
    expect(await undo('a.txt')).toMatchObject(undone);
    expect(bench.read('a.txt')).toBe('one\n');
  });

  test('the model has to read a file again that was undone under it', async () => {
    bench.write('a.txt', 'one\n');
    await change('a.txt', 'one', 'two');
    await undo('a.txt');
    const edit = { path: 'a.txt', old_text: 'one', new_text: 'three' };
    await expect(call('edit_file', edit)).rejects.toThrow('has changed since it was read');
  });

  test('is closed while a turn runs', async () => {
    bench.write('a.txt', 'one\n');
    await change('a.txt', 'one', 'two');
    running = true;
    await expect(undo('a.txt')).rejects.toMatchObject({ code: 'busy' });
    expect(bench.read('a.txt')).toBe('two\n');
  });

  test('two undos at once are one', async () => {
    bench.write('a.txt', 'one\n');
    await change('a.txt', 'one', 'two');
    expect(await Promise.all([undo('a.txt'), undo('a.txt')])).toMatchObject([undone, { refused: 'nothing' }]);
  });
});

describe('somebody else', () => {
  beforeEach(async () => {
    bench.write('a.txt', 'one\n');
    await change('a.txt', 'one', 'two');
  });

  test('changed the file: it is left as it is, and the whole change is shown', async () => {
    bench.write('a.txt', 'theirs\n');
    expect(await undo('a.txt')).toMatchObject({ refused: 'changed', detail: '' });
    expect(bench.read('a.txt')).toBe('theirs\n');
    expect(await changes.view('s', 'a.txt')).toMatchObject({
      standing: 'changed',
      by: null,
      canUndo: false,
      whole: { diff: { hunks: [{ lines: ['-one', '+theirs'] }] } },
    });
  });

  test('is another session: it is named', async () => {
    const other = summary({ id: 'other', title: 'The other one' });
    store.createSession({ summary: other, workspaceReal: bench.workspace, contextUsage: null });
    await call('read_file', { path: 'a.txt' }, 't9', 'other');
    await call('edit_file', { path: 'a.txt', old_text: 'two', new_text: 'three' }, 't9', 'other');
    expect(await undo('a.txt')).toMatchObject({ refused: 'changed', detail: 'The other one' });
    expect(await changes.view('s', 'a.txt')).toMatchObject({ by: 'The other one' });
  });

  test('removed it, and put it back as it was', async () => {
    rmSync(at('a.txt'));
    expect(await undo('a.txt')).toMatchObject({ refused: 'gone' });
    expect(await changes.view('s', 'a.txt')).toMatchObject({ standing: 'gone' });
    bench.write('a.txt', 'two\n');
    expect(await undo('a.txt')).toMatchObject(undone);
  });

  test('put a link or a folder in its place: nothing is written through it', async () => {
    rmSync(at('a.txt'));
    writeFileSync(join(bench.root, 'outside.txt'), 'two\n');
    symlinkSync(join(bench.root, 'outside.txt'), at('a.txt'));
    expect(await undo('a.txt')).toMatchObject({ refused: 'changed' });
    bench.write('b.txt', 'two\n');
    rmSync(at('a.txt'));
    symlinkSync(at('b.txt'), at('a.txt'));
    expect(await undo('a.txt')).toMatchObject({ refused: 'changed' });
    rmSync(at('a.txt'));
    mkdirSync(at('a.txt'));
    expect(await undo('a.txt')).toMatchObject({ refused: 'changed' });
    expect(readFileSync(join(bench.root, 'outside.txt'), 'utf8')).toBe('two\n');
    expect(bench.read('b.txt')).toBe('two\n');
  });

  test('wrote bytes that are no text', async () => {
    bench.write('a.txt', new Uint8Array([0xff, 0x00, 0xfe]));
    expect(await changes.view('s', 'a.txt')).toMatchObject({
      standing: 'changed',
      whole: { kind: 'binary' },
    });
    expect(await undo('a.txt')).toMatchObject({ refused: 'changed' });
  });

  test('made it larger than what is kept', async () => {
    bench.write('a.txt', 'x'.repeat(16 * 1024 * 1024 + 1));
    expect(await changes.view('s', 'a.txt')).toMatchObject({ whole: { kind: 'too_large' } });
    expect(await undo('a.txt')).toMatchObject({ refused: 'too_large' });
  });

  test('changed it in the very moment of the undo: theirs stands', async () => {
    const racing: Files = {
      ...systemFiles,
      async writeAtomic(path, ...more) {
        bench.write('a.txt', 'theirs\n');
        await systemFiles.writeAtomic(path, ...more);
      },
      async readBytes(path, limit) {
        const bytes = await systemFiles.readBytes(path, limit);
        if (path.endsWith('new.txt')) bench.write('new.txt', 'theirs, longer\n');
        return bytes;
      },
    };
    await call('write_file', { path: 'new.txt', content: 'ours\n' });
    reopen(racing);
    expect(await changes.undo('s', ['a.txt', 'new.txt'], undefined)).toMatchObject([
      { refused: 'changed' },
      { refused: 'changed' },
    ]);
    expect([bench.read('a.txt'), bench.read('new.txt')]).toEqual(['theirs\n', 'theirs, longer\n']);
    expect(store.changedFiles('s')).toMatchObject([{ undone: false }, { undone: false }]);
  });
});

describe('what is kept', () => {
  test('is bounded: beyond it the oldest change loses its way back, and says so; the newest keep theirs', async () => {
    begin(systemFiles, 14);
    bench.write('a.txt', 'zero\none\n');
    bench.write('b.txt', 'zero\none\n.');
    await change('a.txt', 'one', 'two');
    await change('b.txt', 'one', 'two');
    await change('a.txt', 'two', 'two\nthree');
    expect(await undo('b.txt')).toMatchObject(undone);
    expect(bench.read('b.txt')).toBe('zero\none\n.');
    expect(await undo('a.txt')).toMatchObject({ refused: 'not_kept' });
    expect(bench.read('a.txt')).toBe('zero\ntwo\nthree\n');
    expect(await changes.view('s', 'a.txt')).toMatchObject({
      file: { added: 2, removed: 1 },
      whole: { kind: 'not_kept' },
      canUndo: false,
    });
  });

  test('goes with its session, and is counted as part of it', async () => {
    bench.write('a.txt', Array.from({ length: 500 }, (_, line) => `line ${String(line)}\n`).join(''));
    const before = store.sizeOfSessions().kept.bytes;
    await change('a.txt', 'line 7\n', '');
    expect(store.keptContentBytes('s')).toBeGreaterThan(500);
    expect(store.sizeOfSessions().kept.bytes - before).toBeGreaterThan(store.keptContentBytes('s'));
    store.hideSession('s', 1);
    store.purgeHidden(2);
    expect([store.keptContentBytes('s'), store.fileSteps('s')]).toEqual([0, []]);
  });
});

/** Everything from `step` on never comes. */
const dyingAt = (step: 'writeAtomic' | 'remove'): Files => ({
  ...systemFiles,
  [step]: () => new Promise(() => undefined),
});

describe('a host that dies', () => {
  test.each([
    ['writeAtomic', 'a.txt', 'two\n'],
    ['remove', 'new.txt', 'ours\n'],
  ] as const)('before %s has changed nothing, and the next undo works', async (step, path, content) => {
    bench.write('a.txt', 'one\n');
    await change('a.txt', 'one', 'two');
    await call('write_file', { path: 'new.txt', content: 'ours\n' });
    reopen(dyingAt(step));
    void undo(path);
    await vi.waitFor(() => expect(store.openFileSteps()).toHaveLength(1), 60_000);
    reopen();
    await changes.recover();
    expect(store.openFileSteps()).toEqual([]);
    expect(bench.read(path)).toBe(content);
    expect(await changes.view('s', path)).toMatchObject({
      standing: 'written',
      canUndo: true,
      canRedo: false,
    });
    expect(await undo(path)).toMatchObject(undone);
    expect(readdirSync(bench.workspace).filter((name) => name.startsWith('.andiron'))).toEqual([]);
  });

  test('after the file was replaced and before that was written down has undone it', async () => {
    bench.write('a.txt', 'one\n');
    await change('a.txt', 'one', 'two');
    reopen({
      ...systemFiles,
      async writeAtomic(...write) {
        await systemFiles.writeAtomic(...write);
        await new Promise(() => undefined);
      },
    });
    void undo('a.txt');
    await vi.waitFor(() => expect(bench.read('a.txt')).toBe('one\n'), 60_000);
    reopen();
    await changes.recover();
    expect(await changes.view('s', 'a.txt')).toMatchObject({ standing: 'undone', canRedo: true });
    expect(await redo('a.txt')).toMatchObject(undone);
    expect(bench.read('a.txt')).toBe('two\n');
  });

  test('leaves a file that somebody changed meanwhile to them', async () => {
    bench.write('a.txt', 'one\n');
    await change('a.txt', 'one', 'two');
    reopen(dyingAt('writeAtomic'));
    void undo('a.txt');
    await vi.waitFor(() => expect(store.openFileSteps()).toHaveLength(1), 60_000);
    bench.write('a.txt', 'theirs\n');
    reopen();
    await changes.recover();
    expect(await undo('a.txt')).toMatchObject({ refused: 'nothing' });
    expect(await changes.view('s', 'a.txt')).toMatchObject({ standing: 'changed', canRedo: false });
  });
});
