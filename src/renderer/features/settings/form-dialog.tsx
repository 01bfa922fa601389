import { Dialog } from '@base-ui/react/dialog';
import { useId, type ComponentProps, type ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { Form, Select, TextInput } from '../../components/fields.tsx';
import { FailureLine } from './pane-parts.tsx';
import type { Failure } from './use-attempt.ts';
import { Modal } from '../../components/modal.tsx';
import styles from './form-dialog.module.css';
import dialog from '../../components/dialog.module.css';

interface FormDialogProps {
  title: string;
  cancel: string;
  verb: string;
  busy: boolean;
  failure: Failure | null;
  /** It may have more fields than a low window has room for. */
  tall?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that asks for a few things. What cannot be taken stays as it was typed. */
export function FormDialog(props: FormDialogProps) {
  const { title, cancel, verb, busy, failure, tall = false, onSubmit, onClose, children } = props;
  const id = useId();
  return (
    <Modal className={tall ? `${styles.form} ${styles.tall}` : styles.form} onClose={onClose}>
      <Form id={id} className={dialog.text} onSubmit={onSubmit}>
        <Dialog.Title>{title}</Dialog.Title>
        {children}
        {failure && <FailureLine failure={failure} />}
      </Form>
      <footer>
        <Button onClick={onClose}>{cancel}</Button>
        <Button
          kind="primary"
          type="submit"
          form={id}
          aria-disabled={busy}
          // The second half of a double click would take what nobody has read.
          onClick={(event) => event.detail > 1 && event.preventDefault()}
        >
          {verb}
        </Button>
      </footer>
    </Modal>
  );
}

/** Where they stand in the dialog, each with its name at its side. */
export function Fields({ children }: { children: ReactNode }) {
  return <div className={styles.fields}>{children}</div>;
}

interface FieldProps {
  label: string;
  help?: string;
  /** Said in place of the help; null = it fits. */
  problem?: string | null;
}

interface ControlIds {
  id: string;
  'aria-describedby': string;
  'aria-invalid': boolean;
}

export function Field(props: FieldProps & { children: (ids: ControlIds) => ReactNode }) {
  const { label, help = '', problem = null, children } = props;
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <span className="min-0">
        {children({ id, 'aria-describedby': `${id}-help`, 'aria-invalid': problem !== null })}
        <span
          className={problem === null ? 'meta block' : 'meta fail block'}
          id={`${id}-help`}
          role={problem === null ? undefined : 'alert'}
        >
          {problem ?? help}
        </span>
      </span>
    </>
  );
}

export function TextField({
  label,
  help = '',
  problem = null,
  ...input
}: FieldProps & ComponentProps<typeof TextInput>) {
  return <Field {...{ label, help, problem }}>{(ids) => <TextInput {...input} {...ids} />}</Field>;
}

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'onChange'> & { onType: (typed: string) => void };

/** Several lines, as high as they are drawn by hand. */
export function TextArea({ className = '', onType, ...area }: TextAreaProps) {
  return (
    <textarea
      {...area}
      className={`input ${styles.area} ${className}`.trim()}
      onChange={(event) => onType(event.target.value)}
    />
  );
}

export function AreaField({ label, help = '', problem = null, ...area }: FieldProps & TextAreaProps) {
  return <Field {...{ label, help, problem }}>{(ids) => <TextArea {...area} {...ids} />}</Field>;
}

export function ChoiceField({ label, help = '', ...choice }: FieldProps & ComponentProps<typeof Select>) {
  return <Field {...{ label, help }}>{(ids) => <Select {...choice} {...ids} />}</Field>;
}
