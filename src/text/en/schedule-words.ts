import { count, plural, seconds } from './figures.ts';

type Reason =
  | 'asleep'
  | 'closed'
  | 'clock'
  | 'waited'
  | 'still_running'
  | 'gpu_released'
  | 'over_budget'
  | 'stopped'
  | 'step_limit'
  | 'interrupted'
  | 'withdrawn'
  | 'error';

const reasons: Record<Exclude<Reason, 'error'>, string> = {
  asleep: 'the computer was asleep',
  closed: 'Andiron was closed',
  clock: 'the clock was set forward',
  waited: 'waited for the GPU',
  still_running: 'its last run was still going',
  gpu_released: 'other programs have the GPU',
  over_budget: 'no tokens are left',
  stopped: 'you stopped it',
  step_limit: 'it reached the step limit',
  interrupted: 'Andiron was closed during the run',
  withdrawn: 'its message was taken back',
};

/** Of a reason and the words of an error. */
const why = (reason: Reason | null, detail: string): string =>
  reason === null || reason === 'error' ? detail : reasons[reason];

const missedTimes = (times: number): string =>
  times === 1 ? 'Missed' : `Missed ${count(times)}${times < 1_000 ? '' : ' or more'} times`;

/** Tasks for later, in the settings. */
export const schedulePane = {
  add: 'New job',
  none: 'No jobs yet',
  noneHelp: 'A job sends a message at a time that you choose. It runs while Andiron is open.',
  asking: 'Loading…',
  failed: 'The jobs could not be read.',
  columns: { job: 'Job', last: 'Last run', next: 'Next' },
  show: (name: string): string => `Details of ${name}`,
  open: 'Open',
  answer: 'Answer',
  runNow: 'Run now',
  edit: 'Edit',
  pause: 'Pause',
  resume: 'Resume',
  remove: 'Remove',
  removeTitle: (name: string): string => `Remove “${name}”?`,
  removeText: 'Its history goes with it. Its session stays.',
  keep: 'Keep job',
  removeJob: 'Remove job',
  history: 'History',
  task: 'Task',

  when: {
    daily: (time: string): string => `Daily ${time}`,
    weekdays: (time: string): string => `Weekdays ${time}`,
    weekly: (day: string, time: string): string => `${day} ${time}`,
    hourly: 'Hourly',
    every: (minutes: number): string =>
      minutes % 1_440 === 0
        ? `Every ${plural(minutes / 1_440, 'day', 'days')}`
        : minutes % 60 === 0
          ? `Every ${plural(minutes / 60, 'hour', 'hours')}`
          : `Every ${count(minutes)} min`,
    once: (day: string): string => `Once, ${day}`,
    afterSession: (title: string): string => `After “${title}”`,
    goneSession: 'After a session',
    inZone: (when: string, timeZone: string): string => `${when} (${timeZone})`,
  },
  next: {
    paused: 'Paused',
    none: 'Never again',
    afterSession: 'When that ends',
    today: (time: string): string => `Today ${time}`,
    due: 'Now',
  },
  runs: {
    none: 'Hasn’t run yet',
    running: 'Running',
    queued: 'Waits for the GPU',
    asking: 'Waits for you',
    ran: (at: string, ms: number | null): string =>
      ms === null ? `Ran at ${at}` : `Ran at ${at} in ${seconds(ms)}`,
    late: (ms: number | null, reason: Reason | null): string =>
      `Ran ${ms === null ? '' : `${lateness(ms)} `}late: ${why(reason, '')}`,
    missed: (times: number, reason: Reason | null): string => `${missedTimes(times)}: ${why(reason, '')}`,
    skipped: (at: string, reason: Reason | null): string => `Skipped at ${at}: ${why(reason, '')}`,
    failed: (reason: Reason | null, detail: string): string => `Failed: ${why(reason, detail)}`,
  },
  ended: {
    ran: (name: string): string => `“${name}” ran.`,
    late: (name: string): string => `“${name}” ran late.`,
    missed: (name: string): string => `“${name}” was missed.`,
    skipped: (name: string): string => `“${name}” was skipped.`,
    failed: (name: string): string => `“${name}” failed.`,
    why: (reason: Reason | null, detail: string): string => {
      const words = why(reason, detail);
      return words === ''
        ? ''
        : `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith('.') ? '' : '.'}`;
    },
  },

  form: {
    newTitle: 'New job',
    editTitle: 'Edit job',
    name: 'Name',
    noName: 'Name the job.',
    task: 'Task',
    taskHelp: 'Sent as a message each time. Each run begins without what the last one said.',
    noTask: 'Write what is to be done.',
    when: 'When',
    kinds: {
      daily: 'Daily',
      weekdays: 'Weekdays',
      interval: 'Every … minutes',
      once: 'Once',
      cron: 'Cron expression',
      after_session: 'After a session',
    },
    time: 'Time',
    day: 'Day and time',
    minutes: 'Minutes',
    wrongMinutes: 'Write a whole number of minutes, 1 or more.',
    cron: 'Cron expression',
    cronHelp: 'Minute, hour, day of the month, month, weekday.',
    zone: (timeZone: string): string => `In the time zone ${timeZone}.`,
    session: 'Session',
    noSession: 'No session is working now.',
    noTime: 'Choose a time.',
    profile: 'Profile',
    folder: 'Folder',
    folderHelp: 'Leave it empty for a folder of the job’s own.',
    missed: 'After a missed run',
    missedHelp: 'When the computer was asleep, or Andiron closed.',
    runOnce: 'Run once when back',
    skip: 'Skip it',
    save: 'Save job',
    cancel: 'Cancel',
  },
};

function lateness(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${count(Math.max(1, minutes))} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${count(hours)} h` : plural(Math.round(hours / 24), 'day', 'days');
}
