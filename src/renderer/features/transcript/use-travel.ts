import { useEffect, useRef, type RefObject } from 'react';
import { useStores, useUi } from '../../stores/stores.ts';
import type { Row } from './rows.ts';
import type { VisibleRows } from './virtual-rows.ts';

interface Ends {
  toEnd: () => void;
  leave: () => void;
}

/** A message this close to the top counts as there, with the space above the first one. */
const slack = 20;

/** Goes where keys and commands ask for: an end of the conversation, or the next message of the person. */
export function useTravel(
  scroller: RefObject<HTMLElement | null>,
  rows: Row[],
  visible: VisibleRows,
  { toEnd, leave }: Ends,
): void {
  const { ui } = useStores();
  const travel = useUi((state) => state.travel);
  const done = useRef(travel.count);
  useEffect(() => {
    const element = scroller.current;
    if (!element || done.current === travel.count) return;
    done.current = travel.count;
    if (travel.to === 'end') {
      toEnd();
      return;
    }
    leave();
    if (travel.to === 'begin') {
      element.scrollTo({ top: 0 });
      return;
    }
    const top = element.scrollTop;
    const starts = rows.flatMap((row, index) => (row.kind === 'user' ? [index] : []));
    const target =
      travel.to === 'before'
        ? starts.findLast((index) => visible.startOf(index) < top - slack)
        : starts.find((index) => visible.startOf(index) > top + slack);
    const row = target === undefined ? undefined : rows[target];
    if (target !== undefined && row) {
      ui.setState({ sought: row.key });
      visible.scrollTo(target, 'start');
      return;
    }
    if (travel.to === 'after') toEnd();
    else element.scrollTo({ top: 0 });
  }, [travel, rows, visible, scroller, ui, toEnd, leave]);
}
