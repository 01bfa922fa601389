/** What one session may do without asking: chosen for it alone, and only what can be kept in and taken back. */
import { existsSync } from 'node:fs';
import { mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Approval, ApprovalMode } from '../../src/protocol/model.ts';
import type { Sandbox } from '../../src/platform/sandbox/sandbox.ts';
import { reply, type Script } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';
import { refusingSandbox } from '../helpers/refusing-sandbox.ts';

let world: World;
afterEach(() => world.close());

/** Does what the message says: `run: …` or `write: …`. */
const does: Script = ({ lastUser, results }) => {
  const [, what, words = ''] = /(run|write): (.*)/.exec(lastUser) ?? [];
  if (what === undefined || results.length > 0) return reply().text('Done.');
  return what === 'run'
    ? reply().toolCall('run_command', { command: words })
    : reply().toolCall('write_file', { path: words, content: 'new' });
};

/** Keeps nothing in, and says that it does. */
const trusting: Sandbox = {
  status: { kind: 'bwrap', version: '0.8.0', hasProxy: false },
  hidden: [],
  keep: async (start) => start,
};

async function open(sandbox?: Sandbox): Promise<SessionView> {
  world = await World.start({
    files: { 'a.txt': 'one\n' },
    sim: { script: does },
    ...(sandbox && { sandbox }),
  });
  return world.openSession();
}

const inside = (path: string): string => join(world.workspace, path);
/** More than undo keeps of one file. */
async function writeLarge(path: string): Promise<void> {
  await writeFile(inside(path), '');
  await truncate(inside(path), 17 * 1024 * 1024);
}

const questions = (session: SessionView): Approval[] =>
  session.events.flatMap(({ event }) => (event.type === 'approval/requested' ? [event.approval] : []));
const choose = ({ rpc, sessionId }: SessionView, approvals: ApprovalMode | null) =>
  rpc.call('session/update', { sessionId, approvals });

/** What it asks; the answer is no. */
async function asked(session: SessionView, message: string): Promise<Approval[]> {
  const before = questions(session).length;
  const turnId = await session.send(message);
  await session.until(
    () => questions(session).length > before || session.turn(turnId)?.status === 'finished',
  );
  if (questions(session).length > before) await session.answer('deny');
  await session.closed(turnId);
  return questions(session).slice(before);
}

it('Working alone it edits and runs what the sandbox keeps in, tells it, and all of it goes back', async () => {
  const session = await open(trusting);
  await choose(session, 'autonomous');
  expect(await asked(session, 'run: rm a.txt; echo x > made.txt')).toEqual([]);
  expect(await asked(session, 'write: new.txt')).toEqual([]);
  expect([
    existsSync(inside('a.txt')),
    existsSync(inside('made.txt')),
    existsSync(inside('new.txt')),
  ]).toEqual([false, true, true]);
  await session.rpc.call('file/undo', { sessionId: session.sessionId });
  expect([
    existsSync(inside('a.txt')),
    existsSync(inside('made.txt')),
    existsSync(inside('new.txt')),
  ]).toEqual([true, false, false]);
});

it('Working alone it asks for protected files, and for all that the sandbox refused', async () => {
  const session = await open(refusingSandbox('echo "touch: Read-only file system" >&2; exit 1'));
  await choose(session, 'autonomous');
  expect(await asked(session, 'write: package.json')).toHaveLength(1);
  expect(await asked(session, 'run: touch /etc/x')).toMatchObject([{ sandboxed: false }]);
});

it('It is one session’s alone, is kept over a restart, and ends with the folder that it was said of', async () => {
  let session = await open(trusting);
  await choose(session, 'autonomous');
  expect(await asked(await world.openSession(), 'run: true')).toHaveLength(1);
  await world.restartHost();
  session = await world.openWindow().follow(session.sessionId);
  expect(await asked(session, 'run: true')).toEqual([]);
  const moved = await world.openSession();
  await choose(moved, 'autonomous');
  await mkdir(join(world.dir, 'other'));
  await moved.rpc.call('session/update', { sessionId: moved.sessionId, workspace: join(world.dir, 'other') });
  expect(await asked(moved, 'run: true')).toHaveLength(1);
});

it('Without a sandbox nothing works alone, and why is said', async () => {
  const session = await open();
  await expect(choose(session, 'autonomous')).rejects.toMatchObject({
    code: 'invalid_params',
    message: 'A session can only work alone in a sandbox.',
  });
});

it('A sandbox that is gone by the next start has a session that worked alone ask again', async () => {
  const session = await open(trusting);
  await choose(session, 'autonomous');
  await world.restartHost({
    sandbox: { ...trusting, status: { kind: 'none', problem: 'missing', detail: '' } },
  });
  const again = await world.openWindow().follow(session.sessionId);
  expect(await asked(again, 'run: true')).toMatchObject([{ sandboxed: false }]);
});

it('A folder that undo cannot cover any more has its commands ask, with the reason', async () => {
  const session = await open(trusting);
  await choose(session, 'autonomous');
  // A file in the place of the folder where contents are kept: nothing can be kept.
  const contents = join(world.dir, 'data', 'undo', 'contents');
  await rm(contents, { recursive: true, force: true });
  await writeFile(contents, '');
  await writeFile(inside('b.txt'), 'new here');
  const [question] = await asked(session, 'run: true');
  expect(question?.why).toContain('Undo cannot cover this folder now');
  expect(question?.isUsual).toBeUndefined();
  expect(question?.undo).toEqual({ kind: 'none', problem: 'unreadable' });
});

it('A file too large for undo has the commands of a session that works alone ask, with the reason', async () => {
  const session = await open(trusting);
  await choose(session, 'autonomous');
  await writeLarge('photo.raw');
  const [question] = await asked(session, 'run: rm photo.raw');
  expect(question?.why).toContain('Undo cannot keep a file of this folder, so the command asks.');
  expect(question?.undo).toMatchObject({ kind: 'covered', notKept: 1 });
  await writeLarge('film.raw');
  const [next] = await asked(session, 'run: rm film.raw');
  expect(next?.why).toContain('Undo cannot keep 2 files of this folder');
});

it('Nothing works alone in a folder with a file too large for undo, and why is said', async () => {
  const session = await open(trusting);
  await writeLarge('photo.raw');
  await expect(choose(session, 'autonomous')).rejects.toMatchObject({
    code: 'invalid_params',
    message: 'Undo cannot keep every file of this folder, so nothing works alone in it.',
  });
});

it.each([
  ['ask', 'read', 1],
  ['auto_read', 'write', 1],
  ['accept_edits', 'write', 0],
] as const)(
  'A session that is set to %s has its own questions, whatever its profile asks: %s %i',
  async (mode, what, count) => {
    const session = await open();
    await session.rpc.call('profile/update', {
      profileId: 'developer',
      changes: { approvals: mode === 'ask' ? 'accept_edits' : 'ask' },
    });
    const own = await world.openSession();
    await choose(own, mode);
    expect(await asked(own, 'write: b.txt')).toHaveLength(what === 'read' ? 1 : count);
    await choose(own, null);
    expect(await asked(own, 'write: c.txt')).toHaveLength(mode === 'ask' ? 0 : 1);
  },
);

it('An import and a fork of a session that works alone ask as their profile does', async () => {
  const session = await open(trusting);
  const { rpc, sessionId } = session;
  await asked(session, 'run: true');
  await choose(session, 'autonomous');
  const { session: fork } = await rpc.call('session/fork', { sessionId });
  expect(fork.approvals ?? null).toBeNull();
  const { snapshot } = await rpc.call('session/export', { sessionId });
  const { session: imported } = await rpc.call('session/import', { snapshot });
  expect(imported.approvals ?? null).toBeNull();
});
