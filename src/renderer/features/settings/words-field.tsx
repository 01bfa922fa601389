import { useId, useState } from 'react';

interface WordsFieldProps {
  label: string;
  value: string;
  /** Said when it is empty; null = it may be. */
  required: string | null;
  describedBy: string;
  onChange: (value: string) => void;
}

/** A line of text: Enter or leaving the field takes it, Escape brings the old one back. */
export function WordsField({ label, value, required, describedBy, onChange }: WordsFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const errorId = useId();
  const bad = required !== null && typed !== null && typed.trim() === '';

  const take = (): void => {
    if (typed === null || bad) return;
    setTyped(null);
    if (typed.trim() !== value) onChange(typed.trim());
  };

  return (
    <span className="ctl words">
      <label className={bad ? 'input is-bad' : 'input'}>
        <input
          aria-label={label}
          aria-describedby={bad ? `${describedBy} ${errorId}` : describedBy}
          aria-invalid={bad}
          value={typed ?? value}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === 'Enter') take();
            else if (event.key === 'Escape' && typed !== null) {
              setTyped(null);
              event.stopPropagation();
            } else return;
            event.preventDefault();
          }}
        />
      </label>
      {bad && (
        <span className="fail bad" id={errorId} role="alert">
          {required}
        </span>
      )}
    </span>
  );
}
