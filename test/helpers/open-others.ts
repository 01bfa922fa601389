/** Has sessions that nobody needs leave the memory of a host: others are asked and opened, and what left is collected. */
import { queryObjects } from 'node:v8';
import { Session } from '../../src/host/sessions/session.ts';
import type { House } from './host-world.ts';

/** One window shows session after session, as a person does who goes from one to the next. */
export async function openMany(house: House, count: number): Promise<void> {
  const { rpc } = house.openWindow();
  for (let nth = 0; nth < count; nth += 1) {
    const { session } = await rpc.call('session/create', {});
    await rpc.call('session/subscribe', { sessionId: session.id });
    await rpc.call('session/unsubscribe', { sessionId: session.id });
  }
}

/** What nobody holds is collected, in another task than the one in which it left. */
export async function sessionsInMemory(house: House): Promise<number> {
  await house.rest();
  await new Promise((resolve) => setImmediate(resolve));
  return queryObjects(Session, { format: 'count' });
}

/** Another session is asked last, and so many are opened after it. */
export async function openOthers(house: House, count: number): Promise<void> {
  const asked = await house.openSession('developer');
  await asked.ask('Hello.');
  await asked.rpc.call('session/unsubscribe', { sessionId: asked.sessionId });
  await openMany(house, count);
  await sessionsInMemory(house);
}
