/** A command that its sandbox refused something: asked about once more, and never run outside by itself. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Approval } from '../../src/protocol/model.ts';
import type { Sandbox } from '../../src/platform/sandbox/sandbox.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';
import { refusingSandbox } from '../helpers/refusing-sandbox.ts';

let world: World;
afterEach(() => world.close());

/** Everything in it ends as a write elsewhere would. */
const refusing = (words: string): Sandbox => refusingSandbox(`echo kept >kept; echo "${words}" >&2; exit 1`);

async function ask(
  sandbox: Sandbox,
  command = 'echo free >free',
): Promise<{ session: SessionView; turnId: string }> {
  const answers = script([
    rule({ resultCount: 0 }, reply().toolCall('run_command', { command })),
    rule({}, reply().text('That was it.')),
  ]);
  world = await World.start({ sim: { script: answers }, sandbox });
  const session = await world.openSession();
  return { session, turnId: await session.send('Please run it.') };
}

const made = (name: string): boolean => existsSync(join(world.workspace, name));
const call = (session: SessionView) => session.items('tool')[0];
const approvalsOf = (session: SessionView): Approval[] =>
  session.events.flatMap(({ event }) => (event.type === 'approval/requested' ? [event.approval] : []));

it('a command that was refused a write is asked about again, and runs outside after a second yes', async () => {
  const { session, turnId } = await ask(refusing('touch: /etc/x: Read-only file system'));
  await session.answer('allow');
  await session.until(() => approvalsOf(session).length === 2);
  expect([made('kept'), made('free')]).toEqual([true, false]);
  expect(call(session)?.decision).toBeNull();
  await session.answer('allow');
  const turn = await session.closed(turnId);
  expect(turn.status).toBe('finished');
  expect(made('free')).toBe(true);
  expect(call(session)).toMatchObject({ state: 'done', sandboxed: false, decision: 'allow' });
  const [first, second] = approvalsOf(session);
  expect(first).toMatchObject({ sandboxed: true, network: 'none', isUsual: true, scopes: ['once'] });
  expect(first?.why).toContain('In the sandbox it changes this folder alone');
  expect(second).toMatchObject({ sandboxed: false, scopes: ['once'] });
  expect([second?.network, second?.isUsual]).toEqual([undefined, undefined]);
  expect(second?.why).toBe(
    'It failed as it tried to change something that the sandbox protects. Outside the sandbox it can do all that you can.',
  );
});

it('after a no to the second question nothing more runs, and the model reads what was kept from it', async () => {
  const { session, turnId } = await ask(refusing('Error: getaddrinfo EAI_AGAIN example.org'));
  await session.answer('allow');
  await session.until(() => approvalsOf(session).length === 2);
  await session.answer('deny');
  await session.closed(turnId);
  expect(made('free')).toBe(false);
  expect(call(session)).toMatchObject({ state: 'failed', sandboxed: true });
  expect(call(session)?.result).toContain('It ran in a sandbox: no network');
  expect(approvalsOf(session)[1]?.why).toContain('It failed without a network.');
});

it('Stop while the second question waits ends the turn, and nothing runs outside', async () => {
  const { session, turnId } = await ask(refusing('Read-only file system'));
  await session.answer('allow');
  await session.until(() => approvalsOf(session).length === 2);
  await session.rpc.call('turn/stop', { sessionId: session.sessionId });
  expect((await session.closed(turnId)).status).toBe('stopped');
  expect(made('free')).toBe(false);
  expect(call(session)).toMatchObject({ state: 'stopped', runMs: expect.any(Number) });
  expect(call(session)?.result).toMatch(/Read-only file system[^]*operation cancelled by user/);
});

it('Stop while it runs outside leaves what it did in the sandbox for the model to read', async () => {
  const { session, turnId } = await ask(refusing('Read-only file system'), 'echo free >free; sleep 60');
  await session.answer('allow');
  await session.until(() => approvalsOf(session).length === 2);
  await session.answer('allow');
  await expect.poll(() => made('free')).toBe(true);
  await session.rpc.call('turn/stop', { sessionId: session.sessionId });
  expect((await session.closed(turnId)).status).toBe('stopped');
  expect(call(session)?.result).toMatch(/Read-only file system[^]*outside the sandbox: operation cancelled/);
});

it('a command that fails by itself is asked about once', async () => {
  const { session, turnId } = await ask(refusing('2 tests failed'));
  await session.answer('allow');
  await session.closed(turnId);
  expect(approvalsOf(session)).toHaveLength(1);
  expect(call(session)).toMatchObject({ state: 'failed', sandboxed: true });
});
