/** The way back from an earlier turn, asked for while another one runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AndironError } from '../../src/protocol/errors.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';

const working = script([
  rule({ user: /\bhang\b/ }, reply().text('One moment').hang()),
  rule({ user: /\bread\b/, resultCount: 0 }, reply().toolCall('read_file', { path: 'a.txt' })),
  rule({ user: /\brun\b/, resultCount: 0 }, reply().toolCall('run_command', { command: 'true' })),
  rule(
    { user: /\bwork\b/, resultCount: 0 },
    reply().toolCall('write_file', { path: 'a.txt', content: 'two\n' }),
  ),
  rule({}, reply().text('Done.')),
]);

let world: World;
let session: SessionView;
let earlier: string;
beforeEach(async () => {
  world = await World.start({ sim: { script: working } });
  session = await world.openSession();
  earlier = await session.send('work');
  await session.answer('allow');
  await session.closed(earlier);
});
afterEach(() => world.close());

const content = (): string | null => {
  try {
    return readFileSync(join(world.workspace, 'a.txt'), 'utf8');
  } catch {
    return null;
  }
};

/** A turn that runs for as long as nobody answers its question. */
async function running(): Promise<string> {
  const turnId = await session.send('run');
  await session.until(({ items }) =>
    items.some((item) => item.kind === 'tool' && item.state === 'awaiting_approval'),
  );
  return turnId;
}

const undoLater = (signal?: AbortSignal) =>
  session.rpc.call('file/undo', { sessionId: session.sessionId, turnId: earlier, wait: true }, signal);

test('an undo that waits comes after the running turn and before the queued one (audit-U14)', async () => {
  const runs = await running();
  const undo = undoLater();
  const queued = await session.send('read');
  expect(content()).toBe('two\n');
  await session.answer('deny');
  await session.closed(runs);
  expect((await undo).outcomes).toEqual([{ path: 'a.txt', refused: null, detail: '' }]);
  expect((await session.closed(queued)).status).toBe('finished');
  const read = session.items('tool').find(({ turnId }) => turnId === queued);
  expect(read).toMatchObject({ tool: 'read_file', state: 'failed' });
});

test('an undo that is no longer wanted changes nothing, and the queue goes on (audit-U14)', async () => {
  const runs = await running();
  const wish = new AbortController();
  const undo = undoLater(wish.signal);
  const queued = await session.send('read');
  wish.abort();
  await expect(undo).rejects.toMatchObject({ code: 'cancelled' });
  await session.answer('deny');
  await session.closed(runs);
  expect((await session.closed(queued)).status).toBe('finished');
  expect(content()).toBe('two\n');
});

test('a message that is sent while an undo waits or runs is answered after it (audit-U14)', async () => {
  await running();
  const undo = undoLater();
  await session.rpc.call('turn/stop', { sessionId: session.sessionId });
  const next = await session.send('read');
  expect((await undo).outcomes).toMatchObject([{ refused: null }]);
  await session.closed(next);
  expect(session.items('tool').find(({ turnId }) => turnId === next)?.state).toBe('failed');
});

test('a turn of another session holds up no undo (audit-U14)', async () => {
  const other = await world.openSession();
  const hangs = await other.send('hang');
  await other.until(() => other.turn(hangs)?.status === 'running');
  expect((await undoLater()).outcomes).toMatchObject([{ refused: null }]);
  expect(content()).toBeNull();
  expect(other.turn(hangs)?.status).toBe('running');
});

test('an undo that waits does not outlive the host', async () => {
  await running();
  const undo = undoLater().catch((error: unknown) => error);
  await world.restartHost();
  expect(await undo).toBeInstanceOf(AndironError);
  expect(content()).toBe('two\n');
});
