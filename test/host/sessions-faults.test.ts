/** A disk that fails at any write of a change: it is told, and nothing has happened. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AndironError } from '../../src/protocol/errors.ts';
import type { SessionView } from '../helpers/host-world.ts';
import { MortalHouse } from '../helpers/mortal-house.ts';
import { lasting } from '../helpers/told-session.ts';
import { assertValidLogs, everythingStored, speaking } from '../helpers/session-world.ts';

let house: MortalHouse;
let session: SessionView;
let sessionId: string;
/** Writes until the disk is full; then it stays full. */
let writesLeft: number;
beforeEach(async () => {
  writesLeft = Infinity;
  const write = (what: string): void => {
    if (writesLeft === 0) throw new AndironError('storage', `The disk is full: ${what}.`, 'Free some space.');
    writesLeft -= 1;
  };
  house = await MortalHouse.start({ sim: { script: speaking }, faults: { write } });
  const window = house.openWindow();
  const made = await window.rpc.call('session/create', { workspace: house.workspace });
  sessionId = made.session.id;
  session = await window.follow(sessionId);
  for (const text of ['#1', '#2', '#3']) await session.ask(text);
});
afterEach(async () => {
  writesLeft = Infinity;
  assertValidLogs(house);
  await house.close();
});

const changes: [name: string, change: () => Promise<unknown>][] = [
  [
    'turn/edit',
    () => session.rpc.call('turn/edit', { sessionId, turnId: session.state.turns[1]?.id ?? '', text: '#4' }),
  ],
  ['session/reset', () => session.rpc.call('session/reset', { sessionId })],
  ['session/fork', () => session.rpc.call('session/fork', { sessionId })],
  ['session/delete', () => session.rpc.call('session/delete', { sessionId })],
  ['todo/update', () => session.rpc.call('todo/update', { sessionId, todo: { steps: [] } })],
  [
    'session/undo-compaction',
    () =>
      session.rpc.call('session/undo-compaction', {
        sessionId,
        itemId: session.items('summary')[0]?.id ?? '',
      }),
  ],
];

it.each(changes)('%s is all or nothing', async (name, change) => {
  if (name === 'session/undo-compaction') {
    const { turnId } = await session.rpc.call('session/compact', { sessionId });
    await session.closed(turnId);
  }
  const [stored, shown] = [everythingStored(house), session.state];
  let failures = 0;
  for (; ; failures += 1) {
    writesLeft = failures;
    const refused: unknown = await change().then(
      () => null,
      (error: unknown) => error,
    );
    writesLeft = Infinity;
    if (refused === null) break;
    expect(refused).toMatchObject({ code: 'storage' });
    expect(everythingStored(house)).toEqual(stored);
    expect(lasting(session.state)).toEqual(lasting(shown));
  }
  expect(failures).toBeGreaterThan(0);
  expect(everythingStored(house)).not.toEqual(stored);
  const running = session.state.turns.find(({ closed }) => !closed);
  if (running) await session.closed(running.id);
});
