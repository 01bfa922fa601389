/** One field of a server's form. Its words are foreign: plain text, with what hides in it drawn. */
import { useId, type ReactNode } from 'react';
import type { FormField } from '../../protocol/form-question.ts';
import type { FormInput, FormProblem } from '../../rules/form-values.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';
import { formCard as text } from '../text.ts';
import { VisibleText } from './visible-text.tsx';
import styles from './form-fields.module.css';

interface FieldProps {
  field: FormField;
  input: FormInput;
  /** null = it fits, or nobody tried to send it yet. */
  problem: FormProblem | null;
  disabled: boolean;
  onChange: (input: FormInput) => void;
}

export function FormFieldView({ field, input, problem, disabled, onChange }: FieldProps) {
  const id = useId();
  const help = helpOf(field);
  const shared = {
    id,
    name: field.name,
    disabled,
    'aria-invalid': problem !== null,
    'aria-describedby': `${id}-help`,
    'aria-required': field.isRequired,
  };
  const isGroup = field.kind === 'choice' && field.several !== null;
  return (
    <>
      {isGroup ? (
        <span id={`${id}-label`}>
          <FieldName field={field} />
        </span>
      ) : (
        <label htmlFor={id}>
          <FieldName field={field} />
        </label>
      )}
      <span className="min-0">
        {isGroup ? (
          <fieldset className={styles.askedOptions} aria-labelledby={`${id}-label`}>
            {severalOf(field, input, shared, onChange)}
          </fieldset>
        ) : (
          controlOf(field, input, shared, onChange)
        )}
        <span className={problem === null ? 'meta block' : 'st warn block'} id={`${id}-help`}>
          {problem === null ? <VisibleText text={help} /> : text.problems[problem]}
        </span>
      </span>
    </>
  );
}

function FieldName({ field: { title, isRequired } }: Pick<FieldProps, 'field'>) {
  return (
    <>
      <VisibleText text={title} oneLine />
      {!isRequired && <span className="meta"> {text.optional}</span>}
    </>
  );
}

interface Shared {
  id: string;
  name: string;
  disabled: boolean;
  'aria-invalid': boolean;
}

const inputTypes = { email: 'email', uri: 'url', date: 'date', 'date-time': 'text' } as const;

function controlOf(
  field: FormField,
  input: FormInput,
  shared: Shared,
  onChange: FieldProps['onChange'],
): ReactNode {
  switch (field.kind) {
    case 'boolean':
      return (
        <input
          {...shared}
          type="checkbox"
          className="box"
          checked={input === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      );
    case 'choice':
      return (
        <select
          {...shared}
          className="input"
          value={String(input)}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{text.choose}</option>
          {field.options.map(({ value, title }) => (
            <option key={value} value={value}>
              {visibleName(title)}
            </option>
          ))}
        </select>
      );
    case 'text':
    case 'number':
      return (
        <span className="input">
          <input
            {...shared}
            // A field for numbers would hide what it cannot read, and that is what has to be corrected.
            type={field.kind === 'number' || field.format === null ? 'text' : inputTypes[field.format]}
            inputMode={field.kind === 'number' ? 'decimal' : undefined}
            autoComplete="off"
            value={String(input)}
            onChange={(event) => onChange(event.target.value)}
          />
        </span>
      );
  }
}

function severalOf(
  { options }: Extract<FormField, { kind: 'choice' }>,
  input: FormInput,
  { name, disabled, 'aria-invalid': isInvalid }: Shared,
  onChange: FieldProps['onChange'],
): ReactNode {
  const chosen = Array.isArray(input) ? (input as readonly string[]) : [];
  return options.map(({ value, title }) => (
    <label key={value}>
      <input
        type="checkbox"
        className="box"
        name={name}
        disabled={disabled}
        aria-invalid={isInvalid}
        checked={chosen.includes(value)}
        onChange={({ target }) =>
          onChange(target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
        }
      />
      <VisibleText text={title} oneLine />
    </label>
  ));
}

function helpOf(field: FormField): string {
  const parts = [field.description];
  if (field.kind === 'text' && field.format === 'date-time') parts.push(text.dateTimeHelp);
  if (field.kind === 'number') parts.push(rangeOf(field.minimum, field.maximum));
  if (field.kind === 'choice' && field.several) parts.push(rangeOf(field.several.min, field.several.max));
  return parts.filter((part) => part !== '').join(' · ');
}

function rangeOf(minimum: number | null, maximum: number | null): string {
  if (minimum !== null && maximum !== null) return text.between(minimum, maximum);
  if (minimum !== null) return text.atLeast(minimum);
  return maximum === null ? '' : text.atMost(maximum);
}
