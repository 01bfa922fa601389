import { useId, useState, type ReactNode } from 'react';
import { ActionButton } from './controls.tsx';
import { Form, TextInput } from '../../components/fields.tsx';
import styles from './library.module.css';

interface NameFormProps {
  label: string;
  help: string;
  verb: string;
  busy: boolean;
  className?: string;
  /** Resolves true when it worked: the field is empty then. */
  onTake: (name: string) => Promise<boolean>;
  children?: ReactNode;
}

/** A field for one name or address that is taken by Enter or its button; nothing is done of nothing. */
export function NameForm({ label, help, verb, busy, className = '', onTake, children }: NameFormProps) {
  const [typed, setTyped] = useState('');
  const id = useId();
  const take = async (): Promise<void> => {
    const name = typed.trim();
    if (name !== '' && (await onTake(name))) setTyped('');
  };
  return (
    <Form className={`${styles.byName} ${className}`.trim()} onSubmit={() => void take()}>
      <label htmlFor={id}>{label}</label>
      <TextInput
        id={id}
        className="mono"
        value={typed}
        spellCheck={false}
        aria-describedby={`${id}-help`}
        onType={setTyped}
      />
      <ActionButton busy={busy} onClick={() => void take()}>
        {verb}
      </ActionButton>
      <p className="meta" id={`${id}-help`}>
        {help}
      </p>
      {children}
    </Form>
  );
}
