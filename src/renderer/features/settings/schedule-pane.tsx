import { useState } from 'react';
import type { Job, JobRun } from '../../../protocol/schedule-methods.ts';
import { useCommands } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useNow } from '../../components/use-elapsed.ts';
import { timeAndDay } from '../../components/time-of-day.ts';
import { useHost } from '../../stores/stores.ts';
import { schedulePane as text, settings } from '../../text.ts';
import { ActionButton, AskedButton } from './controls.tsx';
import { EmptyNote, FailureLine, NameCell, OpeningRow, Unanswered } from './pane-parts.tsx';
import { JobForm } from './job-form.tsx';
import { nextWords, runLook, whenWords } from './job-words.ts';
import { useAsked, useAttempt } from './use-attempt.ts';
import settingsStyles from './settings.module.css';
import jobsStyles from './jobs.module.css';

/** A time that comes is said again at least so often. */
const everyMs = 30_000;

/** Which job is being written; `new` = another one. */
type Editing = Job | 'new' | null;

/** Tasks for later: when they are due next, and what became of each time before. */
export function SchedulePane() {
  const changes = useHost((host) => host.jobChanges ?? 0);
  const asked = useAsked(`schedule:${changes}`, (ask) => ask.schedule());
  const { value } = asked;
  const [editing, setEditing] = useState<Editing>(null);
  const jobs = value?.jobs ?? [];
  return (
    <div className={settingsStyles.pane}>
      <header className={settingsStyles.usageHead}>
        <h2>{settings.sections.schedule}</h2>
        <Button onClick={() => setEditing('new')}>{text.add}</Button>
      </header>
      <Unanswered {...{ asked, text }} />
      {value && jobs.length === 0 && <EmptyNote text={text.none} help={text.noneHelp} />}
      {jobs.length > 0 && (
        <div className={`${jobsStyles.jobColumns} meta`} aria-hidden="true">
          <span>{text.columns.job}</span>
          <span>{text.columns.last}</span>
          <span>{text.columns.next}</span>
        </div>
      )}
      <ul className={settingsStyles.setList}>
        {value &&
          jobs.map((job) => (
            <JobRow key={job.id} job={job} timeZone={value.timeZone} onEdit={() => setEditing(job)} />
          ))}
      </ul>
      {editing !== null && value && (
        <JobForm
          job={editing === 'new' ? null : editing}
          timeZone={value.timeZone}
          onClose={() => setEditing(null)}
        />
      )}
    </div>
  );
}

interface JobRowProps {
  job: Job;
  timeZone: string;
  onEdit: () => void;
}

function JobRow({ job, timeZone, onEdit }: JobRowProps) {
  const { run } = useCommands();
  const now = useNow(everyMs);
  const sessions = useHost((host) => host.sessions);
  const [last] = job.runs;
  const session = sessions.find(({ id }) => id === last?.sessionId);
  const look = runLook(last, session?.status, now);
  const isAsking = last?.state === 'running' && session?.status === 'asking';
  return (
    <OpeningRow
      className={jobsStyles.job}
      label={text.show(job.name)}
      details={<JobDetails job={job} onEdit={onEdit} />}
    >
      <NameCell name={job.name} about={whenWords(job.when, timeZone, sessions)} />
      <span className={jobsStyles.jobRun}>
        <Mark icon={look.icon} tone={look.tone} />
        <span className={look.tone === 'fail' || look.tone === 'warn' ? look.tone : 't2'} dir="auto">
          {look.words}
        </span>
      </span>
      <span className="meta num">{nextWords(job, now)}</span>
      <span className={jobsStyles.jobAct}>
        {session && (
          <Button
            small
            kind={isAsking ? 'primary' : 'quiet'}
            onClick={() => void run('session/open', { sessionId: session.id })}
          >
            {isAsking ? text.answer : text.open}
          </Button>
        )}
      </span>
    </OpeningRow>
  );
}

function JobDetails({ job, onEdit }: { job: Job; onEdit: () => void }) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const isRunning = job.runs.some(({ state }) => state === 'running');
  return (
    <section className={settingsStyles.opened} aria-label={text.show(job.name)}>
      {failure && <FailureLine failure={failure} />}
      <h3 className="meta">{text.task}</h3>
      <p className={jobsStyles.jobTask} dir="auto">
        {job.task}
      </p>
      <div className={settingsStyles.jobActs}>
        <ActionButton
          small
          busy={busy || isRunning}
          onClick={() => void attempt(() => actions.runJob(job.id))}
        >
          {text.runNow}
        </ActionButton>
        <Button small onClick={onEdit}>
          {text.edit}
        </Button>
        <ActionButton
          small
          busy={busy}
          onClick={() => void attempt(() => actions.changeJob(job.id, { isPaused: !job.isPaused }))}
        >
          {job.isPaused ? text.resume : text.pause}
        </ActionButton>
        <AskedButton
          small
          kind="quiet"
          title={text.removeTitle(job.name)}
          text={text.removeText}
          confirm={text.removeJob}
          keep={text.keep}
          onConfirm={() => void attempt(() => actions.removeJob(job.id))}
        >
          {text.remove}
        </AskedButton>
      </div>
      {job.runs.length > 0 && (
        <>
          <h3 className="meta">{text.history}</h3>
          <ul className={jobsStyles.jobHistory}>
            {job.runs.map((run) => (
              <HistoryLine key={run.id} run={run} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function HistoryLine({ run }: { run: JobRun }) {
  const now = useNow(everyMs);
  const status = useHost((host) => host.sessions.find(({ id }) => id === run.sessionId)?.status);
  const { icon, tone, words } = runLook(run, status, now);
  return (
    <li>
      <span className="meta num">{timeAndDay(run.plannedAt)}</span>
      <span className={jobsStyles.jobRun}>
        <Mark icon={icon} tone={tone} />
        <span className="t2" dir="auto">
          {words}
        </span>
      </span>
    </li>
  );
}
