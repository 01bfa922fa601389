/** What an agent plans for later: asked about, in the place of its session, and only where it is allowed. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';

let world: World;
afterEach(() => world.close());

async function start(): Promise<SessionView> {
  const answers = script([
    rule(
      { user: 'Plan', resultCount: 0 },
      reply().toolCall('schedule_add', { name: 'News', task: 'Read the news.', every_minutes: 60 }),
    ),
    rule({}, reply().text('Done.')),
  ]);
  world = await World.start({ sim: { script: answers } });
  const folder = join(world.dir, 'data', 'profiles', 'ahead');
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'profile.json'),
    JSON.stringify({
      name: 'Ahead',
      description: '',
      models: [],
      tools: ['schedule_add'],
      approvals: 'auto_read',
    }),
  );
  await writeFile(join(folder, 'system.md'), 'You help.\n');
  await world.restartHost();
  return world.openSession('ahead');
}

it('A job of the agent has its session’s person, profile and folder, and none of them as an argument (Q1, G7)', async () => {
  const view = await start();
  const turnId = await view.send('Plan');
  await view.answer('allow');
  await view.closed(turnId);
  const { jobs } = await view.rpc.call('schedule/list', {});
  expect(jobs).toMatchObject([
    { name: 'News', when: { kind: 'interval' }, profileId: 'ahead', workspace: view.state.session.workspace },
  ]);
  expect(view.items('tool')[0]?.args).toEqual({ name: 'News', task: 'Read the news.', every_minutes: 60 });
});

it('A job that the person declines is not planned', async () => {
  const view = await start();
  const turnId = await view.send('Plan');
  await view.answer('deny');
  await view.closed(turnId);
  expect((await view.rpc.call('schedule/list', {})).jobs).toEqual([]);
});

it('No profile that comes with Andiron has the tools of the schedule, so no prompt grows by them', async () => {
  const view = await start();
  const { profiles } = await view.rpc.call('host/subscribe', {});
  const named = profiles.filter(({ builtIn }) => builtIn).flatMap(({ tools }) => tools);
  expect(named.filter((name) => name.startsWith('schedule_'))).toEqual([]);
  expect(named.length).toBeGreaterThan(10);
});
