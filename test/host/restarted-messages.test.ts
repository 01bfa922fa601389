/** What becomes of a message of a bridge whose turn ends with Andiron. */
import { afterEach, expect, test } from 'vitest';
import { reply, rule, script, type Script } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';

let world: World;
afterEach(() => world.close());

const message = { messageId: 'm1', platformUserId: '42', channel: 'c', text: 'Hello.' };

const chats = (): number =>
  world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat').length;

/** Resolves when the model was asked so often. */
async function asked(times: number): Promise<void> {
  await expect.poll(chats).toBe(times);
}

const start = async (answers: Script): Promise<void> => {
  world = await World.start({ sim: { script: answers } });
};

test('A turn that ends because Andiron is closed is no answer: it is asked again after the start (X12)', async () => {
  await start(script([rule({ nth: 1 }, reply().text('One moment').hang()), rule({}, reply().text('Here.'))]));
  const before = world.openBridge('telegram');
  const { id } = await before.call('bridge/receive', message);
  const refusal = before.call('bridge/answer', { id }).catch((error: unknown) => error);
  await asked(1);
  await world.restartHost();
  expect(await refusal).toMatchObject({ code: 'disconnected' });
  const after = world.openBridge('telegram');
  expect((await after.call('bridge/open', {})).waiting).toHaveLength(1);
  expect((await after.call('bridge/answer', { id })).response).toMatchObject({
    content: 'Here.',
    status: 'answered',
  });
});

test('A message that ends Andiron each time is given up after three attempts, and its sender is told (X12)', async () => {
  await start(script([rule({}, reply().text('One moment').hang())]));
  const { id } = await world.openBridge('telegram').call('bridge/receive', message);
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await asked(attempt);
    await world.restartHost();
    await world.openBridge('telegram').call('bridge/open', {});
  }
  const { response } = await world.openBridge('telegram').call('bridge/answer', { id });
  expect(response).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
  expect(response.content).toContain('Send your message again');
  await asked(3);
});

test('A turn that called a tool which can change something is not repeated (X12, B10)', async () => {
  await start(
    script([
      rule({ resultCount: 0 }, reply().toolCall('write_file', { path: 'a.txt', content: 'x' })),
      rule({}, reply().hang()),
    ]),
  );
  const { id } = await world.openBridge('telegram').call('bridge/receive', message);
  await asked(2);
  await world.restartHost();
  const bridge = world.openBridge('telegram');
  await bridge.call('bridge/open', {});
  expect((await bridge.call('bridge/answer', { id })).response).toMatchObject({
    status: 'failed',
    error: { code: 'interrupted' },
  });
  await asked(2);
});
