/** What commands did to the folder, as windows see it: told with the turn, and taken back with it. */
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Approval } from '../../src/protocol/model.ts';
import type { Sandbox } from '../../src/platform/sandbox/sandbox.ts';
import { reply, type Script } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';
import { refusingSandbox } from '../helpers/refusing-sandbox.ts';

let world: World;
afterEach(() => world.close());

/** Runs what the message says. */
const runsIt: Script = ({ lastUser, results }) => {
  const command = /run: (.*)/s.exec(lastUser)?.[1];
  if (command === undefined || results.length > 0) return reply().text('Done.');
  return reply().toolCall('run_command', { command });
};

async function open(sandbox?: Sandbox): Promise<SessionView> {
  const files = { 'a.txt': 'one\n', 'docs/b.txt': 'two\n', '.gitignore': 'build/\n', 'build/out': 'out\n' };
  world = await World.start({ files, sim: { script: runsIt }, ...(sandbox && { sandbox }) });
  return world.openSession();
}

const inside = (path: string): string => join(world.workspace, path);
const approvals = (session: SessionView): Approval[] =>
  session.events.flatMap(({ event }) => (event.type === 'approval/requested' ? [event.approval] : []));
const changesOf = (session: SessionView) => {
  const display = session.items('tool').at(-1)?.display;
  return display?.kind === 'command' ? display.changes : undefined;
};

async function run(session: SessionView, command: string): Promise<string> {
  const before = approvals(session).length;
  const turnId = await session.send(`run: ${command}`);
  await session.until(() => approvals(session).length > before);
  await session.answer('allow');
  await session.closed(turnId);
  return turnId;
}

it('What a command did is told before and after it, and goes back and forth with its turn, after a restart too', async () => {
  let session = await open();
  const { sessionId } = session;
  const turnId = await run(session, 'echo more >> a.txt; rm -r docs; echo x > new.txt; echo y > build/out');
  expect(approvals(session)[0]?.undo).toEqual({
    kind: 'covered',
    files: 3,
    notKept: 0,
    uncovered: ['build'],
    moreUncovered: 0,
  });
  expect(changesOf(session)).toMatchObject({ total: 4, uncovered: [{ path: 'build', changed: 1 }] });
  const files = session.state.files?.map(({ path, isGone, turns }) => [path, isGone, turns]);
  expect(files).toEqual([
    ['a.txt', false, [turnId]],
    ['docs', true, [turnId]],
    ['docs/b.txt', true, [turnId]],
    ['new.txt', false, [turnId]],
  ]);
  await world.restartHost();
  session = await world.openWindow().follow(sessionId);
  const undone = await session.rpc.call('file/undo', { sessionId, turnId });
  expect(undone.outcomes.filter(({ refused }) => refused !== null)).toEqual([]);
  expect([
    readFileSync(inside('a.txt'), 'utf8'),
    existsSync(inside('docs/b.txt')),
    existsSync(inside('new.txt')),
  ]).toEqual(['one\n', true, false]);
  await session.rpc.call('file/redo', { sessionId, turnId });
  expect([existsSync(inside('docs')), existsSync(inside('new.txt'))]).toEqual([false, true]);
});

it('What a stopped command had done by then is told and goes back', async () => {
  const session = await open();
  const { sessionId } = session;
  const turnId = await session.send('run: echo x > new.txt; rm a.txt; sleep 60');
  await session.until(() => approvals(session).length === 1);
  await session.answer('allow');
  await expect.poll(() => existsSync(inside('a.txt'))).toBe(false);
  await session.rpc.call('turn/stop', { sessionId });
  await session.closed(turnId);
  expect(changesOf(session)?.files.map(({ path, what }) => `${what} ${path}`)).toEqual([
    'removed a.txt',
    'new new.txt',
  ]);
  await session.rpc.call('file/undo', { sessionId, turnId });
  expect([existsSync(inside('a.txt')), existsSync(inside('new.txt'))]).toEqual([true, false]);
});

it('A command that ran in its sandbox and then outside has changed what either did', async () => {
  const script = 'echo kept >kept; echo "touch: Read-only file system" >&2; exit 1';
  const session = await open(refusingSandbox(script));
  const turnId = await session.send('run: echo free >free');
  for (const count of [1, 2]) {
    await session.until(() => approvals(session).length === count);
    await session.answer('allow');
  }
  await session.closed(turnId);
  expect(approvals(session).map(({ undo }) => undo?.kind)).toEqual(['covered', 'covered']);
  expect(changesOf(session)?.files.map(({ path }) => path)).toEqual(['kept', 'free']);
});

it('Where the way back cannot be kept though it was promised, nothing is run', async () => {
  const session = await open();
  const turnId = await session.send('run: echo x > new.txt');
  await session.until(() => approvals(session).length === 1);
  // A file where its folder should be: the disk refuses.
  writeFileSync(join(world.dir, 'data', 'undo', 'points'), '');
  await session.answer('allow');
  await session.closed(turnId);
  expect(session.items('tool').at(-1)).toMatchObject({ state: 'failed' });
  expect(session.items('tool').at(-1)?.result).toContain('could not be kept for undo, so nothing was run');
  expect(existsSync(inside('new.txt'))).toBe(false);
});

it('A folder that undo no longer covers once a card has promised it has nothing run in it', async () => {
  const session = await open();
  const turnId = await session.send('run: echo x > new.txt');
  await session.until(() => approvals(session).length === 1);
  expect(approvals(session)[0]?.undo).toMatchObject({ kind: 'covered', notKept: 0 });
  // More than undo keeps of one file.
  writeFileSync(inside('film.raw'), '');
  truncateSync(inside('film.raw'), 17 * 1024 * 1024);
  await session.answer('allow');
  await session.closed(turnId);
  expect(session.items('tool').at(-1)).toMatchObject({ state: 'failed' });
  expect(session.items('tool').at(-1)?.result).toContain(
    'no longer does, so nothing was run: a file in it cannot be kept.',
  );
  expect(existsSync(inside('new.txt'))).toBe(false);
});
