import { useEffect, useId, useRef, useState } from 'react';
import type { ListedPersona } from '../../../protocol/inbox-methods.ts';
import { Button } from '../../components/button.tsx';
import { useEscape } from '../../components/use-key-down.ts';
import { useCommands } from '../../commands/commands.ts';
import { bindingsPane as text } from '../../text.ts';
import { ActionButton } from './controls.tsx';
import { EmptyNote, FailureLine, NameCell, SettingGroup } from './pane-parts.tsx';
import { tokensOf } from './profile-head.ts';
import { useAttempt } from './use-attempt.ts';
import { Form, TextInput } from '../../components/fields.tsx';
import { TextArea } from './form-dialog.tsx';
import settingsStyles from './settings.module.css';
import peopleStyles from './people.module.css';

interface PersonaListProps {
  /** null = not known yet. */
  personas: readonly ListedPersona[] | null;
}

/** Texts that say who answers, each with what it takes of every conversation. */
export function PersonaList({ personas }: PersonaListProps) {
  // '' = a new one.
  const [edited, setEdited] = useState<string | null>(null);
  const group = useRef<HTMLDivElement>(null);
  // The button that opened the form is back, or the row is gone.
  const close = (): void => {
    setEdited(null);
    group.current?.focus();
  };
  return (
    <SettingGroup
      {...text.rows.personas}
      aside={
        <Button small aria-expanded={edited === ''} onClick={() => setEdited('')}>
          {text.addPersona}
        </Button>
      }
    >
      <div ref={group} tabIndex={-1}>
        {personas?.length === 0 && edited !== '' && (
          <EmptyNote text={text.personaNone} help={text.personaNoneHelp} />
        )}
        <ul className={settingsStyles.setList}>
          {edited === '' && (
            <li className={peopleStyles.binding}>
              <PersonaForm persona={null} onClose={close} />
            </li>
          )}
          {personas?.map((persona) => (
            <li key={persona.id} className={peopleStyles.persona}>
              {edited === persona.id ? (
                <PersonaForm persona={persona} onClose={close} />
              ) : (
                <>
                  <NameCell name={persona.name} about={persona.text} />
                  <span className="meta num">{text.personaPrice(tokensOf(persona.text))}</span>
                  <Button
                    small
                    aria-label={text.editLabel(persona.name)}
                    onClick={() => setEdited(persona.id)}
                  >
                    {text.edit}
                  </Button>
                </>
              )}
            </li>
          ))}
        </ul>
      </div>
    </SettingGroup>
  );
}

interface PersonaFormProps {
  /** null = a new one. */
  persona: ListedPersona | null;
  onClose: () => void;
}

function PersonaForm({ persona, onClose }: PersonaFormProps) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const [name, setName] = useState(persona?.name ?? '');
  const [words, setWords] = useState(persona?.text ?? '');
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  useEscape(form, onClose);
  const end = async (act: () => Promise<unknown>): Promise<void> => {
    if (await attempt(act)) onClose();
  };
  const save = (): Promise<void> =>
    end(() => actions.putPersona({ id: persona?.id ?? null, name: name.trim(), text: words.trim() }));
  const isWhole = name.trim() !== '' && words.trim() !== '';
  return (
    <Form
      ref={form}
      className={`${peopleStyles.personaForm} ${settingsStyles.wholeRow}`}
      onSubmit={() => !busy && isWhole && void save()}
    >
      <label htmlFor={`${id}-name`}>{text.personaName}</label>
      <TextInput ref={field} id={`${id}-name`} value={name} maxLength={100} dir="auto" onType={setName} />
      <label htmlFor={`${id}-text`}>{text.personaText}</label>
      <TextArea
        id={`${id}-text`}
        rows={5}
        value={words}
        maxLength={20_000}
        dir="auto"
        aria-describedby={`${id}-price`}
        onType={setWords}
      />
      <span className="meta num" id={`${id}-price`}>
        {text.personaPrice(tokensOf(words.trim()))}. {persona && text.personaEditHelp}
      </span>
      {failure && <FailureLine failure={failure} />}
      <span className="acts">
        <ActionButton kind="primary" small busy={busy || !isWhole} onClick={() => void save()}>
          {text.save}
        </ActionButton>
        <Button small onClick={onClose}>
          {text.discard}
        </Button>
        {persona && (
          <ActionButton
            kind="quiet"
            small
            busy={busy}
            description={text.removePersonaHelp}
            onClick={() => void end(() => actions.removePersona(persona.id))}
          >
            {text.removePersona}
          </ActionButton>
        )}
      </span>
    </Form>
  );
}
