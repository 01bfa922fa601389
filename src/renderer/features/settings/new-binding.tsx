import { useEffect, useId, useRef, useState } from 'react';
import type { ListedBinding } from '../../../protocol/inbox-methods.ts';
import { Button } from '../../components/button.tsx';
import { useEscape } from '../../components/use-key-down.ts';
import { useCommands } from '../../commands/commands.ts';
import { bindingsPane as text } from '../../text.ts';
import { placeName } from './binding-row.tsx';
import { FailureLine } from './pane-parts.tsx';
import { useAttempt } from './requests.ts';
import { Form, TextInput } from '../../components/fields.tsx';
import peopleStyles from './people.module.css';
import settingsStyles from './settings.module.css';

interface NewBindingProps {
  taken: readonly ListedBinding[];
  /** What answers there until something else is chosen. */
  profileId: string;
  /** With the name of its place. */
  onAdded: (place: string) => void;
  onCancel: () => void;
}

/** The place of a new binding; what answers there is chosen in its row. */
export function NewBinding({ taken, profileId, onAdded, onCancel }: NewBindingProps) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const [platform, setPlatform] = useState('');
  const [server, setServer] = useState('');
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  useEscape(form, onCancel);
  const at = { platform: platform.trim(), server: server.trim() };
  const refusal = refusalOf(at, taken);
  const add = async (): Promise<void> => {
    setTried(true);
    if (refusal !== null) return;
    const rest = { personaId: null, model: null, maxOutputTokens: null, modules: null, pauseMs: null };
    const binding = { ...at, profileId, ...rest, isPerPerson: false };
    if (await attempt(() => actions.putBinding(binding))) onAdded(placeName(at));
  };
  return (
    <Form
      ref={form}
      className={`${peopleStyles.newBinding} ${settingsStyles.setNote}`}
      onSubmit={() => !busy && void add()}
    >
      <label htmlFor={`${id}-platform`}>{text.platform}</label>
      <TextInput
        ref={field}
        id={`${id}-platform`}
        value={platform}
        maxLength={40}
        spellCheck={false}
        aria-describedby={`${id}-platform-help`}
        onType={setPlatform}
      />
      <span className="meta" id={`${id}-platform-help`}>
        {text.platformHelp}
      </span>
      <label htmlFor={`${id}-server`}>{text.server}</label>
      <TextInput
        id={`${id}-server`}
        value={server}
        maxLength={200}
        spellCheck={false}
        aria-describedby={`${id}-server-help`}
        onType={setServer}
      />
      <span className="meta" id={`${id}-server-help`}>
        {text.serverHelp}
      </span>
      {tried && refusal !== null && (
        <p className={`fail ${settingsStyles.wholeRow}`} role="alert">
          {refusal}
        </p>
      )}
      {failure && <FailureLine failure={failure} />}
      <span className={`acts ${settingsStyles.wholeRow}`}>
        <Button kind="primary" small type="submit" aria-disabled={busy}>
          {text.addVerb}
        </Button>
        <Button small onClick={onCancel}>
          {text.cancel}
        </Button>
      </span>
    </Form>
  );
}

function refusalOf(
  { platform, server }: Pick<ListedBinding, 'platform' | 'server'>,
  taken: readonly ListedBinding[],
): string | null {
  if (platform === '' && server !== '') return text.serverAlone;
  return taken.some((each) => each.platform === platform && each.server === server) ? text.taken : null;
}
