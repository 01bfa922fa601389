import { Mark } from '../../components/state-mark.tsx';
import type { Failure } from './use-attempt.ts';

/** What went wrong, and what to do next, beside what was pressed. */
export function FailureLine({ failure }: { failure: Failure }) {
  return (
    <p className="failure" role="alert">
      <Mark icon="failed" tone="fail" />
      <span>
        {failure.message} {failure.advice !== '' && <span className="t2">{failure.advice}</span>}
      </span>
    </p>
  );
}
