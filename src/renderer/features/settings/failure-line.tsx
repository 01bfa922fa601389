import { settings } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/state-mark.tsx';
import type { Failure } from './use-attempt.ts';
import styles from './settings.module.css';

interface FailureLineProps {
  failure: Failure;
  /** Where nothing was pressed: the way to ask once more. */
  onAgain?: () => void;
}

/** What went wrong, and what to do next, beside what was pressed. */
export function FailureLine({ failure, onAgain }: FailureLineProps) {
  return (
    <div className={styles.failure} role="alert">
      <Mark icon="failed" tone="fail" />
      <p className="grow">
        {failure.message} {failure.advice !== '' && <span className="t2">{failure.advice}</span>}
      </p>
      {onAgain && (
        <Button small onClick={onAgain}>
          {settings.pending.retry}
        </Button>
      )}
    </div>
  );
}
