/** A session that works all day holds its newest items; older ones are in the store, and windows ask for them in pages. */
import type { SessionSnapshot } from '../../protocol/model.ts';
import { itemList } from '../../protocol/reducer.ts';

/** From here on the oldest are let go. */
const maxItems = 1_200;
/** So many stay at least, and all from the first open one on. */
const minKept = 600;

/** The state itself while it is short enough. Everything that is let go has to be stored. */
export function keepNewest(state: SessionSnapshot): SessionSnapshot {
  const items = itemList(state);
  if (items.length <= maxItems) return state;
  const kept = items.toArray().slice(Math.min(items.length - minKept, items.beforeFirstOpen()));
  if (kept.length === items.length) return state;
  const first = state.turns.findIndex(({ id }) => id === kept[0]?.turnId);
  return { ...state, items: kept, turns: state.turns.slice(Math.max(0, first)), hasOlder: true };
}
