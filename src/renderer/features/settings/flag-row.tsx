import { useId, type ReactNode } from 'react';
import { profiles, settings } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import styles from './profiles.module.css';

interface FlagRowProps {
  id: keyof typeof settings.flags;
  /** What it may be, in words; null = the control shows that itself. */
  range?: string | null;
  /** Left out, it is the model's own; else it has a default. */
  fromModel?: boolean;
  /** What the way back is called; null = it is at its default. */
  reset?: string | null;
  onReset: () => void;
  /** The control; it gets the id of the help line for its `aria-describedby`. */
  children: (helpId: string) => ReactNode;
}

/** Label and one line of help, control, default. One that differs from its default is marked at its edge. */
export function FlagRow(props: FlagRowProps) {
  const { id, range = null, fromModel = false, reset = null, onReset, children } = props;
  const helpId = useId();
  const { label, help } = settings.flags[id];
  return (
    <div className={reset === null ? styles.flag : `${styles.flag} ${styles.isChanged}`}>
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
      {children(helpId)}
      <span className={`meta ${styles.def}`}>
        {reset === null ? (
          fromModel ? (
            settings.fromModel
          ) : (
            settings.isDefault
          )
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
