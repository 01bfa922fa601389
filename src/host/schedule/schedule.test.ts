import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../platform/log.ts';
import type { JobRun, NewJob } from '../../protocol/schedule-methods.ts';
import type { StoredJob } from '../store/job-store.ts';
import type { Store } from '../store/store.ts';
import { storeFolder, summary, type StoreFolder } from '../store/testing.ts';
import { createAgentJobs } from './agent-jobs.ts';
import type { TurnEnd } from './job-turns.ts';
import { createSchedule, type Schedule } from './schedule.ts';

const hour = 3_600_000;
const start = Date.parse('2026-05-01T10:00:30Z');

let folder: StoreFolder;
let store: Store;
let now: number;
let sinceBoot: number;
let timers: { run: () => void; isCancelled: boolean }[];
let isQueued: boolean;
/** Sessions that work. */
let busy: Set<string>;
/** What the next write of a run throws. */
let diskFault: Error | null;
let turns: PromiseWithResolvers<TurnEnd | null>[];
let schedule: Schedule;
let ids: number;

beforeEach(() => {
  folder = storeFolder();
  store = folder.open();
  [now, sinceBoot, timers, isQueued, turns, ids] = [start, hour, [], false, [], 0];
  [busy, diskFault] = [new Set(), null];
  schedule = open();
});
afterEach(() => folder.remove());

function open(): Schedule {
  return createSchedule({
    store: {
      ...store,
      putRun(run) {
        if (diskFault) throw diskFault;
        store.putRun(run);
      },
    },
    clock: {
      now: () => now,
      monotonic: () => now,
      sinceBoot: () => sinceBoot,
      after(_ms, run) {
        const timer = { run, isCancelled: false };
        timers.push(timer);
        return { cancel: () => (timer.isCancelled = true) };
      },
    },
    newId: (prefix) => `${prefix}${String((ids += 1))}`,
    turns: {
      run(job, onStored) {
        const turn = Promise.withResolvers<TurnEnd | null>();
        turns.push(turn);
        onStored(`ses_${job.id}`, `turn_${String(turns.length)}`);
        return turn.promise;
      },
      stored: () => null,
      isQueued: () => isQueued,
      isBusy: (sessionId) => busy.has(sessionId),
    },
    isGpuReleased: () => false,
    mayUseTokens: () => true,
    isProfile: () => true,
    resolveWorkspace: (path) => Promise.resolve(path),
    publish: () => undefined,
    log: silentLog,
    timeZone: 'UTC',
  });
}

const given: NewJob = {
  name: 'Report',
  task: 'Look around.',
  when: { kind: 'cron', expression: '0 * * * *', timeZone: 'UTC' },
  profileId: 'reader',
  workspace: null,
  afterMissed: 'run_once',
};
/** Time passes, awake, and whoever waits looks. */
function pass(ms: number): void {
  now += ms;
  sinceBoot += ms;
  look();
}
function look(): void {
  const waiting = timers.filter(({ isCancelled }) => !isCancelled);
  timers = [];
  for (const { run } of waiting) run();
}
const ended = async (more: Partial<TurnEnd> = {}): Promise<void> => {
  turns.at(-1)?.resolve({ status: 'finished', words: '', startedAt: now, endedAt: now, ...more });
  await new Promise((resolve) => setImmediate(resolve));
};
const runs = (): [string, string | null, string][] =>
  (schedule.list()[0]?.runs ?? []).map(({ state, reason, plannedAt }) => [
    state,
    reason,
    new Date(plannedAt).toISOString().slice(11, 16),
  ]);
const next = (): string => new Date(schedule.list()[0]?.nextAt ?? 0).toISOString().slice(0, 16);

/** As a host leaves it that died after it had written that a run is due, and before its turn was stored. */
function dieBeforeTheTurn(afterMissed: 'run_once' | 'skip'): void {
  const plannedAt = Date.parse('2026-05-01T08:00:00Z');
  const job: StoredJob = {
    ...given,
    afterMissed,
    id: 'job_died',
    userId: 'owner',
    isPaused: false,
    createdAt: plannedAt - hour,
    plannedSince: plannedAt - hour,
    nextAt: plannedAt + hour,
  };
  const run: JobRun = {
    id: 'run_died',
    jobId: job.id,
    plannedAt,
    lastPlannedAt: plannedAt,
    count: 1,
    isManual: false,
    state: 'running',
    reason: null,
    detail: '',
    startedAt: null,
    endedAt: null,
    sessionId: null,
    turnId: null,
  };
  store.putJob(job);
  store.putRun(run);
}

test('A run that had no turn yet as Andiron died is made up for, with what passed since', async () => {
  dieBeforeTheTurn('run_once');
  schedule.start(false);
  await ended();
  expect(runs()).toEqual([
    ['ran', null, '10:00'],
    ['missed', 'closed', '08:00'],
  ]);
});

test('A run that had no turn yet as Andiron died was missed where the job is not made up for', () => {
  dieBeforeTheTurn('skip');
  now += 10 * 60_000;
  schedule.start(false);
  expect(runs()).toEqual([['missed', 'closed', '08:00']]);
  expect(turns).toEqual([]);
});

test('An Andiron that was started for one command begins nothing, and loses nothing', () => {
  dieBeforeTheTurn('run_once');
  schedule.start(true);
  expect(turns).toEqual([]);
  expect(timers).toEqual([]);
  expect(runs()).toEqual([]);
  expect(next()).toBe('2026-05-01T08:00');
});

test('An Andiron that was started for one command and is opened begins what it left alone, once', () => {
  dieBeforeTheTurn('run_once');
  schedule.start(true);
  schedule.stay();
  expect(turns).toHaveLength(1);
  schedule.stay();
  expect(turns).toHaveLength(1);
});

test('Without a job no timer waits', async () => {
  schedule.start(false);
  expect(timers).toEqual([]);
  const { id } = await schedule.add('owner', given);
  expect(timers.filter(({ isCancelled }) => !isCancelled)).toHaveLength(1);
  schedule.remove(id);
  expect(timers.filter(({ isCancelled }) => !isCancelled)).toEqual([]);
});

test('A clock that was years ahead and is set right again plans by what it says now', async () => {
  schedule.start(false);
  await schedule.add('owner', given);
  now += 4 * 365 * 24 * hour;
  look();
  await ended();
  expect(next().slice(0, 4)).toBe('2030');
  now = start + 60_000;
  look();
  expect(next()).toBe('2026-05-01T11:00');
});

test('A clock that is set back an hour does not repeat what ran', async () => {
  schedule.start(false);
  await schedule.add('owner', given);
  pass(hour);
  await ended();
  now -= hour;
  look();
  expect(next()).toBe('2026-05-01T12:00');
});

test('A run that waited for the GPU is late by when it had it, and says so', async () => {
  schedule.start(false);
  await schedule.add('owner', given);
  pass(hour - 30_000);
  isQueued = true;
  schedule.sessionsChanged();
  pass(12 * 60_000);
  isQueued = false;
  schedule.sessionsChanged();
  await ended({ startedAt: now - 12 * 60_000 });
  expect(runs()).toEqual([['late', 'waited', '11:00']]);
});

test('A run whose job is removed meanwhile leaves nothing behind', async () => {
  schedule.start(false);
  const { id } = await schedule.add('owner', given);
  pass(hour - 30_000);
  schedule.remove(id);
  await ended();
  expect(schedule.list()).toEqual([]);
  expect(store.runningRuns()).toEqual([]);
});

test('A job that is removed while its run waits for the GPU leaves that to its session', async () => {
  schedule.start(false);
  const { id } = await schedule.add('owner', given);
  pass(hour - 30_000);
  isQueued = true;
  schedule.sessionsChanged();
  schedule.remove(id);
  isQueued = false;
  expect(() => schedule.sessionsChanged()).not.toThrow();
  await ended();
  expect(store.runningRuns()).toEqual([]);
});

test('A start that cannot be stored is told with the end of its run, and no session hears of it', async () => {
  schedule.start(false);
  await schedule.add('owner', given);
  pass(hour - 30_000);
  isQueued = true;
  schedule.sessionsChanged();
  isQueued = false;
  pass(12 * 60_000);
  diskFault = new Error('The disk is full.');
  expect(() => schedule.sessionsChanged()).not.toThrow();
  diskFault = null;
  await ended({ startedAt: now });
  expect(runs()).toEqual([['late', 'waited', '11:00']]);
});

test('Where the first look cannot write, the next one in half a minute begins what is due', async () => {
  dieBeforeTheTurn('run_once');
  schedule.start(true);
  diskFault = new Error('The disk is full.');
  schedule.stay();
  expect(turns).toEqual([]);
  diskFault = null;
  look();
  expect(turns).toHaveLength(1);
});

const after = (sessionId: string): NewJob => ({ ...given, when: { kind: 'after_session', sessionId } });

describe('A job after a session', () => {
  test('runs after the session that was chosen last, also where it ran before by another plan', async () => {
    schedule.start(false);
    const { id } = await schedule.add('owner', given);
    pass(hour - 30_000);
    await ended();
    busy.add('ses_working');
    pass(60_000);
    await schedule.change(id, { when: { kind: 'after_session', sessionId: 'ses_working' } });
    look();
    expect(turns).toHaveLength(1);
    busy.clear();
    schedule.sessionsChanged();
    look();
    expect(turns).toHaveLength(2);
    await ended();
    schedule.sessionsChanged();
    look();
    expect(turns).toHaveLength(2);
  });

  test('begins when it goes on and its session has ended meanwhile', async () => {
    schedule.start(false);
    busy.add('ses_working');
    const { id } = await schedule.add('owner', after('ses_working'));
    await schedule.change(id, { isPaused: true });
    busy.clear();
    schedule.sessionsChanged();
    look();
    expect(turns).toEqual([]);
    await schedule.change(id, { isPaused: false });
    look();
    expect(turns).toHaveLength(1);
  });

  test('that cannot be recorded begins with the next session that ends', async () => {
    schedule.start(false);
    busy.add('ses_working');
    await schedule.add('owner', after('ses_working'));
    busy.clear();
    diskFault = new Error('The disk is full.');
    schedule.sessionsChanged();
    expect(look).not.toThrow();
    diskFault = null;
    schedule.sessionsChanged();
    look();
    expect(turns).toHaveLength(1);
  });
});

test('A time that could not be read back is refused', async () => {
  const days = Array.from({ length: 31 }, (_, day) => day + 1).join(',');
  const when = {
    ...given.when,
    expression: `0 7 ${days} 1,2,3,4,5,6,7,8,9,10,11,12 1,2,3,4,5`,
  } as typeof given.when;
  await expect(schedule.add('owner', { ...given, when })).rejects.toThrow('cannot be kept');
  expect(schedule.list()).toEqual([]);
});

test.each([
  ['2026-05-02T07:00', '2026-05-02T07:00'],
  ['2028-02-29T07:00', '2028-02-29T07:00'],
  ['2026-02-30T07:00', null],
  ['2026-11-31T07:00', null],
  ['2026-13-01T07:00', null],
  ['2026-05-02', null],
])('A time that an agent wrote, %s, is read as %s', (text, expected) => {
  const jobs = createAgentJobs({ schedule, store, sessions: {} as never, clock: { now: () => now } });
  expect(jobs.readTime(text)).toBe(expected === null ? null : Date.parse(expected));
});

test('A time that passed in a minute of waiting is no miss', async () => {
  schedule.start(false);
  await schedule.add('owner', given);
  pass(hour - 30_000 + 60_000);
  await ended();
  expect(runs()).toEqual([['ran', null, '11:00']]);
});

test('The agent of a person lists and cancels the jobs of that person alone', async () => {
  const user = { name: '', level: 'admin', budget: null, used: 0, resetAt: 0, blockedAt: null } as const;
  store.putUser({ ...user, id: 'ann', createdAt: 0 });
  store.createSession({ summary: summary({ id: 's' }), workspaceReal: '/w', contextUsage: null });
  const sessions = { get: () => ({ summary: summary({ id: 's' }) }) } as never;
  const jobs = createAgentJobs({ schedule, store, sessions, clock: { now: () => now } });
  const own = await jobs.add('s', { name: 'Mine', task: 'Look.', when: given.when });
  const other = await schedule.add('ann', given);
  expect(jobs.list('s').map(({ name }) => name)).toEqual(['Mine']);
  expect(() => jobs.cancel('s', other.id)).toThrow('no such job');
  expect(jobs.cancel('s', own.id).name).toBe('Mine');
  expect(schedule.list().map(({ id }) => id)).toEqual([other.id]);
});
