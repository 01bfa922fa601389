/** Forks, files and what comes back from them: everything that was said, in a history that any model accepts. */
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sessionSnapshotSchema } from '../../src/protocol/model.ts';
import type { SessionView, World } from '../helpers/host-world.ts';
import { endedTurnProblems } from '../helpers/session-checks.ts';
import {
  assertValidLogs,
  numbersRead,
  speakingWorld,
  storedLog,
  storedLogs,
} from '../helpers/session-world.ts';
import { lasting } from '../helpers/told-session.ts';

let world: World;
let session: SessionView;
let sessionId: string;
beforeEach(async () => {
  world = await speakingWorld();
  session = await world.openSession();
  sessionId = session.sessionId;
});
afterEach(async () => {
  assertValidLogs(world);
  await world.close();
});

const chats = () => world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat');
const ids = (view: SessionView): string[] => [...view.state.turns, ...view.state.items].map(({ id }) => id);
const texts = (view: SessionView): string[] => view.items('user').map(({ text }) => text);

async function say(...messages: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const text of messages) ids.push((await session.ask(text)).id);
  return ids;
}

async function fork(turnId?: string): Promise<SessionView> {
  const made = await session.rpc.call('session/fork', { sessionId, ...(turnId !== undefined && { turnId }) });
  const view = await world.openWindow().follow(made.session.id);
  expect(sessionSnapshotSchema.safeParse(view.state).success).toBe(true);
  expect(endedTurnProblems(view.state)).toEqual([]);
  return view;
}

describe('session/fork', () => {
  it('has everything up to that turn under new ids, and the source goes on untouched', async () => {
    const [, second] = await say('#1', 'read #2', '#3');
    const before = { log: storedLog(world, sessionId), state: session.state };
    const copy = await fork(second);
    expect(texts(copy)).toEqual(['#1', 'read #2']);
    expect(copy.state.session.title).toBe('#1 (2)');
    expect(storedLog(world, copy.sessionId)).toEqual(before.log.slice(0, -2));
    expect(ids(copy).filter((id) => ids(session).includes(id))).toEqual([]);
    await copy.ask('#4');
    expect(numbersRead(storedLog(world, copy.sessionId))).toEqual(['1', '2', '4']);
    expect(storedLog(world, sessionId)).toEqual(before.log);
    expect(lasting(session.state)).toEqual(lasting(before.state));
  });

  it('sends the same bytes, so that the engine keeps what it has read', async () => {
    await say('#1', 'read #2');
    const copy = await fork();
    await copy.ask('#3');
    const sent = z.object({ messages: z.array(z.unknown()), tools: z.unknown() });
    const [before, after] = chats()
      .slice(-2)
      .map(({ body }) => sent.parse(body));
    expect(after?.messages.slice(0, before?.messages.length)).toEqual(before?.messages);
    expect(JSON.stringify(after?.tools)).toBe(JSON.stringify(before?.tools));
    expect(copy.state.turns.at(-1)?.usage[0]?.cachedTokens).toBeGreaterThan(0);
  });

  it('a running session is copied as it is now, cut, and both go on', async () => {
    await say('#1');
    const running = await session.send('hang');
    await session.until(() => session.items('text').some(({ turnId }) => turnId === running));
    const queued = await session.send('#5');
    const copy = await fork();
    expect(copy.state.turns.map(({ text, status }) => `${text} ${status}`)).toEqual([
      '#1 finished',
      'hang interrupted',
    ]);
    expect(copy.items('error').at(-1)).toMatchObject({
      code: 'interrupted',
      advice: expect.stringMatching(/./),
    });
    expect(session.turn(running)?.status).toBe('running');
    await session.rpc.call('turn/stop', { sessionId, turnId: running });
    await session.rpc.call('turn/resume', { sessionId });
    expect((await session.closed(queued)).status).toBe('finished');
    expect((await copy.ask('#6')).status).toBe('finished');
    expect(numbersRead(storedLog(world, copy.sessionId))).toEqual(['1', '6']);
  });

  it('an earlier version can be forked, and is the one in force in its copy', async () => {
    const [, second = ''] = await say('#1', '#2');
    const { turnId } = await session.rpc.call('turn/edit', { sessionId, turnId: second, text: '#3' });
    await session.closed(turnId);
    const copy = await fork(second);
    expect(numbersRead(storedLog(world, copy.sessionId))).toEqual(['1', '2']);
    expect(copy.state.turns.map(({ replaced }) => replaced ?? false)).toEqual([false, false]);
    const newest = await fork();
    expect(newest.state.turns.map(({ replaced }) => replaced ?? false)).toEqual([false, true, false]);
    expect(numbersRead(storedLog(world, newest.sessionId))).toEqual(['1', '3']);
  });

  it('a copy can go on in another folder, of which its model is told; the session keeps its own', async () => {
    await say('#1');
    const before = storedLog(world, sessionId);
    const workspace = await realpath(await mkdtemp(join(tmpdir(), 'andiron-elsewhere-')));
    const made = await session.rpc.call('session/fork', { sessionId, workspace });
    expect(made.session).toMatchObject({ workspace, title: '#1 (2)' });
    const [first] = storedLog(world, made.session.id);
    expect(JSON.stringify(first)).toContain(JSON.stringify(workspace).slice(1, -1));
    expect(JSON.stringify(first)).not.toContain(session.state.session.workspace);
    expect(storedLog(world, sessionId)).toEqual(before);
    const copy = await world.openWindow().follow(made.session.id);
    expect((await copy.ask('#2')).status).toBe('finished');
    await rm(workspace, { recursive: true });
  });

  it('a copy is not made for a folder that is not there', async () => {
    await say('#1');
    await expect(
      session.rpc.call('session/fork', { sessionId, workspace: join(tmpdir(), 'andiron-no-such-folder') }),
    ).rejects.toMatchObject({ code: 'workspace_invalid' });
    const { sessions } = await session.rpc.call('host/subscribe', {});
    expect(sessions.map(({ id }) => id)).toEqual([sessionId]);
  });

  it('a summary in a copy cannot be undone there, and is there', async () => {
    await say('#1', '#2');
    const { turnId } = await session.rpc.call('session/compact', { sessionId });
    await session.closed(turnId);
    const copied = await session.rpc.call('session/fork', { sessionId, turnId });
    const copy = await world.openWindow().follow(copied.session.id);
    const itemId = copy.items('summary')[0]?.id ?? '';
    expect(storedLog(world, copy.sessionId)).toEqual(storedLog(world, sessionId));
    await expect(
      copy.rpc.call('session/undo-compaction', { sessionId: copy.sessionId, itemId }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('an earlier version in a copy is refused: what the model had read of it is not there', async () => {
    const [first = ''] = await say('#1', '#2');
    const { turnId } = await session.rpc.call('turn/edit', { sessionId, turnId: first, text: '#3' });
    await session.closed(turnId);
    const copy = await fork();
    const [earlier] = copy.state.turns;
    await expect(
      copy.rpc.call('session/fork', { sessionId: copy.sessionId, turnId: earlier?.id ?? '' }),
    ).rejects.toMatchObject({ code: 'not_found', advice: expect.stringContaining('copied from') });
  });

  it('what does not exist or has not begun is told', async () => {
    await expect(session.rpc.call('session/fork', { sessionId: 'ses_none' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(session.rpc.call('session/fork', { sessionId, turnId: 'none' })).rejects.toMatchObject({
      code: 'not_found',
      advice: expect.stringContaining('another turn'),
    });
  });
});

const exported = async () => (await session.rpc.call('session/export', { sessionId })).snapshot;
const imported = (snapshot: unknown) => session.rpc.call('session/import', { snapshot });

describe('session/export and session/import (L2)', () => {
  it('An exported session holds the token use of every request (L2, audit-A14)', async () => {
    await say('#1', 'read #2');
    const { turns } = z
      .object({ turns: z.array(z.object({ usage: z.array(z.unknown()) })) })
      .parse(await exported());
    expect(turns.map(({ usage }) => usage)).toEqual(session.state.turns.map(({ usage }) => usage));
    expect(turns.map(({ usage }) => usage.length)).toEqual([1, 2]);
  });

  it('what was exported comes back, as text too, and goes on', async () => {
    await say('#1', 'read #2', 'refuse #3');
    await session.rpc.call('session/update', { sessionId, title: 'Notes' });
    const text = JSON.stringify(await exported(), null, 2);
    const { session: made, notices } = await imported(text);
    expect(notices).toEqual([]);
    expect(made).toMatchObject({ title: 'Notes', importedFrom: world.workspace, pinned: false });
    const view = await world.openWindow().follow(made.id);
    expect(texts(view)).toEqual(texts(session));
    // The folder that the first message names is another one, and so is the length of what begins it.
    const moved = made.workspace.length - world.workspace.length;
    const own = JSON.stringify(storedLog(world, made.id))
      .replaceAll(made.workspace, world.workspace)
      .replace(/"opening":(\d+)/, (_, length) => `"opening":${String(Number(length) - moved)}`);
    expect(JSON.parse(own)).toEqual(storedLog(world, sessionId));
    await view.ask('#4');
    expect(numbersRead(storedLog(world, made.id))).toEqual(['1', '2', '3', '4']);
    // Importing it where its ids exist makes a session of its own.
    expect((await imported(text)).session.id).not.toBe(made.id);
  });

  it('an import works in an empty folder, and person and model are told which the export named (audit-S9)', async () => {
    await say('#1');
    for (const named of ['/etc', '/', '/root', world.dir]) {
      const text = JSON.stringify(await exported()).replaceAll(`"${world.workspace}"`, JSON.stringify(named));
      const { session: made } = await imported(text);
      expect(made.importedFrom).toBe(named);
      expect(made.workspace.startsWith(join(await realpath(world.dir), 'data', 'imported'))).toBe(true);
      expect(await readdir(made.workspace)).toEqual([]);
      const log = JSON.stringify(storedLog(world, made.id));
      expect(log).toContain(made.workspace);
      const view = await world.openWindow().follow(made.id);
      await view.ask('read #2');
      expect(view.items('tool').at(-1)?.result).toMatch(
        /There is no notes\.txt[^]*was imported and works in an empty folder[^]*ask them to choose/,
      );
    }
  });

  it('an import goes on in the folder that the person confirms, and its model is told (audit-S9)', async () => {
    await say('#1');
    const { session: made } = await imported(await exported());
    const view = await world.openWindow().follow(made.id);
    await view.ask('read #2');
    await world.restartHost();
    const window = world.openWindow();
    await expect(
      window.rpc.call('session/update', { sessionId: made.id, workspace: join(world.dir, 'gone') }),
    ).rejects.toMatchObject({ code: 'workspace_invalid' });
    const change = { sessionId: made.id, workspace: world.workspace };
    const { session: moved } = await window.rpc.call('session/update', change);
    expect(moved).toMatchObject({ workspace: world.workspace, importedFrom: null });
    expect(JSON.stringify(storedLog(world, made.id))).not.toContain(`Workspace folder: ${made.workspace}`);
    const again = await window.follow(made.id);
    await again.ask('read #3');
    expect(again.items('tool').at(-1)).toMatchObject({
      state: 'done',
      result: expect.not.stringContaining('imported'),
    });
    await expect(
      window.rpc.call('session/update', { ...change, workspace: world.dir }),
    ).rejects.toMatchObject({
      code: 'workspace_invalid',
    });
  });

  it('a copy of an import keeps its empty folder until one is chosen, and a fork elsewhere has one (audit-S9)', async () => {
    await say('#1');
    const { session: made } = await imported(await exported());
    const { session: copy } = await session.rpc.call('session/fork', { sessionId: made.id });
    expect(copy).toMatchObject({ workspace: made.workspace, importedFrom: world.workspace });
    const { workspace } = world;
    const { session: placed } = await session.rpc.call('session/fork', { sessionId: made.id, workspace });
    expect(placed).toMatchObject({ workspace });
    expect(placed.importedFrom).toBeUndefined();
  });

  it('the empty folder of an import goes when its session is gone for good (audit-S9)', async () => {
    await say('#1');
    const [kept, gone] = [await imported(await exported()), await imported(await exported())];
    await session.rpc.call('session/delete', { sessionId: gone.session.id });
    await world.restartHost();
    const { rpc } = world.openWindow();
    expect(await readdir(gone.session.workspace)).toEqual([]);
    await rpc.call('storage/purge', {});
    await world.restartHost();
    await expect(readdir(gone.session.workspace)).rejects.toThrow('ENOENT');
    expect(await readdir(kept.session.workspace)).toEqual([]);
  });

  it('a folder that is only told from wherever this process runs is none', async () => {
    await say('#1');
    const text = JSON.stringify(await exported()).replaceAll(`"${world.workspace}"`, '"../.."');
    const { session: made } = await imported(text);
    const confirm = { sessionId: made.id, workspace: made.importedFrom ?? '' };
    await expect(session.rpc.call('session/update', confirm)).rejects.toMatchObject({
      message: expect.stringContaining('../.. is not an absolute path.'),
    });
    await expect(session.rpc.call('session/create', { workspace: '.' })).rejects.toMatchObject({
      code: 'workspace_invalid',
    });
  });

  it('an unpaired history is repaired, and said so (X12 a)', async () => {
    await say('read #1', '#2');
    const snapshot = z
      .looseObject({ context: z.array(z.looseObject({ message: z.looseObject({ role: z.string() }) })) })
      .parse(await exported());
    const context = snapshot.context.filter(({ message }) => message.role !== 'tool');
    const { session: made, notices } = await imported({ ...snapshot, context: context.slice(0, -1) });
    expect(notices).toHaveLength(2);
    expect(notices[0]).toMatch(/^Repaired: 1 × calls without a result/);
    const view = await world.openWindow().follow(made.id);
    expect((await view.ask('#3')).status).toBe('finished');
  });

  it('what is no session changes nothing', async () => {
    await say('#1');
    const before = storedLogs(world);
    const whole = JSON.stringify(await exported());
    for (const snapshot of [null, {}, whole.slice(0, -9), whole.replace('"version":1', '"version":9')])
      await expect(imported(snapshot)).rejects.toMatchObject({
        code: 'snapshot_invalid',
        message: expect.stringContaining('Nothing was imported'),
        advice: expect.stringMatching(/./),
      });
    expect(storedLogs(world)).toEqual(before);
    const { sessions } = await session.rpc.call('host/subscribe', {});
    expect(sessions).toHaveLength(1);
  });

  it('as Markdown it can be read by anybody', async () => {
    await say('read #1', '#2');
    const { markdown } = await session.rpc.call('session/export-markdown', { sessionId });
    expect(markdown).toMatch(/^# read #1\n/);
    expect(markdown).toContain('## You\n\n#2\n');
    expect(markdown).toContain('- `read_file` `notes.txt`: done');
    expect(markdown).toContain('## Andiron\n\nThis is what I found out');
  });
});
