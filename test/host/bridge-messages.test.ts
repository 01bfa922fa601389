/** Messages that bridges hand in: each is answered once, and no bridge does anything else. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bridgeMethods, type BridgeMethods } from '../../src/protocol/bridge-methods.ts';
import { hostMethods } from '../../src/protocol/host-methods.ts';
import type { RpcClient } from '../../src/protocol/rpc-client.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';

let world: World;
let bridge: RpcClient<BridgeMethods>;
beforeEach(async () => {
  world = await World.start({ sim: { script: script([rule({}, reply().text('An answer.'))]) } });
  bridge = world.openBridge('telegram');
});
afterEach(() => world.close());

const message = { messageId: 'm1', platformUserId: '42', channel: 'c', text: 'Hello.' };
const chats = (): number =>
  world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat').length;

test('A message that comes again is answered once, with the same answer (X12, X5)', async () => {
  const [first, second] = await Promise.all([
    bridge.call('bridge/receive', message),
    bridge.call('bridge/receive', message),
  ]);
  expect(second.id).toBe(first.id);
  const answers = await Promise.all([first, second].map(({ id }) => bridge.call('bridge/answer', { id })));
  expect(answers[0]).toMatchObject({ response: { content: 'An answer.', status: 'answered' } });
  expect(answers[1]).toEqual(answers[0]);
  await bridge.call('bridge/delivered', { id: first.id });
  const again = await bridge.call('bridge/receive', { ...message, text: 'Something else.' });
  expect(await bridge.call('bridge/answer', again)).toMatchObject({
    response: answers[0]?.response,
    isDelivered: true,
  });
  expect(chats()).toBe(1);
});

test('The same message id in another channel, server or platform is another message (X5)', async () => {
  const webhook = world.openBridge('webhook');
  const ids = await Promise.all([
    bridge.call('bridge/receive', message),
    bridge.call('bridge/receive', { ...message, channel: 'd' }),
    bridge.call('bridge/receive', { ...message, server: 's' }),
    webhook.call('bridge/receive', message),
  ]);
  expect(new Set(ids.map(({ id }) => id)).size).toBe(4);
});

test('A refused message is refused once, and the refusal is delivered as an answer is (B5, S13)', async () => {
  const { rpc } = world.openWindow();
  const first = await bridge.call('bridge/receive', message);
  await bridge.call('bridge/answer', first);
  const { people } = await rpc.call('people/list', {});
  const guest = people.find(({ level }) => level === 'guest');
  await rpc.call('people/update', { userId: guest?.id ?? '', budget: 0 });
  const { id } = await bridge.call('bridge/receive', { ...message, messageId: 'm2' });
  expect(await bridge.call('bridge/answer', { id })).toMatchObject({
    response: { status: 'refused', sessionId: null, error: { code: 'over_budget' } },
    isDelivered: false,
  });
  expect((await bridge.call('bridge/open', {})).waiting.map(({ messageId }) => messageId)).toContain('m2');
  await rpc.call('people/update', { userId: guest?.id ?? '', budget: null });
  const again = await bridge.call('bridge/receive', { ...message, messageId: 'm2' });
  expect((await bridge.call('bridge/answer', again)).response.status).toBe('refused');
});

test('An answer that no bridge has delivered waits for the next one, and a delivered one does not (X12)', async () => {
  const { id } = await bridge.call('bridge/receive', { ...message, thread: 't' });
  await bridge.call('bridge/answer', { id });
  await bridge.call('bridge/piece', { id, piece: 0, state: 'begun' });
  await bridge.call('bridge/piece', { id, piece: 0, state: 'sent' });
  await bridge.call('bridge/piece', { id, piece: 1, state: 'begun' });
  bridge.close();
  const next = world.openBridge('telegram');
  expect(await next.call('bridge/open', {})).toEqual({
    waiting: [{ id, messageId: 'm1', server: '', channel: 'c', thread: 't' }],
  });
  expect(await next.call('bridge/answer', { id })).toMatchObject({
    sentPieces: 1,
    isUncertain: true,
    isDelivered: false,
  });
  await next.call('bridge/delivered', { id });
  expect(await next.call('bridge/open', {})).toEqual({ waiting: [] });
});

test('A bridge is refused every method of windows and programs (X2, X9)', async () => {
  const methods = Object.keys(hostMethods).filter((method) => !Object.hasOwn(bridgeMethods, method));
  const refusals = await Promise.all(
    methods.map((method) =>
      (bridge.call as (name: string, params: object) => Promise<unknown>)(method, {}).then(
        () => 'answered',
        (error: unknown) => (error as { code: string }).code,
      ),
    ),
  );
  expect(Object.keys(bridgeMethods).filter((method) => !method.startsWith('bridge/'))).toEqual([
    'attachment/add',
    'attachment/add-upload',
    'upload/begin',
    'upload/add',
    'upload/cancel',
  ]);
  expect(new Set(refusals)).toEqual(new Set(['unknown_method']));
});

test('A bridge neither sees nor touches a message of another platform (X2)', async () => {
  const { id } = await bridge.call('bridge/receive', message);
  await bridge.call('bridge/answer', { id });
  const other = world.openBridge('webhook');
  expect(await other.call('bridge/open', {})).toEqual({ waiting: [] });
  const tries = [
    other.call('bridge/answer', { id }),
    other.call('bridge/delivered', { id }),
    other.call('bridge/piece', { id, piece: 0, state: 'sent' }),
    other.call('bridge/read-file', { id, fileId: 'f' }),
  ];
  for (const each of tries) await expect(each).rejects.toMatchObject({ code: 'not_found' });
  expect(await bridge.call('bridge/answer', { id })).toMatchObject({ isDelivered: false, sentPieces: 0 });
});

test('A bridge cannot say that its message is of another platform (X2)', async () => {
  const named = { ...message, platform: 'desktop', platformUserId: 'owner' };
  const { id } = await bridge.call('bridge/receive', named);
  const { response } = await bridge.call('bridge/answer', { id });
  const { rpc } = world.openWindow();
  const { people } = await rpc.call('people/list', {});
  const known = people.find(({ accounts }) =>
    accounts.some(({ platformUserId }) => platformUserId === 'owner'),
  );
  expect(known).toMatchObject({ level: 'guest', accounts: [{ platform: 'telegram' }] });
  const { sessions } = await rpc.call('host/subscribe', {});
  expect(sessions.find((session) => session.id === response.sessionId)?.place?.platform).toBe('telegram');
});

test.each(['desktop', 'api', 'cli'])('No bridge is served as the platform %s (X2)', (platform) => {
  expect(() => world.openBridge(platform)).toThrow('no platform of a bridge');
});

test('A bridge reads the files of answers to its messages, and no others (X7)', async () => {
  const { id } = await bridge.call('bridge/receive', message);
  await bridge.call('bridge/answer', { id });
  await expect(bridge.call('bridge/read-file', { id, fileId: 'file_x' })).rejects.toMatchObject({
    code: 'not_found',
    message: 'The answer has no such file.',
  });
});
