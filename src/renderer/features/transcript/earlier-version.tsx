import { transcript as text } from '../../text.ts';
import { Icon } from '../../components/icon.tsx';
import { earlierKey } from './build-rows.ts';
import { useExpanded } from './use-expanded.ts';

/** Turns that another version has replaced: one line that opens them. */
export function EarlierVersion({ firstTurnId, messages }: { firstTurnId: string; messages: number }) {
  const [open, toggle] = useExpanded(earlierKey(firstTurnId), false);
  return (
    <button type="button" className="line" aria-expanded={open} onClick={toggle}>
      <Icon name={open ? 'down' : 'right'} />
      <span>{text.earlier(messages)}</span>
    </button>
  );
}
