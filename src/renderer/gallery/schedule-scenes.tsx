/** Jobs in the settings: one of every state with its history, the form of a new one, and none yet. */
import type { Job, JobRun } from '../../protocol/schedule-methods.ts';
import { JobForm } from '../features/settings/job-form.tsx';
import { scene, settings, type Scene } from './scene.tsx';
import { schedulePane } from '../text.ts';

const timeZone = 'Europe/Berlin';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const run = (id: string, plannedAt: number, more: Partial<JobRun>): JobRun => ({
  id,
  jobId: '',
  plannedAt,
  lastPlannedAt: plannedAt,
  count: 1,
  isManual: false,
  state: 'ran',
  reason: null,
  detail: '',
  startedAt: plannedAt,
  endedAt: plannedAt + 42_000,
  sessionId: null,
  turnId: null,
  ...more,
});
const job = (id: string, name: string, more: Partial<Job>): Job => ({
  id,
  name,
  task: `${name}: look through what is new and say in five lines what matters.`,
  when: { kind: 'cron', expression: '0 7 * * 1-5', timeZone },
  profileId: 'developer',
  workspace: null,
  afterMissed: 'run_once',
  isPaused: false,
  createdAt: 0,
  nextAt: null,
  lastRanAt: null,
  runs: [],
  ...more,
});
const cron = (expression: string): Pick<Job, 'when'> => ({ when: { kind: 'cron', expression, timeZone } });

const jobs = (now: number): Job[] => [
  job('a', 'News for Mia', {
    nextAt: now + 2 * day,
    runs: [
      run('1', now - 3 * hour, {}),
      run('2', now - day, { state: 'late', reason: 'closed', startedAt: now - day + 2 * hour }),
      run('3', now - 4 * day, { state: 'missed', reason: 'asleep', count: 3 }),
      run('4', now - 5 * day, {
        state: 'failed',
        reason: 'error',
        detail: 'Ollama does not answer. Start it, and run the job again.',
      }),
    ],
  }),
  job('b', 'Nightly build report', {
    ...cron('10 3 * * *'),
    nextAt: now + 14 * hour,
    runs: [
      run('5', now - 9 * hour, { state: 'late', reason: 'waited', startedAt: now - 9 * hour + 12 * minute }),
    ],
  }),
  job('c', 'Back up notes', {
    ...cron('0 22 * * 0'),
    nextAt: now + 5 * day,
    runs: [run('6', now - 2 * day, { state: 'missed', reason: 'asleep' })],
  }),
  job('d', 'Summarise the inbox', {
    ...cron('0 * * * *'),
    nextAt: now + 20 * minute,
    runs: [run('7', now - 40 * minute, { state: 'skipped', reason: 'gpu_released' })],
  }),
  job('e', 'Check dependencies', {
    ...cron('0 9 * * 1'),
    nextAt: now + 3 * day,
    runs: [run('8', now - 4 * day, { state: 'failed', reason: 'step_limit' })],
  }),
  job('f', 'Renew certificates', {
    when: { kind: 'interval', everyMs: 30 * day },
    nextAt: now + 29 * day,
    runs: [run('9', now - hour, { state: 'running', startedAt: null, endedAt: null })],
  }),
  job('g', 'Tidy downloads of a computer that has many of them', {
    when: { kind: 'once', at: now + 3 * hour },
    nextAt: now + 3 * hour,
  }),
  job('h', 'Weather', { ...cron('30 6 1 * *'), isPaused: true }),
];

const pane = (id: string, known: (now: number) => Job[], first?: string): Scene =>
  settings(
    id,
    'schedule',
    (now) => ({ hostAnswers: { 'schedule/list': () => ({ jobs: known(now), timeZone }) } }),
    first === undefined ? {} : { press: () => `[aria-label="${schedulePane.show(first)}"]` },
  );

const form = (id: string, shown: (now: number) => Job | null): Scene =>
  scene(
    id,
    () => ({}),
    () => <JobForm job={shown(Date.now())} timeZone={timeZone} onClose={() => undefined} />,
  );

export const scheduleScenes: Scene[] = [
  pane('schedule', jobs),
  pane('schedule-open', jobs, 'News for Mia'),
  pane('schedule-none', () => []),
  form('settings-schedule-form', () => null),
];
