import type { ProfileProblem } from '../../../protocol/model.ts';
import { profiles as words, settings } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import styles from './profiles.module.css';

const text = settings.profiles;

interface ProblemNoteProps {
  problem: ProfileProblem;
  /** A last good reading is in use. */
  inUse: boolean;
  onRemove?: () => void;
}

/** A folder that cannot be read: which, why, and whether something stands in for it. */
export function ProblemNote({ problem, inUse, onRemove }: ProblemNoteProps) {
  return (
    <div className={`banner fail ${styles.problem}`}>
      <Icon name="failed" />
      <h3>{text.problemTitle(problem.id)}</h3>
      <p className={styles.problemText}>{problem.message}</p>
      <p className="t2">{inUse ? text.lastGood : text.notUsed}</p>
      <p className="meta">
        {text.file} <span className="mono">{problem.path}</span>
      </p>
      {onRemove && (
        <div className="acts">
          <Button icon="trash" onClick={onRemove}>
            {words.remove}
          </Button>
        </div>
      )}
    </div>
  );
}
