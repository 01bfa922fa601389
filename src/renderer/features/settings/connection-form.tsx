import { useId, useState, type ReactNode } from 'react';
import { useCommands } from '../../commands/commands.ts';
import { connectionsPane } from '../../text.ts';
import { entryText, type ConnectionDraft, type ConnectionKind } from './connection-draft.ts';
import { FailureLine } from './pane-parts.tsx';
import { AreaField, Fields, FormDialog, TextField } from './form-dialog.tsx';
import { Segments } from './controls.tsx';
import { useAttempt } from './use-attempt.ts';

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
export function ConnectionForm({ onClose }: { onClose: () => void }) {
  const { actions } = useCommands();
  const [draft, setDraft] = useState(empty);
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
  const field = (key: Exclude<keyof ConnectionDraft, 'kind'>, help: string, rows = 0): ReactNode => {
    const shared = { label: text[key], help, value: draft[key], className: 'mono', spellCheck: false };
    const typed = { ...shared, autoComplete: 'off', onType: (value: string) => set({ [key]: value }) };
    return rows === 0 ? <TextField key={key} {...typed} /> : <AreaField key={key} rows={rows} {...typed} />;
  };
  return (
    <FormDialog
      tall
      title={text.title}
      cancel={text.cancel}
      verb={text.save}
      onSubmit={() => void save()}
      {...{ busy, failure, onClose }}
    >
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
      <Fields>
        {draft.kind !== 'paste' && field('name', text.nameHelp)}
        {draft.kind === 'command' && [
          field('command', text.commandHelp, 4),
          field('variables', text.variablesHelp, 2),
        ]}
        {draft.kind === 'address' && [field('url', text.urlHelp), field('headers', text.headersHelp, 2)]}
        {draft.kind === 'paste' && field('paste', text.pasteHelp, 10)}
      </Fields>
      {problem !== null && <FailureLine failure={{ message: problem, advice: '' }} />}
    </FormDialog>
  );
}
