import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { Job, JobChanges, JobRun, NewJob } from '../../../protocol/schedule-methods.ts';
import { aProfile, aSession } from '../../testing/fixtures.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { SchedulePane } from './schedule-pane.tsx';

const now = Date.now();
const run = (state: JobRun['state'], more: Partial<JobRun> = {}): JobRun => ({
  id: `run_${state}`,
  jobId: 'job_1',
  plannedAt: now - 60_000,
  lastPlannedAt: now - 60_000,
  count: 1,
  isManual: false,
  state,
  reason: null,
  detail: '',
  startedAt: now - 60_000,
  endedAt: now - 18_000,
  sessionId: null,
  turnId: null,
  ...more,
});
const job = (id: string, more: Partial<Job> = {}): Job => ({
  id,
  name: 'Report',
  task: 'Look around.',
  when: { kind: 'cron', expression: '30 7 * * *', timeZone: 'Europe/Berlin' },
  profileId: 'developer',
  workspace: null,
  afterMissed: 'run_once',
  isPaused: false,
  createdAt: now,
  nextAt: now + 40 * 86_400_000,
  lastRanAt: null,
  runs: [],
  ...more,
});

/** A host that keeps what it is told. */
async function open(known: Job[]) {
  const window = await openTestWindow();
  const asked: unknown[] = [];
  let jobs = known;
  window.host.answer('schedule/list', () => ({ jobs, timeZone: 'Europe/Berlin' }));
  const keep = (next: Job[], what: unknown): void => {
    jobs = next;
    asked.push(what);
    window.stores.host.setState(({ jobChanges = 0 }) => ({ jobChanges: jobChanges + 1 }));
  };
  window.host.answer('schedule/add', ({ job: given }: { job: NewJob }) => {
    const made = job('job_new', given);
    keep([...jobs, made], { add: given });
    return { job: made };
  });
  window.host.answer('schedule/change', ({ jobId, changes }: { jobId: string; changes: JobChanges }) => {
    keep(
      jobs.map((each) => (each.id === jobId ? ({ ...each, ...changes } as Job) : each)),
      { change: changes },
    );
    return { job: jobs[0] };
  });
  window.host.answer('schedule/remove', ({ jobId }: { jobId: string }) => {
    keep(
      jobs.filter(({ id }) => id !== jobId),
      { remove: jobId },
    );
    return {};
  });
  window.host.answer('schedule/run-now', ({ jobId }: { jobId: string }) => {
    keep(jobs, { run: jobId });
    return { job: jobs[0] };
  });
  renderIn(window, <SchedulePane />);
  await act(() => settled());
  const user = userEvent.setup();
  const details = async () => {
    await user.click(screen.getByRole('button', { name: 'Details of Report' }));
    return within(screen.getByRole('region', { name: 'Details of Report' }));
  };
  return { asked, user, details, window };
}

it('Schedule says what a job is before there is one', async () => {
  await open([]);
  expect(screen.getByText('No jobs yet')).toBeDefined();
});

it.each<[string, Partial<Job>, string]>([
  ['nothing yet', {}, 'Hasn’t run yet'],
  ['that it ran, and for how long', { runs: [run('ran')] }, 'Ran at'],
  [
    'how late it ran, and why',
    { runs: [run('late', { reason: 'asleep', startedAt: now + 11 * 60_000 })] },
    'Ran 12 min late: the computer was asleep',
  ],
  [
    'how often it was missed',
    { runs: [run('missed', { reason: 'closed', count: 3 })] },
    'Missed 3 times: Andiron was closed',
  ],
  [
    'why it was skipped',
    { runs: [run('skipped', { reason: 'gpu_released' })] },
    'other programs have the GPU',
  ],
  [
    'the words of a failure',
    { runs: [run('failed', { reason: 'error', detail: 'Ollama is gone.' })] },
    'Failed: Ollama is gone.',
  ],
  ['that it runs', { runs: [run('running', { endedAt: null })] }, 'Running'],
])('The row of a job says %s', async (_what, more, words) => {
  await open([job('job_1', more)]);
  expect(screen.getByText(new RegExp(words))).toBeDefined();
});

it('A job is shown with its plain times and the next one', async () => {
  await open([job('job_1', { isPaused: true })]);
  expect(screen.getByText('Daily 07:30')).toBeDefined();
  expect(screen.getByText('Paused')).toBeDefined();
});

it('The minutes between the runs of a job may have groups', async () => {
  const { asked, user } = await open([]);
  await user.click(screen.getByRole('button', { name: 'New job' }));
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'News');
  await user.type(screen.getByRole('textbox', { name: 'Task' }), 'Read the news.');
  await user.selectOptions(screen.getByRole('combobox', { name: 'When' }), 'Every … minutes');
  const minutes = screen.getByRole('textbox', { name: 'Minutes' });
  await user.clear(minutes);
  await user.type(minutes, '1,440');
  await user.click(screen.getByRole('button', { name: 'Save job' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked).toMatchObject([{ add: { when: { kind: 'interval', everyMs: 86_400_000 } } }]);
});

it('A new job is typed and saved, and nothing is sent before it has a name and a task', async () => {
  const { asked, user } = await open([]);
  await user.click(screen.getByRole('button', { name: 'New job' }));
  await user.click(screen.getByRole('button', { name: 'Save job' }));
  expect(screen.getAllByRole('alert').map((each) => each.textContent)).toEqual([
    'Name the job.',
    'Write what is to be done.',
  ]);
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'News');
  await user.type(screen.getByRole('textbox', { name: 'Task' }), 'Read the news.');
  await user.selectOptions(screen.getByRole('combobox', { name: 'When' }), 'Every … minutes');
  const minutes = screen.getByRole('textbox', { name: 'Minutes' });
  await user.clear(minutes);
  await user.type(minutes, '0');
  await user.click(screen.getByRole('button', { name: 'Save job' }));
  expect(screen.getByRole('alert').textContent).toContain('whole number');
  expect(asked).toEqual([]);
  await user.clear(minutes);
  await user.type(minutes, '45');
  await user.selectOptions(screen.getByRole('combobox', { name: 'After a missed run' }), 'Skip it');
  await user.click(screen.getByRole('button', { name: 'Save job' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked).toMatchObject([
    {
      add: {
        name: 'News',
        task: 'Read the news.',
        when: { kind: 'interval', everyMs: 2_700_000 },
        workspace: null,
        afterMissed: 'skip',
      },
    },
  ]);
  expect(screen.getByText('News')).toBeDefined();
});

it('A job that is edited keeps its time where only its name changes', async () => {
  const { asked, user, details } = await open([job('job_1')]);
  await user.click((await details()).getByRole('button', { name: 'Edit' }));
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'When' }).value).toBe('daily');
  await user.type(screen.getByRole('textbox', { name: 'Name' }), ' 2');
  await user.click(screen.getByRole('button', { name: 'Save job' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked).toMatchObject([{ change: { name: 'Report 2' } }]);
  expect(JSON.stringify(asked)).not.toContain('when');
});

async function editJob(more: Partial<Job>) {
  const opened = await open([job('job_1', more)]);
  opened.window.stores.host.setState({
    profiles: [aProfile(), aProfile({ id: 'writer', name: 'Writer' })],
    defaults: { profileId: 'developer', workspace: '/w' },
  });
  await opened.user.click((await opened.details()).getByRole('button', { name: 'Edit' }));
  const profile = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Profile' });
  return { ...opened, profile };
}

it('A job whose profile was deleted says so in its form, and is saved with another one', async () => {
  const { asked, user, profile } = await editJob({ profileId: 'gone' });
  expect(profile.selectedOptions[0]?.textContent).toBe('gone (deleted)');
  await user.selectOptions(profile, 'Developer');
  await user.click(screen.getByRole('button', { name: 'Save job' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked).toMatchObject([{ change: { profileId: 'developer' } }]);
});

it('A job whose profile and folder are gone is renamed without a word of either, which would be refused', async () => {
  const { asked, user } = await editJob({ profileId: 'gone', workspace: '/gone' });
  await user.type(screen.getByRole('textbox', { name: 'Name' }), ' 2');
  await user.click(screen.getByRole('button', { name: 'Save job' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked).toEqual([{ change: { name: 'Report 2', task: 'Look around.', afterMissed: 'run_once' } }]);
});

it('A job runs now, pauses, resumes and goes, each by a click', async () => {
  const { asked, user, details } = await open([job('job_1')]);
  const row = await details();
  await user.click(row.getByRole('button', { name: 'Run now' }));
  await user.click(row.getByRole('button', { name: 'Pause' }));
  await user.click(await screen.findByRole('button', { name: 'Resume' }));
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  await user.click(screen.getByRole('button', { name: 'Remove job' }));
  await screen.findByText('No jobs yet');
  expect(asked).toEqual([
    { run: 'job_1' },
    { change: { isPaused: true } },
    { change: { isPaused: false } },
    { remove: 'job_1' },
  ]);
});

it('A run that asks is answered in its session', async () => {
  const { user, window } = await open([job('job_1', { runs: [run('running', { sessionId: 's1' })] })]);
  act(() => window.stores.host.setState({ sessions: [aSession({ id: 's1', status: 'asking' })] }));
  expect(screen.getByText('Waits for you')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Answer' }));
  expect(window.stores.ui.getState().openSessionId).toBe('s1');
});
