import { useEffect, useRef, useState } from 'react';
import { isComposing } from './composing.ts';

interface RenameFieldProps {
  title: string;
  label: string;
  className: string;
  /** null = it stays as it was. `byKey`: the keyboard was here until now, and has to go somewhere. Called once. */
  onDone: (title: string | null, byKey: boolean) => void;
}

const maxTitleLength = 200;

/** Enter keeps, Escape leaves, losing the focus keeps. */
export function RenameField({ title, label, className, onDone }: RenameFieldProps) {
  const [words, setWords] = useState(title);
  const field = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const end = (kept: boolean, byKey: boolean): void => {
    // The field loses the focus as it goes.
    if (ended.current) return;
    ended.current = true;
    const changed = words.trim() !== '' && words.trim() !== title;
    onDone(kept && changed ? words.trim() : null, byKey);
  };
  return (
    <input
      ref={field}
      className={className}
      aria-label={label}
      dir="auto"
      value={words}
      maxLength={maxTitleLength}
      onChange={(event) => setWords(event.target.value)}
      onBlur={() => end(true, false)}
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        if (event.key === 'Enter') end(true, true);
        else if (event.key === 'Escape') end(false, true);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
