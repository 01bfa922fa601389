import { Dialog as Base } from '@base-ui/react/dialog';
import { useId, useState, type ReactNode } from 'react';
import { useCommands } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import { connectionsPane } from '../../text.ts';
import { ActionButton } from './action-button.tsx';
import { entryText, type ConnectionDraft, type ConnectionKind } from './connection-draft.ts';
import { FailureLine } from './failure-line.tsx';
import { Segments } from './segments.tsx';
import { useAttempt } from './use-attempt.ts';
import profilesStyles from './profiles.module.css';
import settingsStyles from './settings.module.css';
import dialog from '../../components/dialog.module.css';

const { form: text } = connectionsPane;
const kinds: ConnectionKind[] = ['command', 'address', 'paste'];
const empty: ConnectionDraft = {
  kind: 'command',
  name: '',
  command: '',
  variables: '',
  url: '',
  headers: '',
  paste: '',
};

/** A new server, by its command, its address, or what another app has of it. What cannot be taken stays as it was typed. */
export function ConnectionForm({ onClose, first = empty }: { onClose: () => void; first?: ConnectionDraft }) {
  const { actions } = useCommands();
  const [draft, setDraft] = useState(first);
  const [problem, setProblem] = useState<string | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const set = (changes: Partial<ConnectionDraft>): void => setDraft({ ...draft, ...changes });
  const helpId = useId();

  const save = async (): Promise<void> => {
    const entry = entryText(draft);
    setProblem('problem' in entry ? entry.problem : null);
    if (busy || 'problem' in entry) return;
    if (await attempt(() => actions.addServers(entry.text))) onClose();
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
            <Base.Title>{text.title}</Base.Title>
            <Segments
              label={text.kind}
              value={draft.kind}
              segments={kinds.map((value) => ({ value, label: text.kinds[value] }))}
              describedBy={helpId}
              onChoose={(kind) => set({ kind })}
            />
            <p className="meta" id={helpId}>
              {text.kindHelp[draft.kind]}
            </p>
            <ConnectionFields draft={draft} set={set} />
            {problem !== null && <FailureLine failure={{ message: problem, advice: '' }} />}
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

interface FieldsProps {
  draft: ConnectionDraft;
  set: (changes: Partial<ConnectionDraft>) => void;
}

function ConnectionFields({ draft, set }: FieldsProps) {
  const field = (key: Exclude<keyof ConnectionDraft, 'kind'>, help: string, rows = 0): ReactNode => (
    <TextField
      key={key}
      label={text[key]}
      help={help}
      rows={rows}
      value={draft[key]}
      onChange={(value) => set({ [key]: value })}
    />
  );
  return (
    <div className={profilesStyles.fields}>
      {draft.kind !== 'paste' && field('name', text.nameHelp)}
      {draft.kind === 'command' && [
        field('command', text.commandHelp, 4),
        field('variables', text.variablesHelp, 2),
      ]}
      {draft.kind === 'address' && [field('url', text.urlHelp), field('headers', text.headersHelp, 2)]}
      {draft.kind === 'paste' && field('paste', text.pasteHelp, 10)}
    </div>
  );
}

interface TextFieldProps {
  label: string;
  help: string;
  /** 0 = one line. */
  rows: number;
  value: string;
  onChange: (value: string) => void;
}

function TextField({ label, help, rows, value, onChange }: TextFieldProps) {
  const id = useId();
  const shared = { id, value, spellCheck: false, autoComplete: 'off', 'aria-describedby': `${id}-help` };
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <span className="min-0">
        {rows === 0 ? (
          <span className="input">
            <input {...shared} className="mono" onChange={(event) => onChange(event.target.value)} />
          </span>
        ) : (
          <textarea
            {...shared}
            className={`input ${settingsStyles.area} mono`}
            rows={rows}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
        <span className="meta block" id={`${id}-help`}>
          {help}
        </span>
      </span>
    </>
  );
}
