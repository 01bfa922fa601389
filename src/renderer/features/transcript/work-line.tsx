import { transcript } from '../../text.ts';
import { Icon } from '../../components/icon.tsx';
import type { RowOf } from './rows.ts';
import styles from './turn.module.css';
import { useTurnParts } from './use-turn-parts.ts';
import transcriptStyles from './transcript.module.css';

/** What was done before the answer, in kinds and counts; a click shows it. */
export function WorkLine({ row: { turnId, done, open } }: { row: RowOf<'work'> }) {
  const { toggleWork } = useTurnParts(turnId);
  const words = transcript.work.done(done);
  return (
    <button
      type="button"
      className={`${transcriptStyles.line} ${styles.work}`}
      aria-expanded={open}
      onClick={() => toggleWork(open)}
    >
      <Icon name={open ? 'down' : 'right'} />
      <span className="cut">{words === '' ? transcript.work.some : words}</span>
      {done.failed > 0 && <span className="num">{transcript.work.failed(done.failed)}</span>}
    </button>
  );
}
