import { useEffect } from 'react';
import type { Item } from '../../../protocol/model.ts';
import type { SessionState } from '../../../protocol/reducer.ts';
import { useCommands } from '../../commands/commands.ts';
import { useStores, useUi } from '../../stores/stores.ts';
import { earlierKey } from './build-rows.ts';
import type { Row } from './rows.ts';

/**
 * Goes to the item that a search has found: fetches older pages until it is there, opens what it is folded into, and
 * scrolls to its row, which is then marked.
 */
export function useJump(state: SessionState | null, rows: Row[], scrollTo: (index: number) => void): void {
  const { ui } = useStores();
  const { run } = useCommands();
  const jump = useUi((store) => store.jump);
  useEffect(() => {
    if (!jump || state?.session.id !== jump.sessionId) return;
    const item = state.items.find(({ id }) => id === jump.itemId);
    if (!item && state.hasOlder) {
      void run('transcript/older');
      return;
    }
    const expand = (id: string): boolean => {
      if (ui.getState().expanded[id]) return false;
      ui.setState(({ expanded }) => ({ expanded: { ...expanded, [id]: true } }));
      return true;
    };
    const index = rows.findIndex((row) => shows(row, jump.itemId));
    const row = rows[index];
    if (item && !row && unfold(state, item, expand)) return;
    // Found, or nowhere to be found: once is enough.
    ui.setState({ jump: null, sought: row?.key ?? null });
    if (row) scrollTo(index);
  }, [jump, state, rows, run, ui, scrollTo]);
}

function shows(row: Row, itemId: string): boolean {
  if (row.kind === 'tools') return row.entries.some(({ id }) => id === itemId);
  if (row.kind === 'text') return row.key.startsWith(`${itemId}:`);
  return 'item' in row && row.item.id === itemId;
}

/** Opens what an item is folded into; false when it is folded into nothing that was closed. */
function unfold({ turns, items }: SessionState, item: Item, expand: (id: string) => boolean): boolean {
  const at = turns.findIndex(({ id }) => id === item.turnId);
  let first = at;
  while (turns[first]?.replaced && turns[first - 1]?.replaced) first -= 1;
  const version = turns[first];
  const opened = version?.replaced ? expand(earlierKey(version.id)) : false;
  const { parentCallId } = item;
  const card = items.find((other) => other.kind === 'tool' && other.callId === parentCallId);
  return card ? expand(card.id) || opened : opened;
}
