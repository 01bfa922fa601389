import type { ItemOf } from '../../../protocol/model.ts';
import { plan as text } from '../../text.ts';
import { Icon } from '../../components/icon.tsx';
import { useExpanded } from './use-expanded.ts';
import styles from './plan.module.css';
import cardStyles from './card.module.css';

/** How the plan came about: kept out of the way, and read as plain text. */
export function PlanReasons({ item }: { item: ItemOf<'plan'> }) {
  const [open, toggle] = useExpanded(`${item.id}:reasons`, false);
  const parts = [
    [text.analysis, item.analysis],
    [text.review, item.review ?? ''],
    [text.written, item.text],
  ].filter(([, words]) => words !== '');
  if (parts.length === 0) return null;
  return (
    <>
      <button
        type="button"
        className={`${cardStyles.row} ${cardStyles.plain} ${styles.planWhy}`}
        aria-expanded={open}
        onClick={toggle}
      >
        <Icon name={open ? 'down' : 'right'} />
        <span className="meta">{item.review === null ? text.why : text.whyReviewed}</span>
      </button>
      {open && (
        <dl className={`${cardStyles.body} ${styles.reasons}`}>
          {parts.map(([label, words]) => (
            <div key={label}>
              <dt className="meta">{label}</dt>
              <dd className="t2">{words?.trim()}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
