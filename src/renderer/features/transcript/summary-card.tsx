/** Older turns were summarised: what it saved, what the model reads now, and the way back. */
import type { ItemOf } from '../../../protocol/model.ts';
import { transcript as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { useCommands } from '../../commands/commands.ts';
import { isBusy } from '../../stores/derive.ts';
import { useSession } from '../../stores/stores.ts';
import { useExpanded } from './use-expanded.ts';

export function SummaryCard({ item, undoable }: { item: ItemOf<'summary'>; undoable: boolean }) {
  const { run } = useCommands();
  const busy = useSession(isBusy);
  const [open, toggle] = useExpanded(item.id, false);
  const { beforeTokens, afterTokens, undone, by } = item;
  return (
    <Card label={text.summary.title}>
      <div className="row plain summary">
        <Icon name="fold" />
        <span className="flex-line">
          <span className="cut">
            <span className={undone ? 't2' : 'medium'}>{text.summary.title}:</span>{' '}
            <span className="num">{text.summary.tokens(beforeTokens, afterTokens)}</span>
          </span>
          <span className="meta">{undone ? text.summary.undone : text.summary.by[by]}</span>
        </span>
        <Button kind="quiet" small aria-expanded={open} onClick={toggle}>
          {open ? text.summary.hide : text.summary.show}
        </Button>
        {undoable && !undone && (
          <Button
            small
            icon="undo"
            disabled={busy}
            title={busy ? text.summary.busy : undefined}
            onClick={() => void run('compaction/undo', { itemId: item.id })}
          >
            {text.summary.undo}
          </Button>
        )}
      </div>
      {open && <p className="body summary-text">{item.text}</p>}
    </Card>
  );
}
