import { Dialog } from '@base-ui/react/dialog';
import { useId, useState } from 'react';
import type { Profile } from '../../../protocol/model.ts';
import { profiles as text } from '../../text.ts';
import { Select } from '../../components/fields.tsx';
import { Fields, FormDialog } from './form-dialog.tsx';
import { useAttempt } from './use-attempt.ts';

/** The limit of the host. */
const maxNameLength = 80;

interface CreateProfileProps {
  profiles: readonly Profile[];
  /** Rejects with what a person can read; the dialog then stays. null = from nothing. */
  onCreate: (name: string, from: string | null) => Promise<void>;
  onClose: () => void;
}

/** A name, and what it begins with. */
export function CreateProfile({ profiles, onCreate, onClose }: CreateProfileProps) {
  const [name, setName] = useState('');
  const [from, setFrom] = useState('');
  const [tried, setTried] = useState(false);
  const { busy, failure, attempt } = useAttempt();
  const [nameId, fromId, refusalId] = [useId(), useId(), useId()];
  const refusal = refusalOf(name, profiles);
  const said = refusal !== null && (tried || name.trim() !== '');

  const create = async (): Promise<void> => {
    setTried(true);
    if (refusal !== null || busy) return;
    if (await attempt(() => onCreate(name.trim(), from === '' ? null : from))) onClose();
  };
  return (
    <FormDialog
      title={text.createTitle}
      cancel={text.createKeep}
      verb={text.createVerb}
      onSubmit={() => void create()}
      {...{ busy, failure, onClose }}
    >
      <Fields>
        <label htmlFor={nameId}>{text.createName}</label>
        <span>
          <span className={said ? 'input is-bad' : 'input'}>
            <input
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
        <Select
          id={fromId}
          value={from}
          options={[
            { value: '', label: text.createEmpty },
            ...profiles.map((profile) => ({ value: profile.id, label: profile.name })),
          ]}
          onChoose={setFrom}
        />
      </Fields>
      <Dialog.Description className="meta">{text.createHelp}</Dialog.Description>
    </FormDialog>
  );
}

function refusalOf(name: string, profiles: readonly Profile[]): string | null {
  const wanted = name.trim();
  if (wanted === '') return text.nameMissing;
  if (wanted.length > maxNameLength) return text.nameLong(maxNameLength);
  const taken = profiles.some((profile) => profile.name.toLowerCase() === wanted.toLowerCase());
  return taken ? text.nameTaken : null;
}
