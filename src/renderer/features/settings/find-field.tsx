import type { ComponentProps } from 'react';
import { Icon } from '../../components/icon.tsx';

interface FindFieldProps extends Omit<ComponentProps<'input'>, 'aria-label' | 'onChange'> {
  label: string;
  value: string;
  onSearch: (query: string) => void;
}

/** A field whose words narrow what is shown under it; its look and its title are those of the whole. */
export function FindField({ label, className, title, onSearch, ...field }: FindFieldProps) {
  return (
    <label className={className === undefined ? 'input' : `input ${className}`} title={title}>
      <Icon name="search" />
      <input
        type="text"
        aria-label={label}
        placeholder={label}
        spellCheck={false}
        onChange={(event) => onSearch(event.target.value)}
        {...field}
      />
    </label>
  );
}
