import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';

interface FlagRowProps {
  label: string;
  help: string;
  /** Id of the help line, for the control's `aria-describedby`. */
  helpId: string;
  /** What stands at the right while it is at its default; null = there is no default. */
  isDefault: string | null;
  /** What the way back is called, when the row differs from its default and can go back. */
  reset?: string | null;
  onReset?: () => void;
  children: ReactNode;
}

/** Label and one line of help, control, default. */
export function FlagRow({ label, help, helpId, isDefault, reset, onReset, children }: FlagRowProps) {
  return (
    <div className="flag">
      <div className="min-0">
        <p>{label}</p>
        <p className="meta" id={helpId}>
          {help}
        </p>
      </div>
      {children}
      <span className="meta def">
        {reset != null ? (
          <Button kind="quiet" small icon="undo" onClick={onReset}>
            {reset}
          </Button>
        ) : (
          isDefault
        )}
      </span>
    </div>
  );
}
