import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import { OpenSessions } from './open-sessions.ts';

class Opened {
  readonly id: string;
  mayLeave = true;

  constructor(id: string) {
    this.id = id;
  }
}

/** As many as are wanted are opened, one after another. */
function opened(count: number, busy: readonly string[] = []) {
  const sessions = new OpenSessions<Opened>();
  for (let nth = 0; nth < count; nth += 1) {
    const session = new Opened(`s${String(nth)}`);
    session.mayLeave = !busy.includes(session.id);
    sessions.add(session, sessions.unstored(session.id));
  }
  return sessions;
}

/** What nobody holds is collected, in another task than the one in which it left. */
async function alive(): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve));
  return queryObjects(Opened, { format: 'count' });
}

test('Of many sessions that nobody needs the sixteen that were used last stay', async () => {
  const sessions = opened(40);
  expect(await alive()).toBe(16);
  expect(sessions.peek('s23')).toBeUndefined();
  expect(sessions.peek('s24')?.id).toBe('s24');
});

test('A use keeps a session among those that stay', async () => {
  const sessions = opened(16);
  sessions.use('s0');
  sessions.add(new Opened('s16'), sessions.unstored('s16'));
  expect(await alive()).toBe(16);
  expect(sessions.peek('s0')?.id).toBe('s0');
  expect(sessions.peek('s1')).toBeUndefined();
});

test('A session that is needed stays, however long ago it was used', async () => {
  const sessions = opened(40, ['s0']);
  expect(await alive()).toBe(16);
  expect(sessions.peek('s0')?.id).toBe('s0');
});

test('A session that left while somebody works with it comes back as the same object', async () => {
  const sessions = opened(1);
  const held = sessions.peek('s0');
  for (let nth = 1; nth < 40; nth += 1) {
    const id = `s${String(nth)}`;
    sessions.add(new Opened(id), sessions.unstored(id));
  }
  expect(await alive()).toBe(17);
  expect(sessions.all()).toHaveLength(17);
  expect(sessions.use('s0')).toBe(held);
  expect(await alive()).toBe(16);
});

test('What no store has of a session is there when it comes back, and gone with its deletion', () => {
  const sessions = opened(1);
  sessions.unstored('s0').said.add('a note');
  expect([...sessions.unstored('s0').said]).toEqual(['a note']);
  sessions.delete('s0');
  expect([...sessions.unstored('s0').said]).toEqual([]);
  expect(sessions.all()).toEqual([]);
});
