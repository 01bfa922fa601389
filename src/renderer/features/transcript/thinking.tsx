import { memo } from 'react';
import type { ItemOf } from '../../../protocol/model.ts';
import { transcript as text } from '../../text.ts';
import { Icon } from '../../components/icon.tsx';
import { positions } from '../../components/positions.ts';
import { useElapsed } from '../../components/use-elapsed.ts';
import { useExpanded } from './use-expanded.ts';
import styles from './card.module.css';
import transcriptStyles from './transcript.module.css';

/** Collapsed to its duration; the seconds beside it move while it lasts. */
export function ThinkingLine({ item }: { item: ItemOf<'thinking'> }) {
  const [open, toggle] = useExpanded(item.id, false);
  return (
    <>
      <button type="button" className={transcriptStyles.line} aria-expanded={open} onClick={toggle}>
        <Icon name={open ? 'down' : 'right'} />
        <span className="num">
          <ThinkingWords item={item} />
        </span>
      </button>
      {open && <Thought className={transcriptStyles.thought} words={item.text} />}
    </>
  );
}

/** The same inside a list of calls. */
export function ThinkingRow({ item }: { item: ItemOf<'thinking'> }) {
  const [open, toggle] = useExpanded(item.id, false);
  return (
    <>
      <button
        type="button"
        className={`${styles.row} ${styles.plain} ${styles.thinking}`}
        aria-expanded={open}
        onClick={toggle}
      >
        <Icon name={open ? 'down' : 'right'} />
        <span className="meta num">
          <ThinkingWords item={item} />
        </span>
      </button>
      {open && <Thought className={`${styles.body} ${styles.thoughtBody}`} words={item.text} />}
    </>
  );
}

/** By paragraph: while it grows only the last one is rendered again. */
function Thought({ className, words }: { className: string; words: string }) {
  return (
    <div className={className}>
      {positions(words.trim().split(/\n{2,}/)).map(({ at, piece }) => (
        <Paragraph key={at} words={piece} />
      ))}
    </div>
  );
}

const Paragraph = memo(({ words }: { words: string }) => <p>{words}</p>);
Paragraph.displayName = 'Paragraph';

function ThinkingWords({ item }: { item: ItemOf<'thinking'> }) {
  const elapsed = useElapsed(item.completedAt === null ? item.startedAt : null);
  if (item.completedAt === null) return elapsed < 1000 ? text.phases.thinking : text.thinking(elapsed);
  return text.thought(Math.max(1, item.completedAt - item.startedAt));
}
