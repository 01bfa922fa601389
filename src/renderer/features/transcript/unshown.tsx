import { transcript as text } from '../../text.ts';
import { CopyButton } from '../../components/code/code-block.tsx';
import { Mark } from '../../components/state-mark.tsx';
import styles from './card.module.css';

/** Stands for an item that could not be drawn. The item is still there: it can be copied as it is stored. */
export function Unshown({ item, reason }: { item: unknown; reason: string }) {
  return (
    <div className={`${styles.row} ${styles.plain}`}>
      <Mark icon="alert" tone="warn" />
      <span className="cut" title={reason}>
        <span className="medium">{text.unshown}</span> <span className="t2">{reason}</span>
      </span>
      <CopyButton text={JSON.stringify(item, null, 2)} />
    </div>
  );
}
