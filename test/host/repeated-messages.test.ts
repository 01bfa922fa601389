/** A message that is sent again because its answer was lost begins once, whenever the host dies meanwhile. */
import { afterEach, expect, test } from 'vitest';
import type { Turn } from '../../src/protocol/model.ts';
import { reply, rule, script, type Script } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';
import { MortalHouse } from '../helpers/mortal-house.ts';
import { isThorough } from '../helpers/thorough.ts';

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const answers = (): Script => script([rule({}, reply().text('Done.'))]);
const turnIdOf = (number: number): string => `turn_${String(number).padStart(32, '0')}`;

async function begun() {
  world = await World.start({ sim: { script: answers() } });
  return { world, session: await world.openSession() };
}

test('A message that is sent three times with one id is one turn, before and after it has ended', async () => {
  const { session } = await begun();
  const { sessionId, rpc } = session;
  const message = { sessionId, turnId: turnIdOf(1), text: 'Once.' };
  const first = await Promise.all([rpc.call('turn/start', message), rpc.call('turn/start', message)]);
  await session.closed(message.turnId);
  const late = await rpc.call('turn/start', message);
  expect([...first, late].map(({ turnId }) => turnId)).toEqual(Array<string>(3).fill(message.turnId));
  expect([session.items('user').length, session.state.turns.length]).toEqual([1, 1]);
});

test('A message is known from the moment in which it was taken, and not before', async () => {
  const { session } = await begun();
  const { sessionId, rpc } = session;
  const known = { sessionId, turnId: turnIdOf(1) };
  expect(await rpc.call('turn/known', known)).toEqual({ isKnown: false });
  await rpc.call('turn/start', { ...known, text: 'Once.' });
  expect(await rpc.call('turn/known', known)).toEqual({ isKnown: true });
});

test('The id of a turn of another session is refused, and that turn stays as it was', async () => {
  const { world: house, session } = await begun();
  const message = { turnId: turnIdOf(1), text: 'Mine.' };
  await session.rpc.call('turn/start', { ...message, sessionId: session.sessionId });
  await session.closed(message.turnId);
  const other = await house.openSession();
  const taken = other.rpc.call('turn/start', { ...message, sessionId: other.sessionId, text: 'Yours.' });
  await expect(taken).rejects.toMatchObject({ code: 'invalid_params' });
  expect([session.state.turns.map(({ text }) => text), other.state.turns]).toEqual([['Mine.'], []]);
});

test('What was taken is not refused afterwards, although a file of it is gone or the budget is used up', async () => {
  const { world: house, session } = await begun();
  const { sessionId, rpc } = session;
  const { attachment } = await rpc.call('attachment/add', { name: 'a.txt', data: 'aGk=' });
  const message = { sessionId, turnId: turnIdOf(1), text: 'Read.', attachments: [attachment.id] };
  await rpc.call('turn/start', message);
  await session.closed(message.turnId);
  const later = { ...message, attachments: ['att_gone'] };
  expect(await house.openWindow().rpc.call('turn/start', later)).toEqual({
    turnId: message.turnId,
    queued: false,
  });
});

const most = 40;
const step = isThorough ? 1 : 5;

/** Sends them until the host has confirmed each, as a window does. */
async function sendAll(house: MortalHouse, sessionId: string): Promise<void> {
  for (const number of [1, 2]) {
    const message = { sessionId, turnId: turnIdOf(number), text: `Message ${String(number)}.` };
    for (;;) {
      try {
        await house.openWindow().rpc.call('turn/start', message);
        break;
      } catch {
        if (house.alive) throw new Error('Refused by a host that lives.');
        await house.birth();
      }
    }
  }
}

test(`Of hosts that die at some write, none loses a message that is sent until it is confirmed, or begins it twice`, async () => {
  for (let writes = 0; writes < most; writes += step) {
    const house = await MortalHouse.start({ sim: { script: answers() } });
    try {
      const { session } = await house.openWindow().rpc.call('session/create', { workspace: house.workspace });
      house.doom(writes);
      await sendAll(house, session.id);
      house.kill();
      await house.birth();
      const { state } = await house.openWindow().follow(session.id);
      const own = state.turns.map(({ id, text }: Turn) => [id, text]);
      expect([writes, ...own]).toEqual([writes, [turnIdOf(1), 'Message 1.'], [turnIdOf(2), 'Message 2.']]);
      const said = state.items.flatMap((item) => (item.kind === 'user' ? [item.turnId] : []));
      expect([writes, said.length]).toEqual([writes, new Set(said).size]);
    } finally {
      await house.close();
    }
  }
});
