import type { ItemOf } from '../../../protocol/model.ts';
import { transcript as text } from '../../../text/en/transcript.ts';
import { Icon } from '../../components/icon.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { useExpanded } from './use-expanded.ts';

/** Collapsed to its duration; the seconds beside it move while it lasts. */
export function ThinkingLine({ item }: { item: ItemOf<'thinking'> }) {
  const [open, toggle] = useExpanded(item.id, false);
  return (
    <>
      <button type="button" className="line" aria-expanded={open} onClick={toggle}>
        <Icon name={open ? 'down' : 'right'} />
        <span className="num">
          <ThinkingWords item={item} />
        </span>
      </button>
      {open && <div className="thought">{item.text}</div>}
    </>
  );
}

/** The same inside a list of calls. */
export function ThinkingRow({ item }: { item: ItemOf<'thinking'> }) {
  const [open, toggle] = useExpanded(item.id, false);
  return (
    <>
      <button type="button" className="row plain thinking" aria-expanded={open} onClick={toggle}>
        <Icon name={open ? 'down' : 'right'} />
        <span className="meta num">
          <ThinkingWords item={item} />
        </span>
      </button>
      {open && <div className="body thought-body">{item.text}</div>}
    </>
  );
}

function ThinkingWords({ item }: { item: ItemOf<'thinking'> }) {
  const elapsed = useElapsed(item.completedAt === null ? item.startedAt : null);
  if (item.completedAt === null) return elapsed < 1000 ? text.phases.thinking : text.thinking(elapsed);
  return text.thought(Math.max(1, item.completedAt - item.startedAt));
}
