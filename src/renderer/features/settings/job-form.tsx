import { useState, type ReactNode } from 'react';
import type { Job, NewJob } from '../../../protocol/schedule-methods.ts';
import { useCommands } from '../../commands/commands.ts';
import { useHost } from '../../stores/stores.ts';
import { schedulePane } from '../../text.ts';
import { AreaField, ChoiceField, Fields, FormDialog, TextField } from './form-dialog.tsx';
import { draftOf, kindsOfJob, whenOf, whenProblem, type JobDraft, type JobKind } from './job-draft.ts';
import { profileOptions } from './profile-options.ts';
import { useAttempt } from './use-attempt.ts';

const { form: text } = schedulePane;

interface JobFormProps {
  /** null = a new one. */
  job: Job | null;
  timeZone: string;
  onClose: () => void;
}

/** All that a job is. */
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
    <FormDialog
      tall
      title={job ? text.editTitle : text.newTitle}
      cancel={text.cancel}
      verb={text.save}
      onSubmit={() => void save()}
      {...{ busy, failure, onClose }}
    >
      <JobFields {...{ draft, timeZone, set }} problems={tried ? problems : none} />
    </FormDialog>
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
    <Fields>
      <TextField
        label={text.name}
        problem={problems.name}
        dir="auto"
        value={draft.name}
        onType={(name) => set({ name })}
      />
      <AreaField
        label={text.task}
        help={text.taskHelp}
        problem={problems.task}
        rows={4}
        dir="auto"
        value={draft.task}
        onType={(task) => set({ task })}
      />
      <ChoiceField
        label={text.when}
        value={draft.kind}
        options={kindsOfJob.map((value) => ({ value, label: text.kinds[value] }))}
        onChoose={(kind) => set({ kind: kind as JobKind })}
      />
      <WhenFields draft={draft} timeZone={timeZone} problem={problems.when} onChange={set} />
      <ChoiceField
        label={text.profile}
        value={draft.profileId}
        options={profileOptions(profiles, draft.profileId)}
        onChoose={(profileId) => set({ profileId })}
      />
      <TextField
        label={text.folder}
        help={text.folderHelp}
        className="mono"
        spellCheck={false}
        value={draft.folder}
        onType={(folder) => set({ folder })}
      />
      <ChoiceField
        label={text.missed}
        help={text.missedHelp}
        value={draft.afterMissed}
        options={[
          { value: 'run_once', label: text.runOnce },
          { value: 'skip', label: text.skip },
        ]}
        onChoose={(value) => set({ afterMissed: value === 'skip' ? 'skip' : 'run_once' })}
      />
    </Fields>
  );
}

/** What stays as it was is not said again: a time that is over, or a profile or folder that is gone, would be refused. */
function changesOf(
  job: Job,
  { when, profileId, workspace, ...given }: NewJob,
): Parameters<JobActions['changeJob']>[1] {
  return {
    ...given,
    ...(JSON.stringify(when) !== JSON.stringify(job.when) && { when }),
    ...(profileId !== job.profileId && { profileId }),
    ...(workspace !== job.workspace && { workspace }),
  };
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
    <TextField
      {...{ label, help, problem, type }}
      value={draft[key]}
      onType={(typed) => onChange({ [key]: typed })}
    />
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
        <ChoiceField
          label={text.session}
          help={working.length === 0 ? text.noSession : ''}
          value={draft.sessionId}
          options={[
            { value: '', label: '' },
            ...working.map(({ id, title }) => ({ value: id, label: title })),
          ]}
          onChoose={(sessionId) => onChange({ sessionId })}
        />
      );
  }
}
