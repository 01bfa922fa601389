import type { ReactNode } from 'react';
import { profiles } from '../../text.ts';
import { Button } from '../../components/button.tsx';

interface FlagRowProps {
  label: string;
  help: string;
  /** Id of the help line, for the control's `aria-describedby`. */
  helpId: string;
  /** What it may be, in words; null = the control shows that itself. */
  range?: string | null;
  /** What stands at the right while it is at its default; null = there is no default. */
  isDefault: string | null;
  /** What the way back is called, when the row differs from its default and can go back. */
  reset?: string | null;
  onReset?: () => void;
  children: ReactNode;
}

/** Label and one line of help, control, default. One that differs from its default is marked at its edge. */
export function FlagRow(props: FlagRowProps) {
  const { label, help, helpId, range = null, isDefault, reset = null, onReset, children } = props;
  return (
    <div className={reset === null ? 'flag' : 'flag is-changed'}>
      <div className="min-0">
        <p>
          {label}
          {reset !== null && <span className="sr-only"> {profiles.changedMark}</span>}
        </p>
        <p className="meta" id={helpId}>
          {help}
          {range !== null && <span className="sr-only"> {range}</span>}
        </p>
      </div>
      {children}
      <span className="meta def">
        {reset === null ? (
          isDefault
        ) : (
          <Button kind="quiet" small icon="undo" onClick={onReset}>
            {reset}
          </Button>
        )}
        {range !== null && (
          <span className="block num" aria-hidden="true">
            {range}
          </span>
        )}
      </span>
    </div>
  );
}
