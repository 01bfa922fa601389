import { useEffect, useRef, useState } from 'react';
import type { AddedHost } from '../../../protocol/model-host-methods.ts';
import { maxHostKeyLength, maxHostNameLength } from '../../../protocol/limits.ts';
import { settings } from '../../text.ts';
import { useCommands } from '../../commands/commands.ts';
import { Field, Fields, FormDialog, TextField } from './form-dialog.tsx';
import { useAttempt } from './use-attempt.ts';

const text = settings.engine.modelHosts.form;

interface ServerFormProps {
  onAdded: (added: AddedHost) => void;
  onClose: () => void;
}

/** The address of a model server. What it speaks is found out by asking it; it is added only where it answers. */
export function ServerForm({ onAdded, onClose }: ServerFormProps) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const [address, setAddress] = useState('');
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  /** What is typed stays in the field: nothing else of the window ever holds it. */
  const key = useRef<HTMLInputElement>(null);
  /** Whoever closes the form wants no answer any more. */
  const asked = useRef<AbortController>(null);
  useEffect(() => () => asked.current?.abort(), []);

  const submit = (): void => {
    const isMissing = address.trim() === '';
    setProblem(isMissing ? text.noAddress : null);
    if (busy || isMissing) return;
    const typed = key.current?.value.trim() ?? '';
    const { signal } = (asked.current = new AbortController());
    void attempt(async () => {
      const added = await actions.addHost({ address, name, key: typed === '' ? null : typed }, signal);
      if (signal.aborted) return;
      onAdded(added);
      onClose();
    });
  };
  return (
    <FormDialog
      title={text.title}
      cancel={text.cancel}
      verb={text.add}
      onSubmit={submit}
      {...{ busy, failure, onClose }}
    >
      <Fields>
        <TextField
          label={text.address}
          help={text.addressHelp}
          problem={problem}
          className="mono"
          placeholder="http://127.0.0.1:1234"
          autoComplete="off"
          spellCheck={false}
          maxLength={2_000}
          value={address}
          onType={(typed) => {
            setProblem(null);
            setAddress(typed);
          }}
        />
        <TextField
          label={text.name}
          help={text.nameHelp}
          dir="auto"
          autoComplete="off"
          maxLength={maxHostNameLength}
          value={name}
          onType={setName}
        />
        <Field label={text.key} help={text.keyHelp}>
          {(ids) => (
            <span className="input">
              <input
                {...ids}
                ref={key}
                className="mono"
                type="password"
                autoComplete="off"
                spellCheck={false}
                maxLength={maxHostKeyLength}
              />
            </span>
          )}
        </Field>
      </Fields>
      <output className={busy ? 'meta block' : 'sr-only'}>{busy ? text.asking : ''}</output>
    </FormDialog>
  );
}
