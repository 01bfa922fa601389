import type { ReactNode } from 'react';
import { settings as text } from '../../../text/en/settings.ts';
import { Button } from '../../components/button.tsx';

interface FlagRowProps {
  label: string;
  help: string;
  /** Id of the help line, for the control's `aria-describedby`. */
  helpId: string;
  /** What stands at the right while it is at its default; null = there is no default. */
  isDefault: string | null;
  /** The default in words, when the row differs from it and can go back. */
  resetTo?: string | null;
  onReset?: () => void;
  children: ReactNode;
}

/** Label and one line of help, control, default. */
export function FlagRow({ label, help, helpId, isDefault, resetTo, onReset, children }: FlagRowProps) {
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
        {resetTo != null ? (
          <Button kind="quiet" small icon="undo" onClick={onReset}>
            {text.resetTo(resetTo)}
          </Button>
        ) : (
          isDefault
        )}
      </span>
    </div>
  );
}
