import type { ComponentProps } from 'react';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: (form: HTMLFormElement) => unknown;
}

/** Enter in one of its fields does what its button does; the browser sends nothing. */
export function Form({ onSubmit, ...form }: FormProps) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event.currentTarget);
      }}
    />
  );
}

interface TextInputProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  onType: (typed: string) => void;
}

/** One line of text, in the box that all of them have. */
export function TextInput({ onType, ...input }: TextInputProps) {
  return (
    <span className="input">
      <input {...input} onChange={(event) => onType(event.target.value)} />
    </span>
  );
}

export interface Option {
  value: string;
  label: string;
}

interface SelectProps extends Omit<ComponentProps<'select'>, 'onChange'> {
  options: readonly Option[];
  onChoose: (value: string) => void;
}

/** One of many. */
export function Select({ options, onChoose, ...select }: SelectProps) {
  return (
    <select className="input" {...select} onChange={(event) => onChoose(event.target.value)}>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
