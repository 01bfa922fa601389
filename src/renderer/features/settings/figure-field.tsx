import { useId, useState } from 'react';
import { settings as text } from '../../../text/en/settings.ts';
import { count } from '../../../text/format.ts';
import { parseFigure, type Figure } from './profile-flags.ts';

interface FigureFieldProps {
  figure: Figure;
  label: string;
  value: number | null;
  describedBy: string;
  onChange: (value: number | null) => void;
}

/** A figure as text: Enter or leaving the field takes it, Escape brings the old one back. */
export function FigureField({ figure, label, value, describedBy, onChange }: FigureFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [bad, setBad] = useState(false);
  const errorId = useId();

  const take = (): void => {
    if (typed === null) return;
    const parsed = parseFigure(figure, typed);
    setBad(parsed === undefined);
    if (parsed === undefined) return;
    setTyped(null);
    if (parsed !== value) onChange(parsed);
  };

  return (
    <span className="ctl">
      <label className={['input n', figure.unit ?? '', bad ? 'is-bad' : ''].join(' ')}>
        <input
          inputMode={figure.whole ? 'numeric' : 'decimal'}
          aria-label={label}
          aria-describedby={bad ? `${describedBy} ${errorId}` : describedBy}
          aria-invalid={bad}
          value={typed ?? figureWords(value)}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === 'Enter') take();
            else if (event.key === 'Escape' && typed !== null) {
              setTyped(null);
              setBad(false);
              event.stopPropagation();
            } else return;
            event.preventDefault();
          }}
        />
        {figure.unit && <span className="t3">{text.units[figure.unit]}</span>}
      </label>
      {bad && (
        <span className="fail bad" id={errorId} role="alert">
          {limits(figure)}
        </span>
      )}
    </span>
  );
}

export function figureWords(value: number | null): string {
  if (value === null) return '';
  return Number.isInteger(value) ? count(value) : String(value);
}

function limits({ whole, min, max }: Figure): string {
  return whole ? text.invalid.whole(min, max) : text.invalid.number(min, max ?? Number.MAX_SAFE_INTEGER);
}
