import { visibleText } from '../../../rules/visible-text/visible-text.ts';
import { transcript as text } from '../../text.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import type { Row } from './rows.ts';
import styles from './turn.module.css';
import type { VisibleRows } from './virtual-rows.ts';

interface QuestionAboveProps {
  rows: readonly Row[];
  visible: Pick<VisibleRows, 'rows' | 'top' | 'endOf'>;
  onGo: (index: number) => void;
}

/** The message of the turn that is read, while it is scrolled out of view: an answer is never without its question. */
export function QuestionAbove({ rows, visible, onGo }: QuestionAboveProps) {
  const index = questionAt(rows, visible);
  const row = rows[index];
  if (row?.kind !== 'user' || row.item.text === '') return null;
  const words = row.item.text;
  return (
    <div className={styles.above} data-over>
      <button
        type="button"
        className={styles.question}
        tabIndex={-1}
        title={text.toQuestion}
        aria-label={`${text.toQuestion}: ${visibleText(words)}`}
        onClick={() => onGo(index)}
      >
        <span dir="auto">
          <VisibleText text={words} oneLine />
        </span>
      </button>
    </div>
  );
}

/** The message of the turn that the top of the view cuts; -1 = it is in view itself. */
function questionAt(
  rows: readonly Row[],
  { rows: drawn, top, endOf }: QuestionAboveProps['visible'],
): number {
  const cut = drawn.find(({ end }) => end > top);
  if (!cut) return -1;
  let index = cut.index;
  while (index >= 0 && rows[index]?.kind !== 'user') index -= 1;
  return index !== -1 && endOf(index) <= top ? index : -1;
}
