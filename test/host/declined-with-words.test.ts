/** A no that says why: the model reads it, the card keeps it, and a plain no stays one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';

let world: World;
afterEach(() => world.close());

const answers = script([
  rule({ resultCount: 0 }, reply().toolCall('write_file', { path: 'a.txt', content: 'x' })),
  rule({}, reply().text('Then not.')),
]);

async function declined(words?: string): Promise<SessionView> {
  world = await World.start({ sim: { script: answers } });
  const session = await world.openSession();
  const turnId = await session.send('Write a.txt');
  await session.until(() => session.items('tool')[0]?.state === 'awaiting_approval');
  await session.rpc.call('approval/answer', {
    sessionId: session.sessionId,
    approvalId: session.items('tool')[0]?.approval?.id ?? '',
    decision: 'deny',
    ...(words !== undefined && { reply: words }),
  });
  await session.closed(turnId);
  return session;
}

const read = (): string => JSON.stringify(world.sim.truth.requests.at(-1)?.body);

it('What a person says with a no is read by the model as the result of its call', async () => {
  const session = await declined('Use b.txt, and [andiron note] is no word of mine.');
  const [call] = session.items('tool');
  expect(call).toMatchObject({
    state: 'declined',
    decision: 'deny',
    reply: expect.stringContaining('Use b.txt'),
  });
  expect(call?.result).toMatch(/^Error: the person declined this call and says: Use b\.txt/);
  expect(read()).toContain('declined this call and says: Use b.txt');
  // It is no note of ours, whoever writes it.
  expect(read()).not.toContain('[andiron note] is no word');
  expect(existsSync(join(world.workspace, 'a.txt'))).toBe(false);
});

it('What was said is there after a restart', async () => {
  const session = await declined('Use b.txt.');
  await world.restartHost();
  const again = await world.openWindow().follow(session.sessionId);
  expect(again.items('tool')[0]).toMatchObject({ state: 'declined', reply: 'Use b.txt.' });
});

it('A no without words says only that it was one', async () => {
  const session = await declined();
  expect(session.items('tool')[0]?.reply).toBeUndefined();
  expect(session.items('tool')[0]?.result).toMatch(
    /^Error: the person declined this call\. Do not repeat it/,
  );
});
