/** What the settings ask of the host about the person: memory, allowances, storage, and what this Andiron is. */
import { readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';

let world: World;
afterEach(() => world.close());

const writes = (path: string) => reply().toolCall('write_file', { path, content: 'x' });
const writing = script([
  rule({ user: /a note/, resultCount: 0 }, writes('note.txt')),
  rule({ user: /another/, resultCount: 0 }, writes('other.txt')),
  rule({}, reply().text('Done.')),
]);

/** How often a window was told that the grants changed. */
async function grantsTold({ rpc }: ReturnType<World['openWindow']>): Promise<() => number> {
  let told = 0;
  rpc.onEvent((topic, _seq, event) => {
    if (topic === 'host' && (event as { type: string }).type === 'grants/changed') told += 1;
  });
  await rpc.call('host/subscribe', {});
  return () => told;
}

describe('what was allowed for a session', () => {
  it('is listed, told, there after a restart, and asks again once it is taken back', async () => {
    world = await World.start({ sim: { script: writing } });
    let session = await world.openSession();
    const { sessionId } = session;
    const told = await grantsTold(world.openWindow());
    const first = session.send('Write a note');
    await session.answer('allow', 'session');
    await session.closed(await first);
    const grants = async () => (await session.rpc.call('approval/grants', {})).grants;
    const given = { sessionId, tool: 'write_file', folder: await realpath(world.workspace) };
    expect(await grants()).toEqual([{ ...given, risk: 'write', shown: 'workspace/' }]);
    expect(told()).toBe(1);

    await world.restartHost();
    const window = world.openWindow();
    expect((await window.rpc.call('approval/grants', {})).grants).toHaveLength(1);
    session = await window.follow(sessionId);
    const toldAgain = await grantsTold(world.openWindow());
    await session.rpc.call('approval/revoke', given);
    expect(await grants()).toEqual([]);
    expect(toldAgain()).toBe(1);

    const second = await session.send('Write another note');
    await session.answer('deny');
    await session.closed(second);
    await world.restartHost();
    session = await world.openWindow().follow(sessionId);
    expect(await grants()).toEqual([]);
  });

  it('that was never allowed cannot be taken back', async () => {
    world = await World.start();
    const { rpc, sessionId } = await world.openSession();
    const grant = { sessionId, tool: 'write_file', folder: world.workspace };
    await expect(rpc.call('approval/revoke', grant)).rejects.toMatchObject({
      code: 'not_found',
      advice: 'Nothing more is needed: its next call asks.',
    });
  });
});

const remembering = script([
  rule(
    { user: /Vim/, resultCount: 0 },
    reply().toolCall('memory_save', { category: 'preference', key: 'Editor', value: 'Vim' }),
  ),
  rule({}, reply().text('Noted.')),
]);

describe('memory', () => {
  it('is listed with where it came from, changed, forgotten and had back; every change is told', async () => {
    world = await World.start({ sim: { script: remembering } });
    const session = await world.openSession();
    const { rpc } = world.openWindow();
    let told = 0;
    rpc.onEvent((topic, _seq, event) => {
      if (topic === 'host' && (event as { type: string }).type === 'memory/changed') told += 1;
    });
    await rpc.call('host/subscribe', {});
    await session.ask('I use Vim. Remember that.');

    const { facts } = await rpc.call('memory/list', {});
    expect(facts).toMatchObject([
      {
        category: 'preference',
        key: 'editor',
        value: 'Vim',
        origin: 'saved',
        sessionId: session.sessionId,
        expiresAt: null,
      },
    ]);
    const factId = facts[0]?.id ?? '';
    const { fact } = await rpc.call('memory/update', { factId, value: 'Neovim' });
    expect(fact).toMatchObject({ value: 'Neovim', origin: 'written' });
    await rpc.call('memory/forget', { factId });
    expect((await rpc.call('memory/list', {})).facts).toEqual([]);
    expect((await rpc.call('memory/restore', { factId })).fact).toEqual(fact);
    await rpc.call('memory/set-summary', { text: 'Works in Neovim.' });
    expect((await rpc.call('memory/list', {})).summary).toMatchObject({
      text: 'Works in Neovim.',
      byPerson: true,
    });
    expect(await rpc.call('memory/clear', {})).toEqual({ forgotten: 1 });
    expect(await rpc.call('memory/list', {})).toMatchObject({ facts: [], summary: null });
    await expect.poll(() => told).toBe(6);
  });

  it('refuses a secret in the words of the person', async () => {
    world = await World.start({ sim: { script: remembering } });
    const session = await world.openSession();
    await session.ask('I use Vim. Remember that.');
    const { facts } = await session.rpc.call('memory/list', {});
    const change = { factId: facts[0]?.id ?? '', value: 'my password: hunter2xyz' };
    await expect(session.rpc.call('memory/update', change)).rejects.toMatchObject({ code: 'invalid_params' });
  });
});

describe('storage', () => {
  it('is measured by what lies in the data folder, and what cannot be known is unknown', async () => {
    world = await World.start();
    const { rpc } = await world.openSession();
    const dataDir = join(world.dir, 'data');
    await writeFile(join(dataDir, 'something'), 'x'.repeat(1_000));
    const before = await rpc.call('storage/measure', {});
    expect(before).toMatchObject({ dataDir, sessions: { count: 1 }, deleted: { count: 0, nextAt: null } });
    expect(before.parts.database).toBeGreaterThan(0);
    expect(before.parts.engine).toBe(0);
    expect(before.freeBytes).toBeNull();
    await writeFile(join(dataDir, 'more'), 'x'.repeat(500));
    const after = await rpc.call('storage/measure', {});
    expect((after.parts.other ?? 0) - (before.parts.other ?? 0)).toBe(500);
  });

  it('removes deleted sessions for good with their files, and only those', async () => {
    world = await World.start({ sim: { script: writing } });
    const kept = await world.openSession();
    const gone = await world.openSession();
    const { rpc } = kept;
    const { attachment } = await rpc.call('attachment/add', { name: 'a.txt', data: btoa('secret words') });
    const turn = await rpc.call('turn/start', {
      sessionId: gone.sessionId,
      text: 'Read this',
      attachments: [attachment.id],
    });
    await gone.closed(turn.turnId);
    await rpc.call('session/delete', { sessionId: gone.sessionId });
    const { deleted } = await rpc.call('storage/measure', {});
    expect(deleted.count).toBe(1);
    expect(deleted.nextAt).toBeGreaterThan(Date.now() + 6 * 24 * 3_600_000);
    expect(deleted.bytes).toBeGreaterThan(0);
    expect(await rpc.call('storage/purge', {})).toEqual({ removed: 1 });
    expect(await readdir(join(world.dir, 'data', 'attachments'))).toEqual([]);
    await expect(rpc.call('session/restore', { sessionId: gone.sessionId })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await rpc.call('storage/measure', {})).sessions.count).toBe(1);
  });

  it('is compacted and checked while nothing runs, and refuses while a turn does', async () => {
    world = await World.start({ sim: { script: writing } });
    const session = await world.openSession();
    const { rpc } = session;
    expect(await rpc.call('storage/check', {})).toEqual({ problems: [] });
    expect((await rpc.call('storage/compact', {})).freedBytes).toBeGreaterThanOrEqual(0);
    const turnId = await session.send('Write a note');
    await session.until((state) => state.session.status === 'asking');
    await expect(rpc.call('storage/compact', {})).rejects.toMatchObject({ code: 'busy' });
    await expect(rpc.call('storage/check', {})).rejects.toMatchObject({ code: 'busy' });
    await session.answer('allow');
    await session.closed(turnId);
    expect(await readFile(join(world.workspace, 'note.txt'), 'utf8')).toBe('x');
    expect(await rpc.call('storage/check', {})).toEqual({ problems: [] });
  });
});

it('says what it is and where its logs are; a version that nobody told is unknown', async () => {
  world = await World.start();
  const about = await world.openWindow().rpc.call('host/about', {});
  const dataDir = join(world.dir, 'data');
  expect(about).toMatchObject({ version: null, dataDir, logsDir: join(dataDir, 'logs'), homeDir: null });
  expect(about.runtimes).toMatchObject({ node: process.versions.node, electron: null, chromium: null });
  expect(about.runtimes.sqlite).toMatch(/^3\.\d+/);
});
