import { Dialog as Base } from '@base-ui/react/dialog';
import { useId, useRef, useState } from 'react';
import type { Profile } from '../../../protocol/model.ts';
import { profiles as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { ActionButton } from './action-button.tsx';
import { FailureLine } from './failure-line.tsx';
import { useAttempt } from './use-attempt.ts';
import styles from './profiles.module.css';
import dialog from '../../components/dialog.module.css';

/** The limit of the host. */
const maxNameLength = 80;

interface CreateProfileProps {
  profiles: readonly Profile[];
  /** Rejects with what a person can read; the dialog then stays. null = from nothing. */
  onCreate: (name: string, from: string | null) => Promise<void>;
  onClose: () => void;
}

/** A name, and what it begins with. Nothing typed is lost when it cannot be made. */
export function CreateProfile({ profiles, onCreate, onClose }: CreateProfileProps) {
  const [name, setName] = useState('');
  const [from, setFrom] = useState('');
  const [tried, setTried] = useState(false);
  const { busy, failure, attempt } = useAttempt();
  const field = useRef<HTMLInputElement>(null);
  const [nameId, fromId, refusalId] = [useId(), useId(), useId()];
  const refusal = refusalOf(name, profiles);
  const said = refusal !== null && (tried || name.trim() !== '');

  const create = async (): Promise<void> => {
    setTried(true);
    if (refusal !== null || busy) return;
    if (await attempt(() => onCreate(name.trim(), from === '' ? null : from))) onClose();
  };
  return (
    <Base.Root open onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={dialog.scrim} />
        <Base.Popup className={`${dialog.dialog} ${styles.createProfile}`} initialFocus={field}>
          <form
            className={dialog.text}
            onSubmit={(event) => {
              event.preventDefault();
              void create();
            }}
          >
            <Base.Title>{text.createTitle}</Base.Title>
            <div className={styles.fields}>
              <label htmlFor={nameId}>{text.createName}</label>
              <span>
                <span className={said ? 'input is-bad' : 'input'}>
                  <input
                    ref={field}
                    id={nameId}
                    dir="auto"
                    autoComplete="off"
                    aria-invalid={said}
                    aria-describedby={said ? refusalId : undefined}
                    value={name}
                    onChange={(event) => setName(event.target.value)}
                  />
                </span>
                {said && (
                  <span className="meta fail block" id={refusalId} role={tried ? 'alert' : undefined}>
                    {refusal}
                  </span>
                )}
              </span>
              <label htmlFor={fromId}>{text.createFrom}</label>
              <select
                className="input"
                id={fromId}
                value={from}
                onChange={(event) => setFrom(event.target.value)}
              >
                <option value="">{text.createEmpty}</option>
                {profiles.map((profile) => (
                  <option key={profile.id} value={profile.id}>
                    {profile.name}
                  </option>
                ))}
              </select>
            </div>
            <Base.Description className="meta">{text.createHelp}</Base.Description>
            {failure && <FailureLine failure={failure} />}
          </form>
          <footer>
            <Button onClick={onClose}>{text.createKeep}</Button>
            <ActionButton kind="primary" busy={busy} onClick={() => void create()}>
              {text.createVerb}
            </ActionButton>
          </footer>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function refusalOf(name: string, profiles: readonly Profile[]): string | null {
  const wanted = name.trim();
  if (wanted === '') return text.nameMissing;
  if (wanted.length > maxNameLength) return text.nameLong(maxNameLength);
  const taken = profiles.some((profile) => profile.name.toLowerCase() === wanted.toLowerCase());
  return taken ? text.nameTaken : null;
}
