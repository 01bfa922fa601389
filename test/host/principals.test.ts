/** What a connection may ask for is decided by who is behind it, whatever it asks. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostAccess } from '../../src/protocol/host-access.ts';
import { hostMethods, type HostMethods } from '../../src/protocol/host-methods.ts';
import { levels, ownerAt, reaches, type Level, type Principal } from '../../src/protocol/principal.ts';
import { createRpcClient, type RpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { World, type SessionView } from '../helpers/host-world.ts';

let world: World;
let session: SessionView;
beforeEach(async () => {
  world = await World.start();
  session = await world.openSession();
});
afterEach(() => world.close());

const someone = (level: Level): Principal => ({ ...ownerAt('api'), userId: 'user_1', level });

function connect(principal: Principal): RpcClient<HostMethods> {
  const [hostEnd, clientEnd] = createTransportPair();
  world.host.connect(hostEnd, principal);
  return createRpcClient<HostMethods>(clientEnd);
}

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'answered',
    (error: { code?: string }) => error.code,
  );

const names = Object.keys(hostMethods) as (keyof HostMethods)[];

describe.each(levels.filter((level) => level !== 'owner'))('a connection of a %s', (level) => {
  it('is refused every method of a higher level, before its parameters are looked at (X2)', async () => {
    const rpc = connect(someone(level));
    const refused = await Promise.all(
      names.map(async (name) => ((await codeOf(rpc.call(name, {}))) === 'not_allowed' ? [name] : [])),
    );
    const higher = names.filter((name) => !reaches(level, hostAccess[name].needs));
    expect(refused.flat()).toEqual(higher);
    expect(higher).toContain('approval/answer');
    expect(higher).toContain('session/update');
  });

  it('finds no session of anybody else, in whatever method it names it (X2)', async () => {
    const rpc = connect(someone(level));
    const { sessionId } = session;
    const open = names.filter((name) => hostAccess[name].on === 'own' && !name.startsWith('memory/'));
    const turnId = 'turn_000000000000';
    const params = {
      sessionId,
      turnId,
      text: 'Hello',
      itemId: 'x',
      fileId: 'x',
      from: 0,
      beforeIndex: 1,
      limit: 10,
    };
    const before = session.state.turns.length;
    const codes = await Promise.all(open.map((name) => codeOf(rpc.call(name, params as never))));
    expect(codes).toEqual(open.map(() => 'not_found'));
    const gone = await codeOf(rpc.call('session/subscribe', { sessionId: 'ses_gone' }));
    expect(gone).toBe('not_found');
    expect(session.state.turns).toHaveLength(before);
  });

  it('hears of no session of anybody else (X2)', async () => {
    const heard: string[] = [];
    const rpc = connect(someone(level));
    rpc.onEvent((topic) => void heard.push(topic));
    await codeOf(rpc.call('host/subscribe', {}));
    await codeOf(rpc.call('session/subscribe', { sessionId: session.sessionId }));
    await session.closed(await session.send('Hello.'));
    expect(heard).toEqual([]);
  });
});

it('What is remembered of the owner is not read, changed or cleared by another person’s connection (X1)', async () => {
  const rpc = connect(someone('user'));
  await session.rpc.call('memory/set-summary', { text: 'Lives in Oslo.' });
  expect(await rpc.call('memory/list', {})).toMatchObject({ facts: [], summary: null });
  await rpc.call('memory/clear', {});
  expect((await session.rpc.call('memory/list', {})).summary?.text).toBe('Lives in Oslo.');
});

it('The owner’s window lists people, and changes what they may (X1)', async () => {
  const { people } = await session.rpc.call('people/list', {});
  expect(people).toMatchObject([{ id: 'owner', level: 'owner', budget: null, accounts: [] }]);
  const named = await session.rpc.call('people/update', { userId: 'owner', name: 'Me' });
  expect(named.person.name).toBe('Me');
  expect(await codeOf(session.rpc.call('people/update', { userId: 'owner', isBlocked: true }))).toBe(
    'invalid_params',
  );
});
