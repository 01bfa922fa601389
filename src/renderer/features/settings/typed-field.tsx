import { useId, useRef, useState } from 'react';
import { useKeyDown } from '../../components/use-key-down.ts';
import styles from './profiles.module.css';

const looks = { figure: '', 'wide-figure': styles.wideFigure, words: styles.words };

interface TypedFieldProps {
  label: string;
  value: string;
  /** Id of the line that explains it. */
  describedBy: string;
  /** Why this cannot be taken; null = it can. */
  check: (typed: string) => string | null;
  onTake: (typed: string) => void;
  /** After the value, inside the field. */
  unit?: string | null;
  look: keyof typeof looks;
  decimal?: boolean;
}

/** A field that is taken with Enter or by leaving it, and says as it is typed what cannot be; Escape brings the old value back. */
export function TypedField(props: TypedFieldProps) {
  const { label, value, describedBy, check, onTake, unit, look, decimal = false } = props;
  const [typed, setTyped] = useState<string | null>(null);
  /** It was to be taken: what is wrong is called out then, not at every key. */
  const [refused, setRefused] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const refusalId = useId();
  const refusal = typed === null ? null : check(typed);

  const take = (): void => {
    if (typed === null) return;
    setRefused(refusal !== null);
    if (refusal !== null) return;
    setTyped(null);
    if (typed !== value) onTake(typed);
  };
  useKeyDown(field, (event) => {
    if (event.key === 'Enter') take();
    else if (event.key === 'Escape' && typed !== null) {
      setTyped(null);
      setRefused(false);
    } else return;
    // Escape would also close the pane.
    event.stopPropagation();
    event.preventDefault();
  });

  return (
    <span className={`${styles.ctl} ${looks[look]}`}>
      <label className={refusal === null ? 'input' : 'input is-bad'}>
        <input
          ref={field}
          inputMode={look === 'words' ? 'text' : decimal ? 'decimal' : 'numeric'}
          aria-label={label}
          aria-describedby={refusal === null ? describedBy : `${describedBy} ${refusalId}`}
          aria-invalid={refusal !== null}
          dir={look === 'words' ? 'auto' : undefined}
          value={typed ?? value}
          onChange={(event) => {
            setRefused(false);
            setTyped(event.target.value);
          }}
          onBlur={take}
        />
        {unit && <span className="t3">{unit}</span>}
      </label>
      {refusal !== null && (
        <span className={`fail ${styles.bad}`} id={refusalId} role={refused ? 'alert' : undefined}>
          {refusal}
        </span>
      )}
    </span>
  );
}
