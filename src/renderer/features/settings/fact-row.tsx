import { useRef, useState, useEffect } from 'react';
import type { Remembered } from '../../../protocol/person-methods.ts';
import { dates, person } from '../../text.ts';
import { IconButton } from '../../components/button.tsx';
import { useEscape } from '../../components/use-key-down.ts';
import { useCommands } from '../../commands/commands.ts';
import { useHost } from '../../stores/stores.ts';
import { ActionButton } from './controls.tsx';
import { FailureLine } from './pane-parts.tsx';
import { useAttempt } from './use-attempt.ts';
import { useOpening } from './use-opening.ts';
import { Form, TextInput } from '../../components/fields.tsx';
import memoryStyles from './memory.module.css';
import settingsStyles from './settings.module.css';

const text = person.memory;

interface FactRowProps {
  fact: Remembered;
  name: string;
  onChange: (value: string) => Promise<unknown>;
  onForget: () => void;
}

/** One fact: its name and value, where it came from and when; changed in its place. */
export function FactRow({ fact, name, onChange, onForget }: FactRowProps) {
  const { isOpen: editing, opener, close, toggle } = useOpening();
  return (
    <li className={memoryStyles.fact}>
      <span className="min-0">
        <span className={`${memoryStyles.factName} medium`} dir="auto">
          {name}
        </span>
        {editing ? (
          <FactField name={name} value={fact.value} onChange={onChange} onLeave={close} />
        ) : (
          <span className={`${memoryStyles.factValue} block`} dir="auto">
            {fact.value}
          </span>
        )}
        <Origin fact={fact} />
      </span>
      <span className={settingsStyles.actsOf}>
        <IconButton
          ref={opener}
          icon="edit"
          label={text.edit(name)}
          aria-expanded={editing}
          onClick={toggle}
        />
        <IconButton icon="trash" label={text.forget(name)} onClick={onForget} />
      </span>
    </li>
  );
}

interface FactFieldProps {
  name: string;
  value: string;
  onChange: (value: string) => Promise<unknown>;
  onLeave: () => void;
}

function FactField({ name, value, onChange, onLeave }: FactFieldProps) {
  const [typed, setTyped] = useState(value);
  const { busy, failure, attempt } = useAttempt();
  const form = useFocusInside<HTMLFormElement>();
  useEscape(form, onLeave);
  const save = async (): Promise<void> => {
    if (typed === value || (await attempt(() => onChange(typed)))) onLeave();
  };
  return (
    <Form ref={form} className={memoryStyles.factField} onSubmit={() => void save()}>
      <TextInput aria-label={text.value(name)} value={typed} dir="auto" onType={setTyped} />
      <ActionButton small busy={busy} onClick={() => void save()}>
        {text.save}
      </ActionButton>
      {failure && <FailureLine failure={failure} />}
    </Form>
  );
}

function Origin({ fact: { origin, sessionId, updatedAt, expiresAt } }: { fact: Remembered }) {
  const { run } = useCommands();
  const session = useHost((host) => host.sessions.find(({ id }) => id === sessionId));
  return (
    <span className={`meta ${memoryStyles.factOrigin}`}>
      <span>{origin === null ? text.originUnknown : text.origins[origin]}</span>
      {session ? (
        <button
          type="button"
          className="link cut"
          dir="auto"
          onClick={() => void run('session/open', { sessionId: session.id })}
        >
          {text.from(session.title)}
        </button>
      ) : (
        sessionId !== null && <span>{text.fromGone}</span>
      )}
      <time className="num" dateTime={new Date(updatedAt).toISOString()}>
        {dates.dayOf(updatedAt)}
      </time>
      {expiresAt !== null && <span className="num">{text.until(dates.dayOf(expiresAt))}</span>}
    </span>
  );
}

/** In the place of what was forgotten; the keyboard is on Undo, where Delete had it. */
export function ForgottenRow({ name, onUndo }: { name: string; onUndo: () => Promise<unknown> }) {
  const { busy, failure, attempt } = useAttempt();
  const row = useFocusInside<HTMLLIElement>();
  return (
    <li className={`${memoryStyles.fact} ${memoryStyles.isGone}`} ref={row}>
      <output className="t2" dir="auto">
        {text.forgotten(name)}
      </output>
      <ActionButton small busy={busy} description={text.undoLabel(name)} onClick={() => void attempt(onUndo)}>
        {text.undo}
      </ActionButton>
      {failure && <FailureLine failure={failure} />}
    </li>
  );
}

/** What appears in the place of something that had the keyboard gives it to its first control. */
function useFocusInside<T extends HTMLElement>() {
  const place = useRef<T>(null);
  useEffect(() => {
    place.current?.querySelector<HTMLElement>('input, textarea, button')?.focus();
  }, []);
  return place;
}
