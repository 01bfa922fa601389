import { useEffect, useId, useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { settings } from '../../text.ts';
import { ActionButton } from './controls.tsx';
import { Form } from '../../components/fields.tsx';
import styles from './settings.module.css';

const text = settings.engine.modelHosts;

interface KeyFormProps {
  label: string;
  maxLength: number;
  busy: boolean;
  onKeep: (key: string) => void;
  onCancel: () => void;
  /** Left out = there is none to remove. */
  onRemove?: () => void;
}

/** What is typed stays in the field: nothing else of the window ever holds it. */
export function KeyForm({ label, maxLength, busy, onKeep, onCancel, onRemove }: KeyFormProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const keep = (): void => {
    const typed = field.current?.value ?? '';
    if (typed.trim() !== '') onKeep(typed);
  };
  return (
    <Form className={styles.keyForm} onSubmit={() => !busy && keep()}>
      <label htmlFor={id}>{label}</label>
      <span className="input">
        <input
          id={id}
          ref={field}
          className="mono"
          type="password"
          autoComplete="off"
          spellCheck={false}
          maxLength={maxLength}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            // The settings stay open.
            event.stopPropagation();
            onCancel();
          }}
        />
      </span>
      <ActionButton kind="primary" small busy={busy} onClick={keep}>
        {text.keep}
      </ActionButton>
      <Button small onClick={onCancel}>
        {text.cancel}
      </Button>
      {onRemove && (
        <ActionButton small busy={busy} onClick={onRemove}>
          {text.remove}
        </ActionButton>
      )}
    </Form>
  );
}
