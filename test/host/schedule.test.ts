/** Jobs on the real host: from the moment that one is due to its row, and back from a restart. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostEvent } from '../../src/protocol/events.ts';
import type { Job, JobWhen, NewJob } from '../../src/protocol/schedule-methods.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World, type Window } from '../helpers/host-world.ts';
import { skippableClock, type SkippableClock } from '../helpers/skippable-clock.ts';

const hour = 3_600_000;
let clock: SkippableClock;
let world: World;
let window: Window;
let told: HostEvent[];
let bell: (() => void)[];

function listen(): void {
  window = world.openWindow();
  window.rpc.onEvent((topic, _seq, event) => {
    if (topic !== 'host') return;
    told.push(event as HostEvent);
    for (const ring of bell.splice(0)) ring();
  });
}

beforeEach(async () => {
  [told, bell] = [[], []];
  clock = skippableClock();
  const answers = script([
    rule({ user: 'Wait' }, reply().text('Half. ').pause(600_000).text('All.')),
    rule({}, reply().text('All is well.')),
  ]);
  world = await World.start({ clock, sim: { script: answers } });
  listen();
  await window.rpc.call('host/subscribe', {});
});
afterEach(() => world.close());

const inAnHour = (): JobWhen => ({ kind: 'once', at: clock.now() + hour });
const add = async (more: Partial<NewJob> = {}): Promise<Job> => {
  const job: NewJob = {
    name: 'Report',
    task: 'Look around.',
    when: inAnHour(),
    profileId: 'reader',
    workspace: null,
    afterMissed: 'run_once',
    ...more,
  };
  return (await window.rpc.call('schedule/add', { job })).job;
};
const jobs = async (): Promise<Job[]> => (await window.rpc.call('schedule/list', {})).jobs;
const first = async (): Promise<Job> => {
  const [job] = await jobs();
  if (!job) throw new Error('There is no job.');
  return job;
};
/** Resolves when the first job is so; looks again with everything that is told. */
async function until(isSo: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const next = new Promise<void>((resolve) => bell.push(resolve));
    const job = await first();
    if (isSo(job)) return job;
    await next;
  }
}
const ended = (): Promise<Job> => until(({ runs: [run] }) => run !== undefined && run.state !== 'running');
const chats = (): number =>
  world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat').length;
const ends = () => told.flatMap((event) => (event.type === 'schedule/ended' ? [event] : []));

it('A job runs at its time as a turn of its own session, and says so when that turn is closed', async () => {
  const { id, nextAt } = await add();
  clock.skip(hour);
  const job = await ended();
  const [run] = job.runs;
  expect(run).toMatchObject({ jobId: id, plannedAt: nextAt, state: 'ran', reason: null, isManual: false });
  expect(job).toMatchObject({ nextAt: null, lastRanAt: run?.endedAt });
  const view = await window.follow(run?.sessionId ?? '');
  expect(view.turn(run?.turnId ?? '')).toMatchObject({ status: 'finished', text: 'Look around.' });
  expect(view.state.session).toMatchObject({
    title: 'Report',
    profileId: 'reader',
    place: { platform: 'schedule', channel: id },
  });
  expect(ends()).toMatchObject([{ name: 'Report', state: 'ran', sessionId: run?.sessionId }]);
});

it('A job works in the folder that it names, else in an empty one of its own', async () => {
  const here = world.workspace;
  await add({ workspace: here });
  clock.skip(hour);
  const [run] = (await ended()).runs;
  expect((await window.follow(run?.sessionId ?? '')).state.session.workspace).toContain(here);
  await window.rpc.call('schedule/change', { jobId: run?.jobId ?? '', changes: { workspace: null } });
  await window.rpc.call('schedule/run-now', { jobId: run?.jobId ?? '' });
  const job = await until(({ runs }) => runs.length === 2 && runs.every(({ state }) => state === 'ran'));
  const other = await window.follow(job.runs[0]?.sessionId ?? '');
  expect(other.sessionId).not.toBe(run?.sessionId);
  expect(other.state.session.workspace).not.toContain(here);
});

it('Each run begins without what the last one said, and that stays to be read', async () => {
  const { id } = await add();
  for (const times of [1, 2]) {
    await window.rpc.call('schedule/run-now', { jobId: id });
    await until(({ runs }) => runs.length === times && runs.every(({ state }) => state === 'ran'));
  }
  const [run] = (await first()).runs;
  const view = await window.follow(run?.sessionId ?? '');
  expect(view.state.turns.map(({ replaced }) => replaced ?? false)).toEqual([true, false]);
  const asked = world.sim.truth.requests.findLast(({ endpoint }) => endpoint === '/api/chat');
  const body = asked?.body as { messages: { role: string }[] } | undefined;
  expect(body?.messages.filter(({ role }) => role === 'assistant')).toEqual([]);
});

describe('A run that is due is skipped', () => {
  it('while the last one is still running', async () => {
    const { id } = await add({ task: 'Wait', when: { kind: 'interval', everyMs: hour } });
    clock.skip(hour);
    const { runs } = await until(({ runs: [run] }) => run?.turnId != null);
    clock.skip(hour);
    const job = await until((now) => now.runs.length === 2);
    expect(job.runs.map(({ state, reason }) => [state, reason])).toEqual([
      ['skipped', 'still_running'],
      ['running', null],
    ]);
    await expect(window.rpc.call('schedule/run-now', { jobId: id })).rejects.toMatchObject({ code: 'busy' });
    await window.rpc.call('turn/stop', { sessionId: runs[0]?.sessionId ?? '' });
    const after = await until((now) => now.runs.every(({ state }) => state !== 'running'));
    expect(after.runs[1]).toMatchObject({ state: 'failed', reason: 'stopped' });
    expect(after.lastRanAt).toBeNull();
  });

  it('while the GPU is released, and nothing is loaded for it', async () => {
    const view = await world.openSession();
    await view.ask('Hello.');
    await world.rest();
    await world.openEngineRoom().call('engine/lend', {});
    const asked = chats();
    await add();
    clock.skip(hour);
    expect((await ended()).runs).toMatchObject([{ state: 'skipped', reason: 'gpu_released', turnId: null }]);
    expect(chats()).toBe(asked);
  });
});

it('A run whose turn fails says why in the words of the failure', async () => {
  await add({ profileId: 'reader' });
  await world.sim.close();
  clock.skip(hour);
  const [run] = (await ended()).runs;
  expect(run).toMatchObject({ state: 'failed', reason: 'error' });
  expect(run?.detail).toMatch(/Ollama/);
});

describe('After a restart', () => {
  it('a time that passed while Andiron was closed is made up for once, and says so', async () => {
    await add({ when: { kind: 'interval', everyMs: hour } });
    await world.host.close();
    clock.skip(3 * hour + 60_000 * 5);
    await world.restartHost();
    listen();
    await window.rpc.call('host/subscribe', {});
    const job = await until(({ runs: [run] }) => run?.state === 'late');
    expect(job.runs.map(({ state, reason, count }) => [state, reason, count])).toEqual([
      ['late', 'closed', 1],
      ['missed', 'closed', 2],
    ]);
  });

  it('a time that passed stays missed where the job says so', async () => {
    await add({ afterMissed: 'skip' });
    await world.host.close();
    clock.skip(2 * hour);
    await world.restartHost();
    listen();
    await window.rpc.call('host/subscribe', {});
    const job = await ended();
    expect(job.runs).toMatchObject([{ state: 'missed', reason: 'closed', turnId: null }]);
    expect(job).toMatchObject({ lastRanAt: null, nextAt: null });
  });

  it('a run that Andiron’s end cut off has failed, and is not begun again', async () => {
    await add({ task: 'Wait' });
    clock.skip(hour);
    await until(({ runs: [run] }) => run?.turnId != null);
    await world.restartHost();
    listen();
    await window.rpc.call('host/subscribe', {});
    const job = await ended();
    expect(job.runs).toMatchObject([{ state: 'failed', reason: 'interrupted' }]);
    expect(job.lastRanAt).toBeNull();
  });
});

it('A job after a session begins when that has nothing more to do, and once', async () => {
  const view = await world.openSession();
  const when: JobWhen = { kind: 'after_session', sessionId: view.sessionId };
  await expect(add({ when })).rejects.toMatchObject({ code: 'invalid_params' });
  const turnId = await view.send('Wait');
  await view.until(({ items }) => [...items].some((item) => item.kind === 'text'));
  await add({ when });
  await window.rpc.call('turn/stop', { sessionId: view.sessionId });
  await view.closed(turnId);
  expect((await ended()).runs).toMatchObject([{ state: 'ran' }]);
  await view.ask('Hello.');
  expect((await first()).runs).toHaveLength(1);
});

describe('A job is refused', () => {
  it.each<[string, Partial<NewJob>, string]>([
    ['for a time that is over', { when: { kind: 'once', at: 0 } }, 'invalid_params'],
    [
      'for a day that never comes',
      { when: { kind: 'cron', expression: '0 0 30 2 *', timeZone: 'UTC' } },
      'invalid_params',
    ],
    [
      'for a time zone that is none',
      { when: { kind: 'cron', expression: '0 7 * * *', timeZone: 'Mars/Base' } },
      'invalid_params',
    ],
    ['for a profile that is gone', { profileId: 'gone' }, 'not_found'],
    ['for a folder that is not there', { workspace: '/nowhere/at/all' }, 'workspace_invalid'],
  ])('%s', async (_what, more, code) => {
    await expect(add(more)).rejects.toMatchObject({ code });
    expect(await jobs()).toEqual([]);
  });
});

it('A paused job has no time, and one that goes on is planned from now', async () => {
  const { id } = await add({ when: { kind: 'interval', everyMs: hour } });
  const change = async (isPaused: boolean) =>
    (await window.rpc.call('schedule/change', { jobId: id, changes: { isPaused } })).job;
  expect((await change(true)).nextAt).toBeNull();
  clock.skip(5 * hour);
  const job = await change(false);
  expect(job.runs).toEqual([]);
  expect(job.nextAt).toBeGreaterThan(clock.now());
});

it('A removed job is gone with its runs, and its session stays', async () => {
  const { id } = await add();
  await window.rpc.call('schedule/run-now', { jobId: id });
  const [run] = (await ended()).runs;
  await window.rpc.call('schedule/remove', { jobId: id });
  expect(await jobs()).toEqual([]);
  expect((await window.follow(run?.sessionId ?? '')).state.turns).toHaveLength(1);
  await expect(window.rpc.call('schedule/remove', { jobId: id })).rejects.toMatchObject({
    code: 'not_found',
  });
});

it('A job that is removed while its run waits for the GPU ends nothing else, and that run goes on', async () => {
  const view = await world.openSession();
  await view.send('Wait');
  await view.until(({ items }) => [...items].some((item) => item.kind === 'text'));
  const { id } = await add();
  clock.skip(hour);
  const [run] = (await until(({ runs: [due] }) => due?.turnId != null)).runs;
  const job = await window.follow(run?.sessionId ?? '');
  await job.until(({ session }) => session.status === 'queued');
  await window.rpc.call('schedule/remove', { jobId: id });
  await window.rpc.call('turn/stop', { sessionId: view.sessionId });
  expect(await job.closed(run?.turnId ?? '')).toMatchObject({ status: 'finished' });
  expect(await jobs()).toEqual([]);
});
