/** A form that a server of tools wants filled in: what does not fit is said once somebody tried to send it. */
import { useState, type ReactNode } from 'react';
import type { FormField, FormValues } from '../../protocol/form-question.ts';
import { formProblems, valuesOf, type FormInputs } from '../../rules/form-values.ts';
import { figures } from '../text.ts';
import { FormFieldView } from './form-field.tsx';
import styles from './form-fields.module.css';

interface FormFieldsProps {
  fields: readonly FormField[];
  inputs: FormInputs;
  disabled: boolean;
  onChange: (inputs: FormInputs) => void;
  onSend: (values: FormValues) => void;
  /** Below the fields. */
  children: ReactNode;
}

export function FormFields({ fields, inputs, disabled, onChange, onSend, children }: FormFieldsProps) {
  const [tried, setTried] = useState(false);
  const values = valuesOf(fields, inputs, figures);
  const problems = formProblems(fields, values);
  const send = (form: HTMLFormElement): void => {
    setTried(true);
    const wrong = fields.find(({ name }) => problems[name] !== undefined);
    if (!wrong) onSend(values);
    else form.querySelector<HTMLElement>(`[name="${CSS.escape(wrong.name)}"]`)?.focus();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send(event.currentTarget);
      }}
    >
      <div className={styles.askedFields}>
        {fields.map((field) => (
          <FormFieldView
            key={field.name}
            field={field}
            input={inputs[field.name] ?? ''}
            problem={tried ? (problems[field.name] ?? null) : null}
            disabled={disabled}
            onChange={(input) => onChange({ ...inputs, [field.name]: input })}
          />
        ))}
      </div>
      {children}
    </form>
  );
}
