/** A profile that takes edits: files change without a question, and can be taken back; all else asks as before. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { reply, type Script } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';

let world: World;
afterEach(() => world.close());

/** Writes the file that the message names. */
const writes: Script = ({ lastUser, results }) => {
  const path = /write (\S+)/.exec(lastUser)?.[1];
  if (path === undefined || results.length > 0) return reply().text('Done.');
  return reply().toolCall('write_file', { path, content: 'new' });
};

async function open(): Promise<SessionView> {
  world = await World.start({ sim: { script: writes } });
  const { rpc } = world.openWindow();
  await rpc.call('profile/update', { profileId: 'developer', changes: { approvals: 'accept_edits' } });
  return world.openSession();
}

const isThere = (path: string): boolean => existsSync(join(world.workspace, path));
const questions = (session: SessionView) =>
  session.events.flatMap(({ event }) => (event.type === 'approval/requested' ? [event.approval] : []));

it('A file of the folder is written without a question, and is taken back', async () => {
  const session = await open();
  const turn = await session.ask('write a.txt');
  expect(questions(session)).toEqual([]);
  expect(isThere('a.txt')).toBe(true);
  await session.rpc.call('file/undo', { sessionId: session.sessionId, turnId: turn.id, paths: ['a.txt'] });
  expect(isThere('a.txt')).toBe(false);
});

it('A file that programs run asks all the same', async () => {
  const session = await open();
  await session.send('write package.json');
  await session.until(() => questions(session).length === 1);
  expect(questions(session)[0]?.why).toContain('package.json');
  expect(questions(session)[0]?.isUsual).toBeUndefined();
  expect(isThere('package.json')).toBe(false);
});
