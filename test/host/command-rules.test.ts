/** Commands that a person always allows in a folder: what they cover, where they hold, and how they end. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { CommandRule } from '../../src/protocol/model.ts';
import { noSandbox, type Sandbox } from '../../src/platform/sandbox/sandbox.ts';
import { reply, type Script } from '../../src/sim/index.ts';
import { World, type SessionView, type WorldOptions } from '../helpers/host-world.ts';

let world: World;
afterEach(() => world.close());

/** Runs what the message says. */
const runsIt: Script = ({ lastUser, results }) => {
  const command = /run: (.*)/.exec(lastUser)?.[1];
  if (command === undefined || results.length > 0) return reply().text('Done.');
  return reply().toolCall('run_command', { command });
};

/** Keeps nothing in, and says that it does. */
const trusting: Sandbox = {
  status: { kind: 'bwrap', version: '0.8.0', hasProxy: false },
  hidden: [],
  keep: async (start) => start,
};

const open = async (options: WorldOptions = {}): Promise<SessionView> => {
  world = await World.start({ sandbox: trusting, ...options, sim: { script: runsIt } });
  return world.openSession();
};

const questions = (session: SessionView) =>
  session.events.flatMap(({ event }) => (event.type === 'approval/requested' ? [event.approval] : []));

/** The answer to its one question; undefined = it must not ask. */
async function run(session: SessionView, command: string, rule?: CommandRule | 'once'): Promise<void> {
  const before = questions(session).length;
  const turnId = await session.send(`run: ${command}`);
  if (rule !== undefined) {
    await session.until(() => questions(session).length > before);
    const approvalId = questions(session).at(-1)?.id ?? '';
    await session.rpc.call('approval/answer', {
      sessionId: session.sessionId,
      approvalId,
      decision: 'allow',
      ...(rule !== 'once' && { rule }),
    });
  }
  await session.closed(turnId);
  expect(questions(session).length - before).toBe(rule === undefined ? 0 : 1);
  expect(session.items('tool').at(-1)?.state).toBe('done');
}

const exact = (command: string): CommandRule => ({ words: command.split(' '), isExact: true });
const rulesOf = async (session: SessionView) => (await session.rpc.call('approval/rules', {})).rules;

it('A command that is always allowed asks no more, in other sessions of its folder and after a restart too', async () => {
  let session = await open();
  await run(session, 'echo one two', exact('echo one two'));
  expect(questions(session)[0]?.rules).toEqual([
    exact('echo one two'),
    { words: ['echo', 'one'], isExact: false },
  ]);
  await run(session, 'echo one two');
  await run(session, 'echo one three', 'once');
  await run(await world.openSession(), 'echo one two');
  await world.restartHost();
  session = await world.openWindow().follow(session.sessionId);
  await run(session, 'echo one two');
  const [rule, ...others] = await rulesOf(session);
  expect(rule).toMatchObject({ ...exact('echo one two'), used: 3 });
  expect(rule?.lastUsedAt).toBeGreaterThanOrEqual(rule?.createdAt ?? NaN);
  expect(others).toEqual([]);
});

it('A command in another folder asks, and so does one that more stands behind', async () => {
  const session = await open();
  await run(session, 'echo one', exact('echo one'));
  await mkdir(join(world.dir, 'other'));
  const { rpc } = world.openWindow();
  const made = await rpc.call('session/create', { workspace: join(world.dir, 'other') });
  await run(await world.openWindow().follow(made.session.id), 'echo one', 'once');
  await run(session, 'echo one && echo two', 'once');
  expect(questions(session).at(-1)?.rules).toBeUndefined();
});

it('What begins with two words that are always allowed asks no more', async () => {
  const session = await open();
  await run(session, 'echo one two', { words: ['echo', 'one'], isExact: false });
  await run(session, 'echo one two three');
  await run(session, 'echo two', 'once');
  expect(questions(session)).toHaveLength(2);
});

it('A command that is no longer always allowed asks at once', async () => {
  const session = await open();
  await run(session, 'echo one', exact('echo one'));
  const [rule] = await rulesOf(session);
  await session.rpc.call('approval/remove-rule', { ruleId: rule?.id ?? '' });
  await run(session, 'echo one', 'once');
  expect(await rulesOf(session)).toEqual([]);
  await expect(session.rpc.call('approval/remove-rule', { ruleId: rule?.id ?? '' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

it('What the card did not offer allows nothing, and the question stays open', async () => {
  const session = await open();
  const turnId = await session.send('run: echo one');
  await session.until(() => questions(session).length === 1);
  const question = { sessionId: session.sessionId, approvalId: questions(session)[0]?.id ?? '' };
  for (const rule of [exact('echo'), { words: ['echo', 'one'], isExact: false }, exact('rm x')])
    await expect(
      session.rpc.call('approval/answer', { ...question, decision: 'allow', rule }),
    ).rejects.toMatchObject({ code: 'invalid_params' });
  expect(session.items('tool')[0]?.state).toBe('awaiting_approval');
  await session.rpc.call('approval/answer', { ...question, decision: 'deny', rule: exact('echo one') });
  await session.closed(turnId);
  expect(await rulesOf(session)).toEqual([]);
});

it('Without a sandbox nothing is always allowed, whatever was before', async () => {
  const session = await open();
  await run(session, 'echo one', exact('echo one'));
  await world.restartHost({ sandbox: noSandbox('missing') });
  const again = await world.openWindow().follow(session.sessionId);
  await run(again, 'echo one', 'once');
  expect(questions(again).at(-1)).toMatchObject({ sandboxed: false, scopes: ['once'] });
  expect(questions(again).at(-1)?.rules).toBeUndefined();
});
