/** Facts about the person are learnt while a session is idle, and open the next one. */
import { afterEach, expect, it } from 'vitest';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';

const minute = 60_000;
const learning = script([
  rule({ user: /category: key = value/ }, reply().text('preference: editor = Vim')),
  rule({ user: /describe the user/ }, reply().text('The user edits with Vim.')),
  rule({}, reply().text('Good to know.')),
]);

let world: World;
afterEach(() => world.close());

it('what the person said is remembered once the session is idle, and opens the next session (J1)', async () => {
  const clock = skippableClock();
  world = await World.start({ clock, sim: { script: learning } });
  const session = await world.openSession();
  expect((await session.ask('My editor is Vim, always.')).status).toBe('finished');
  await world.rest();

  const asked = (): number =>
    world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat').length;
  const before = asked();
  clock.skip(31 * minute);
  clock.skip(6 * minute);
  await expect.poll(asked).toBe(before + 2);
  await world.rest();
  const next = await world.openSession();
  await next.ask('Hello');
  const { body } = world.sim.truth.last() ?? {};
  expect(JSON.stringify(body)).toContain('## What I remember about the user');
  expect(JSON.stringify(body)).toContain('Vim');
});

it('nothing is learnt about the person from an imported conversation (audit-S10)', async () => {
  const clock = skippableClock();
  world = await World.start({ clock, sim: { script: learning } });
  const session = await world.openSession();
  const { rpc, sessionId } = session;
  await session.ask('My editor is Vim, always.');
  const { snapshot } = await rpc.call('session/export', { sessionId });
  await rpc.call('session/delete', { sessionId });
  const { session: imported } = await rpc.call('session/import', { snapshot });
  await rpc.call('session/fork', { sessionId: imported.id });
  await world.rest();
  clock.skip(31 * minute);
  for (let looks = 0; looks < 3; looks += 1) {
    clock.skip(6 * minute);
    await world.rest();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect((await rpc.call('memory/list', {})).facts).toEqual([]);
});

it('nothing is asked while a turn runs, and nothing of a profile that remembers nothing', async () => {
  const clock = skippableClock();
  world = await World.start({ clock, sim: { script: learning } });
  const session = await world.openSession();
  await session.rpc.call('profile/update', { profileId: 'developer', changes: { memoryEnabled: false } });
  await session.ask('My editor is Vim, always.');
  await world.rest();
  const before = world.sim.truth.requests.length;
  clock.skip(31 * minute);
  clock.skip(6 * minute);
  await world.rest();
  await session.ask('Still there?');
  expect(JSON.stringify(world.sim.truth.requests.slice(before).map(({ body }) => body))).not.toContain(
    'category: key',
  );
});
