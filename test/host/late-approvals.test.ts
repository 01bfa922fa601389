/** A question of somebody on another platform waits for the owner, and not for ever. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { maxApprovalMs } from '../../src/host/sessions/session-approvals.ts';
import type { AgentResponse } from '../../src/protocol/inbox-methods.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { type SessionView, type Window, World } from '../helpers/host-world.ts';
import { skippableClock, type SkippableClock } from '../helpers/skippable-clock.ts';

let world: World;
let window: Window;
let clock: SkippableClock;
beforeEach(async () => {
  clock = skippableClock();
  const answers = script([
    rule({ resultCount: 0 }, reply().toolCall('write_file', { path: 'a.txt', content: 'x' })),
    rule({}, reply().text('Here you are.')),
  ]);
  world = await World.start({ clock, sim: { script: answers } });
  window = world.openWindow();
});
afterEach(() => world.close());

/** An administrator of another platform asks for a file; the owner's window shows the question. */
async function asked(): Promise<{ answer: Promise<AgentResponse>; session: SessionView; folder: string }> {
  const bridge = world.openBridge('telegram');
  const place = { platform: 'telegram', server: '', profileId: 'developer', model: null };
  const binding = { ...place, modules: ['files'], isPerPerson: false, pauseMs: null };
  await window.rpc.call('binding/put', { binding });
  const message = { platformUserId: '42', channel: 'c', text: 'Write a.txt' };
  const first = await bridge.call('bridge/receive', { ...message, messageId: 'as a guest' });
  const { response } = await bridge.call('bridge/answer', first);
  const guest = (await window.rpc.call('people/list', {})).people.find(({ level }) => level === 'guest');
  await window.rpc.call('people/update', { userId: guest?.id ?? '', level: 'admin', budget: null });
  const session = await window.follow(response.sessionId ?? '');
  const { id } = await bridge.call('bridge/receive', { ...message, messageId: 'm' });
  const answer = bridge.call('bridge/answer', { id }).then((delivery) => delivery.response);
  await session.until(() => session.items('tool').at(-1)?.state === 'awaiting_approval');
  return { answer, session, folder: session.state.session.workspace };
}

test('Without an answer in ten minutes the call is declined, and owner and sender both see why (X2)', async () => {
  const { answer, session, folder } = await asked();
  clock.skip(maxApprovalMs);
  expect((await answer).content).toBe(
    'Here you are.\n\n(Part of this needed approval and was not approved in time, so it was not done.)',
  );
  expect(session.items('tool').at(-1)).toMatchObject({ state: 'declined', decision: 'deny', timedOut: true });
  expect(session.items('tool').at(-1)?.result).toContain('did not approve it in time');
  expect(existsSync(join(folder, 'a.txt'))).toBe(false);
});

test('A yes before that is a yes, and nothing comes of the time afterwards (X2)', async () => {
  const { answer, session, folder } = await asked();
  clock.skip(maxApprovalMs - 60_000);
  await session.answer('allow');
  expect((await answer).content).toBe('Here you are.');
  clock.skip(2 * maxApprovalMs);
  expect(session.items('tool').at(-1)).toMatchObject({ state: 'done', decision: 'allow' });
  expect(session.items('tool').at(-1)).not.toHaveProperty('timedOut');
  expect(existsSync(join(folder, 'a.txt'))).toBe(true);
});

test('A question of the owner’s own window waits as long as it takes (X2)', async () => {
  const session = await world.openSession();
  const turnId = await session.send('Write a.txt');
  await session.until(() => session.items('tool')[0]?.state === 'awaiting_approval');
  clock.skip(10 * maxApprovalMs);
  await session.answer('allow');
  await session.closed(turnId);
  expect(session.items('tool')[0]).toMatchObject({ state: 'done', decision: 'allow' });
});
