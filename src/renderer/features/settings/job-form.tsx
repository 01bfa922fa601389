import { Dialog as Base } from '@base-ui/react/dialog';
import { useId, useState, type ReactNode } from 'react';
import type { Job, NewJob } from '../../../protocol/schedule-methods.ts';
import { useCommands } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import { useHost } from '../../stores/stores.ts';
import { schedulePane } from '../../text.ts';
import { ActionButton } from './action-button.tsx';
import { FailureLine } from './failure-line.tsx';
import { draftOf, kindsOfJob, whenOf, whenProblem, type JobDraft, type JobKind } from './job-draft.ts';
import { useAttempt } from './use-attempt.ts';
import profilesStyles from './profiles.module.css';
import settingsStyles from './settings.module.css';
import dialog from '../../components/dialog.module.css';

const { form: text } = schedulePane;

interface JobFormProps {
  /** null = a new one. */
  job: Job | null;
  timeZone: string;
  onClose: () => void;
}

/** All that a job is. What cannot be taken stays as it was typed. */
export function JobForm({ job, timeZone, onClose }: JobFormProps) {
  const { actions } = useCommands();
  const defaultProfile = useHost((host) => host.defaults?.profileId ?? '');
  const [draft, setDraft] = useState(() => draftOf(job, defaultProfile, Date.now()));
  const [tried, setTried] = useState(false);
  const { busy, failure, attempt } = useAttempt();
  const set = (changes: Partial<JobDraft>): void => setDraft({ ...draft, ...changes });
  const problems: Problems = {
    name: draft.name.trim() === '' ? text.noName : null,
    task: draft.task.trim() === '' ? text.noTask : null,
    when: whenProblem(draft),
  };

  const save = async (): Promise<void> => {
    setTried(true);
    const when = whenOf(draft, timeZone, job);
    if (busy || problems.name !== null || problems.task !== null || when === null) return;
    const given: NewJob = {
      name: draft.name.trim(),
      task: draft.task.trim(),
      when,
      profileId: draft.profileId,
      workspace: draft.folder.trim() === '' ? null : draft.folder.trim(),
      afterMissed: draft.afterMissed,
    };
    if (await attempt(() => (job ? actions.changeJob(job.id, changesOf(job, given)) : actions.addJob(given))))
      onClose();
  };
  return (
    <Base.Root open onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={dialog.scrim} />
        <Base.Popup className={`${dialog.dialog} ${profilesStyles.createProfile} ${profilesStyles.jobForm}`}>
          <form
            className={dialog.text}
            onSubmit={(event) => {
              event.preventDefault();
              void save();
            }}
          >
            <Base.Title>{job ? text.editTitle : text.newTitle}</Base.Title>
            <JobFields {...{ draft, timeZone, set }} problems={tried ? problems : none} />
            {failure && <FailureLine failure={failure} />}
          </form>
          <footer>
            <Button onClick={onClose}>{text.cancel}</Button>
            <ActionButton kind="primary" busy={busy} onClick={() => void save()}>
              {text.save}
            </ActionButton>
          </footer>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

type Problems = Record<'name' | 'task' | 'when', string | null>;
const none: Problems = { name: null, task: null, when: null };

interface JobFieldsProps {
  draft: JobDraft;
  timeZone: string;
  set: (changes: Partial<JobDraft>) => void;
  problems: Problems;
}

function JobFields({ draft, timeZone, set, problems }: JobFieldsProps) {
  const profiles = useHost((host) => host.profiles);
  return (
    <div className={profilesStyles.fields}>
      <Field label={text.name} problem={problems.name}>
        {(ids) => (
          <span className="input">
            <input
              {...ids}
              dir="auto"
              value={draft.name}
              onChange={(event) => set({ name: event.target.value })}
            />
          </span>
        )}
      </Field>
      <Field label={text.task} help={text.taskHelp} problem={problems.task}>
        {(ids) => (
          <textarea
            {...ids}
            className={`input ${settingsStyles.area}`}
            rows={4}
            dir="auto"
            value={draft.task}
            onChange={(event) => set({ task: event.target.value })}
          />
        )}
      </Field>
      <Choice
        label={text.when}
        value={draft.kind}
        options={kindsOfJob.map((kind) => [kind, text.kinds[kind]])}
        onChoose={(kind) => set({ kind: kind as JobKind })}
      />
      <WhenFields draft={draft} timeZone={timeZone} problem={problems.when} onChange={set} />
      <Choice
        label={text.profile}
        value={draft.profileId}
        options={profiles.map(({ id, name }) => [id, name])}
        onChoose={(profileId) => set({ profileId })}
      />
      <Field label={text.folder} help={text.folderHelp}>
        {(ids) => (
          <span className="input">
            <input
              {...ids}
              className="mono"
              spellCheck={false}
              value={draft.folder}
              onChange={(event) => set({ folder: event.target.value })}
            />
          </span>
        )}
      </Field>
      <Choice
        label={text.missed}
        help={text.missedHelp}
        value={draft.afterMissed}
        options={[
          ['run_once', text.runOnce],
          ['skip', text.skip],
        ]}
        onChoose={(value) => set({ afterMissed: value === 'skip' ? 'skip' : 'run_once' })}
      />
    </div>
  );
}

/** A time that stays as it was is not said again: of one that is over the host would refuse it. */
function changesOf(job: Job, { when, ...given }: NewJob): Parameters<JobActions['changeJob']>[1] {
  return JSON.stringify(when) === JSON.stringify(job.when) ? given : { ...given, when };
}
type JobActions = ReturnType<typeof useCommands>['actions'];

interface WhenFieldsProps {
  draft: JobDraft;
  timeZone: string;
  problem: string | null;
  onChange: (changes: Partial<JobDraft>) => void;
}

function WhenFields({ draft, timeZone, problem, onChange }: WhenFieldsProps) {
  const all = useHost((host) => host.sessions);
  const working = all.filter(({ status }) => status !== 'idle' && status !== 'failed');
  const typed = (
    label: string,
    key: 'time' | 'day' | 'minutes' | 'cron',
    type: 'time' | 'datetime-local' | 'text',
    help = '',
  ): ReactNode => (
    <Field label={label} help={help} problem={problem}>
      {(ids) => (
        <span className="input">
          <input
            {...ids}
            type={type}
            value={draft[key]}
            onChange={(event) => onChange({ [key]: event.target.value })}
          />
        </span>
      )}
    </Field>
  );
  switch (draft.kind) {
    case 'daily':
    case 'weekdays':
      return typed(text.time, 'time', 'time', text.zone(timeZone));
    case 'once':
      return typed(text.day, 'day', 'datetime-local');
    case 'interval':
      return typed(text.minutes, 'minutes', 'text');
    case 'cron':
      return typed(text.cron, 'cron', 'text', `${text.cronHelp} ${text.zone(timeZone)}`);
    case 'after_session':
      return (
        <Choice
          label={text.session}
          help={working.length === 0 ? text.noSession : ''}
          value={draft.sessionId}
          options={[['', ''], ...working.map(({ id, title }): [string, string] => [id, title])]}
          onChoose={(sessionId) => onChange({ sessionId })}
        />
      );
  }
}

interface FieldProps {
  label: string;
  help?: string;
  problem?: string | null;
  children: (ids: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactNode;
}

function Field({ label, help = '', problem = null, children }: FieldProps) {
  const id = useId();
  const words = problem ?? help;
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <span className="min-0">
        {children({ id, 'aria-describedby': `${id}-help`, 'aria-invalid': problem !== null })}
        <span
          className={problem === null ? 'meta block' : 'meta fail block'}
          id={`${id}-help`}
          role={problem === null ? undefined : 'alert'}
        >
          {words}
        </span>
      </span>
    </>
  );
}

interface ChoiceProps {
  label: string;
  help?: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChoose: (value: string) => void;
}

function Choice({ label, help = '', value, options, onChoose }: ChoiceProps) {
  return (
    <Field label={label} help={help}>
      {(ids) => (
        <select {...ids} className="input" value={value} onChange={(event) => onChoose(event.target.value)}>
          {options.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
