/** Programs that hold a token: whose their connection is, what they reach, and when that ends. */
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostMethods } from '../../src/protocol/host-methods.ts';
import { createRpcClient, type RpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';

let world: World;
let owner: RpcClient<HostMethods>;
beforeEach(async () => {
  world = await World.start({
    files: { 'notes.txt': 'milk\n' },
    sim: {
      script: script([
        rule({ user: 'wait' }, reply().text('Half. ').pause(300_000).text('Whole.')),
        rule(
          { user: 'write', resultCount: 0 },
          reply().toolCall('write_file', { path: 'made.txt', content: 'x' }),
        ),
        rule({ user: 'write' }, ({ results }) => reply().text(`Said: ${results.at(-1) ?? ''}`)),
        rule({}, reply().text('An answer.')),
      ]),
    },
  });
  owner = world.openWindow().rpc;
});
afterEach(() => world.close());

function connect(): RpcClient<HostMethods> {
  const [hostEnd, programEnd] = createTransportPair();
  world.host.connectProgram(hostEnd);
  return createRpcClient<HostMethods>(programEnd);
}

function connectGateway(): RpcClient<HostMethods> {
  const [hostEnd, gatewayEnd] = createTransportPair();
  world.host.connectBridge(hostEnd, 'gateway');
  return createRpcClient<HostMethods>(gatewayEnd);
}

async function signIn(token: string): Promise<RpcClient<HostMethods>> {
  const rpc = connect();
  await rpc.call('host/sign-in', { token });
  return rpc;
}

const create = (more: Partial<HostMethods['token/create']['params']['_zod']['input']> = {}) =>
  owner.call('token/create', { name: 'Editor', ...more });

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'answered',
    (error: { code?: string }) => error.code,
  );

const closed = (rpc: RpcClient<HostMethods>): Promise<void> => new Promise((resolve) => rpc.onClose(resolve));

async function guest(): Promise<string> {
  await owner.call('inbox/receive', { platform: 'telegram', platformUserId: '42', text: 'Hello.' });
  const { people } = await owner.call('people/list', {});
  const found = people.find(({ accounts }) => accounts.length > 0);
  if (!found) throw new Error('Nobody came.');
  return found.id;
}

const lastTools = (): string[] => {
  const chats = world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat');
  const { body } = chats.at(-1) ?? { body: {} };
  const { tools = [] } = body as { tools?: { function: { name: string } }[] };
  return tools.map((tool) => tool.function.name).toSorted();
};

const toolsOf = async (more: Parameters<typeof create>[0]): Promise<string[]> => {
  const rpc = await signIn((await create(more)).text);
  const { sessionId } = await rpc.call('program/open-session', { profileId: 'developer' });
  await rpc.call('turn/run', { sessionId, text: 'Hello.' });
  return lastTools();
};

describe('a connection of a program', () => {
  it('is the owner’s when it says no token, and its first request is answered (X2)', async () => {
    const rpc = connect();
    const { session } = await rpc.call('session/create', {});
    expect(session.workspace).toBe(world.workspace);
    expect(await codeOf(rpc.call('host/sign-in', { token: 'x' }))).toBe('invalid_params');
  });

  it('is closed after a token that opens nothing, whatever it asks next (X2)', async () => {
    const rpc = connect();
    const ended = closed(rpc);
    const asked = [
      codeOf(rpc.call('host/sign-in', { token: 'and_wrong' })),
      codeOf(rpc.call('token/list', {})),
    ];
    expect(await Promise.all(asked)).toEqual(['not_allowed', 'disconnected']);
    await ended;
  });

  it('is not the owner’s when its sign-in is malformed (X2)', async () => {
    const rpc = connect();
    const asked = [
      codeOf(rpc.call('host/sign-in', { token: 7 } as never)),
      codeOf(rpc.call('token/list', {})),
    ];
    expect(await Promise.all(asked)).toEqual(['invalid_params', 'disconnected']);
  });

  it('with a token reaches nothing of the owner’s, also with the owner’s level (X2)', async () => {
    const { session } = await owner.call('session/create', {});
    const rpc = await signIn((await create({ level: 'owner' })).text);
    expect(
      await Promise.all([
        codeOf(rpc.call('token/create', { name: 'another' })),
        codeOf(rpc.call('session/create', {})),
        codeOf(rpc.call('host/subscribe', {})),
        codeOf(rpc.call('approval/answer', { sessionId: session.id, approvalId: 'x', decision: 'allow' })),
        codeOf(rpc.call('session/subscribe', { sessionId: session.id })),
        codeOf(rpc.call('turn/start', { sessionId: session.id, text: 'Hello.' })),
      ]),
    ).toEqual(['not_allowed', 'not_allowed', 'not_allowed', 'not_allowed', 'not_found', 'not_found']);
  });

  it('with a token reaches the conversations of that token, and none of another one of the same person (X2)', async () => {
    const [one, other] = [await signIn((await create()).text), await signIn((await create()).text)];
    const { sessionId } = await one.call('program/open-session', { profileId: 'developer' });
    expect(await one.call('turn/run', { sessionId, text: 'Hello.' })).toMatchObject({ text: 'An answer.' });
    expect(await codeOf(other.call('turn/run', { sessionId, text: 'Hello.' }))).toBe('not_found');
    expect(await codeOf(other.call('session/subscribe', { sessionId }))).toBe('not_found');
  });

  it('ends in the moment in which its token is revoked, with the turn that it asked for (X2)', async () => {
    const { token, text } = await create();
    const rpc = await signIn(text);
    const ended = closed(rpc);
    const { sessionId } = await rpc.call('program/open-session', { profileId: 'developer' });
    const seen = await world.openWindow().follow(sessionId);
    const { turnId } = await rpc.call('turn/start', { sessionId, text: 'wait' });
    await seen.until((state) => state.items.some((item) => item.kind === 'text'));
    await owner.call('token/revoke', { tokenId: token.id });
    await ended;
    await seen.closed(turnId);
    expect(seen.state.turns.at(-1)?.status).toBe('stopped');
    await expect(signIn(text)).rejects.toMatchObject({ code: 'not_allowed' });
  });

  it('ends in the moment in which its person is blocked, and its token opens nothing (X2)', async () => {
    const userId = await guest();
    const { text } = await create({ userId });
    const ended = closed(await signIn(text));
    await owner.call('people/update', { userId, isBlocked: true });
    await ended;
    await expect(signIn(text)).rejects.toMatchObject({ code: 'not_allowed' });
  });

  it('is refused a turn when its person is over their budget, in the words of S13 (X3, S13)', async () => {
    const userId = await guest();
    const rpc = await signIn((await create({ userId })).text);
    const { sessionId } = await rpc.call('program/open-session', { profileId: 'developer' });
    await owner.call('people/update', { userId, budget: 0 });
    for (const method of ['turn/run', 'turn/start'] as const)
      await expect(rpc.call(method, { sessionId, text: 'Hello.' })).rejects.toMatchObject({
        code: 'over_budget',
        message: "You've exceeded your monthly token budget. Please contact an admin to increase your limit.",
      });
  });
});

describe('the tools of a program', () => {
  it('are those of its token’s level and modules, and not of its person’s (X2)', async () => {
    expect(await toolsOf({ level: 'guest' })).toEqual(['memory_search', 'scratchpad', 'todo']);
    expect(await toolsOf({ level: 'user', modules: ['files'] })).toEqual([
      'glob',
      'list_files',
      'read_file',
      'search',
    ]);
    expect(await toolsOf({ level: 'owner', modules: ['commands'] })).toEqual(['run_command']);
  });

  it('that would ask a person are declined at once, and nothing is done (X2)', async () => {
    const rpc = await signIn((await create({ level: 'admin' })).text);
    const { sessionId } = await rpc.call('program/open-session', { profileId: 'developer' });
    const { status, text } = await rpc.call('turn/run', { sessionId, text: 'write' });
    expect(status).toBe('finished');
    expect(text).toContain('declined');
    const { sessions } = await owner.call('host/subscribe', {});
    const folder = sessions.find(({ id }) => id === sessionId)?.workspace ?? '';
    expect(readdirSync(folder)).toEqual([]);
  });
});

it('A connection of the gateway that says no token first is nobody’s, and one with a token is its program’s (X2, X9)', async () => {
  const unsigned = connectGateway();
  const gone = closed(unsigned);
  expect(await codeOf(unsigned.call('people/list', {}))).toBe('invalid_params');
  await gone;
  const signed = connectGateway();
  await signed.call('host/sign-in', { token: (await create()).text });
  expect((await signed.call('program/profiles', {})).profiles.length).toBeGreaterThan(0);
  expect(await codeOf(signed.call('people/list', {}))).toBe('not_allowed');
});
