/** Files that the agent changed, and the way back: through the whole house, over crashes and disks that fail. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { AndironError } from '../../src/protocol/errors.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';
import { MortalHouse } from '../helpers/mortal-house.ts';

const working = script([
  rule({ user: /\bhang\b/ }, reply().text('One moment').hang()),
  rule({ user: /\bwork\b/, resultCount: 0 }, reply().toolCall('read_file', { path: 'a.txt' })),
  rule(
    { user: /\bwork\b/, resultCount: 1 },
    reply()
      .toolCall('edit_file', { path: 'a.txt', old_text: 'one', new_text: 'two' })
      .toolCall('write_file', { path: 'new.txt', content: 'new\n' }),
  ),
  rule({}, reply().text('Done.')),
]);

let house: { close(): Promise<void> } | undefined;
afterEach(async () => {
  await house?.close();
  house = undefined;
});

async function worked(session: SessionView): Promise<string> {
  const turnId = await session.send('work');
  await session.answer('allow', 'session');
  await session.answer('allow', 'session');
  expect((await session.closed(turnId)).status).toBe('finished');
  return turnId;
}

const paths = ['a.txt', 'new.txt'];

const asFile = { isGone: false, kind: 'file' };

test('the changes of a turn are told, taken back and brought back, also after a restart', async () => {
  const world = await World.start({ files: { 'a.txt': 'one\n' }, sim: { script: working } });
  house = world;
  const inside = (path: string): string => join(world.workspace, path);
  let session = await world.openSession();
  const { sessionId } = session;
  const turnId = await worked(session);
  const files = [
    { path: 'a.txt', added: 1, removed: 1, created: false, ...asFile, turns: [turnId], undone: false },
    { path: 'new.txt', added: 1, removed: 0, created: true, ...asFile, turns: [turnId], undone: false },
  ];
  expect(session.state.files).toEqual(files);

  await world.restartHost();
  session = await world.openWindow().follow(sessionId);
  expect(session.state.files).toEqual(files);
  const { outcomes } = await session.rpc.call('file/undo', { sessionId, paths, turnId });
  expect(outcomes.map(({ refused }) => refused)).toEqual([null, null]);
  expect([readFileSync(inside('a.txt'), 'utf8'), existsSync(inside('new.txt'))]).toEqual(['one\n', false]);
  await session.until(({ files: now }) => now?.every(({ undone }) => undone) ?? false);

  await session.rpc.call('file/redo', { sessionId, paths });
  expect([readFileSync(inside('a.txt'), 'utf8'), readFileSync(inside('new.txt'), 'utf8')]).toEqual([
    'two\n',
    'new\n',
  ]);
  expect(session.state.files).toEqual(files);
});

test('nothing is taken back while a turn runs, and nothing outside is ever written', async () => {
  const world = await World.start({ files: { 'a.txt': 'one\n' }, sim: { script: working } });
  house = world;
  const session = await world.openSession();
  const { sessionId } = session;
  await worked(session);
  const turnId = await session.send('hang');
  await session.until(() => session.turn(turnId)?.status === 'running');
  await expect(session.rpc.call('file/undo', { sessionId, paths })).rejects.toMatchObject({ code: 'busy' });
  await session.rpc.call('turn/stop', { sessionId });
  await session.closed(turnId);
  const { outcomes } = await session.rpc.call('file/undo', { sessionId, paths: ['../a.txt', '/etc/hosts'] });
  expect(outcomes.map(({ refused }) => refused)).toEqual(['unrecorded', 'unrecorded']);
  await expect(session.rpc.call('file/view', { sessionId, path: '/etc/hosts' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a host that dies at any write of an undo leaves each file before or after it, and can go on', async () => {
  const mortal = await MortalHouse.start({ files: { 'a.txt': 'one\n' }, sim: { script: working } });
  house = mortal;
  const inside = (path: string): string => join(mortal.workspace, path);
  const { rpc } = mortal.openWindow();
  const { session } = await rpc.call('session/create', { workspace: mortal.workspace });
  const sessionId = session.id;
  let view = await mortal.openWindow().follow(sessionId);
  await worked(view);
  const states = { before: ['one\n', false], after: ['two\n', true] };
  const disk = (): unknown[] => [readFileSync(inside('a.txt'), 'utf8'), existsSync(inside('new.txt'))];
  let deaths = 0;
  for (let writes = 0; ; writes += 1) {
    mortal.doom(writes);
    const answer = await view.rpc.call('file/undo', { sessionId, paths }).catch(() => null);
    if (mortal.alive && answer !== null) break;
    deaths += 1;
    await mortal.birth();
    view = await mortal.openWindow().follow(sessionId);
    // What the record says of each file is what stands there, whatever the moment was.
    for (const [at, path] of paths.entries()) {
      const { standing, canUndo, canRedo } = await view.rpc.call('file/view', { sessionId, path });
      const isUndone = disk()[at] === states.before[at];
      expect([standing, canUndo, canRedo]).toEqual(
        isUndone ? ['undone', false, true] : ['written', true, false],
      );
    }
    // Forward again, for the next death.
    await view.rpc.call('file/redo', { sessionId, paths });
    expect(disk()).toEqual(states.after);
  }
  expect(deaths).toBeGreaterThan(3);
  expect(disk()).toEqual(states.before);
});

test('a full disk stops a change before the file is touched, and an undo likewise', async () => {
  const failing: { file?: Error | undefined; write?: AndironError | undefined } = {};
  const mortal = await MortalHouse.start({
    files: { 'a.txt': 'one\n' },
    sim: { script: working },
    faults: {
      file: (what) => {
        if (failing.file && what === 'writeAtomic') throw failing.file;
      },
      write: (what) => {
        if (failing.write && what === 'COMMIT') throw failing.write;
      },
    },
  });
  house = mortal;
  const { rpc } = mortal.openWindow();
  const { session } = await rpc.call('session/create', { workspace: mortal.workspace });
  const sessionId = session.id;
  const view = await mortal.openWindow().follow(sessionId);
  await worked(view);
  const file = join(mortal.workspace, 'a.txt');
  failing.file = new Error('ENOSPC: no space left on device');
  const refused = { path: 'a.txt', refused: 'failed', detail: 'ENOSPC: no space left on device' };
  const undo = () => view.rpc.call('file/undo', { sessionId, paths: ['a.txt'] });
  expect(await undo()).toEqual({ outcomes: [refused] });
  failing.file = undefined;
  failing.write = new AndironError('storage', 'The disk is full.', 'Free some space.');
  await expect(undo()).rejects.toMatchObject({ code: 'storage' });
  expect(readFileSync(file, 'utf8')).toBe('two\n');
  failing.write = undefined;
  writeFileSync(file, 'theirs\n');
  expect((await undo()).outcomes).toMatchObject([{ refused: 'changed' }]);
  writeFileSync(file, 'two\n');
  expect((await undo()).outcomes).toMatchObject([{ refused: null }]);
  expect(readFileSync(file, 'utf8')).toBe('one\n');
});
