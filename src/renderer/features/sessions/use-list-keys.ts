import type { RefObject } from 'react';
import { useKeyDown } from '../../components/use-key-down.ts';
import type { ListRow } from './list-rows.ts';

export interface ListKeys {
  rows: ListRow[];
  /** Gives the keyboard to a row; with `select`, all rows up to it are chosen. */
  goTo: (key: string, select: boolean) => void;
  toggle: (key: string) => void;
  selectAll: () => void;
  /** False when nothing was selected: Escape then keeps its usual meaning. */
  deselect: () => boolean;
  rename: (key: string) => void;
  remove: (key: string) => void;
  pin: (key: string) => void;
  /** A letter begins, or goes on with, a search. */
  type: (letter: string) => void;
}

const pageRows = 10;

/** The keyboard in the list: from the search field through the rows, and back. */
export function useListKeys(nav: RefObject<HTMLElement | null>, keys: ListKeys): void {
  useKeyDown(nav, (event) => {
    const { target } = event;
    if (!(target instanceof HTMLElement) || event.altKey) return;
    const used = target.matches('input[type=search]')
      ? fromSearch(event, stops(nav.current))
      : target.matches('[data-row] > button') && fromList(event, target, nav.current, keys);
    if (used) event.preventDefault();
  });
}

/** What the arrow keys reach outside the rows. */
interface Stops {
  search: HTMLElement | null;
  firstRow: HTMLElement | null;
}

function stops(nav: HTMLElement | null): Stops {
  return {
    search: nav?.querySelector('input[type=search]') ?? null,
    firstRow: nav?.querySelector('[data-row] > button') ?? null,
  };
}

function fromSearch({ key }: KeyboardEvent, { firstRow }: Stops): boolean {
  if (key !== 'ArrowDown' || !firstRow) return false;
  firstRow.focus();
  return true;
}

function fromList(
  event: KeyboardEvent,
  target: HTMLElement,
  nav: HTMLElement | null,
  keys: ListKeys,
): boolean {
  const row = target.closest<HTMLElement>('[data-row]')?.dataset['row'];
  if (row === undefined) return false;
  return travel(event, row, stops(nav), keys) || choose(event, row, keys) || change(event, row, keys);
}

function travel({ key, shiftKey }: KeyboardEvent, row: string, around: Stops, keys: ListKeys): boolean {
  const { rows, goTo } = keys;
  const at = rows.findIndex((other) => other.key === row);
  const steps: Partial<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: Math.min(rows.length - 1, at + pageRows),
    PageUp: Math.max(0, at - pageRows),
    Home: 0,
    End: rows.length - 1,
  };
  const to = steps[key];
  if (to === undefined) return false;
  const next = rows[to];
  if (next) goTo(next.key, shiftKey);
  else if (to < 0) around.search?.focus();
  else return false;
  return true;
}

function choose({ key, ctrlKey, metaKey }: KeyboardEvent, row: string, keys: ListKeys): boolean {
  if (key === 'Escape') return keys.deselect();
  if (!ctrlKey && !metaKey) return false;
  if (key === ' ') keys.toggle(row);
  else if (key.toLowerCase() === 'a') keys.selectAll();
  else return false;
  return true;
}

function change(event: KeyboardEvent, row: string, keys: ListKeys): boolean {
  const { key, ctrlKey, metaKey, repeat } = event;
  // A Mac's keyboard has no Delete.
  if (key === 'Delete' || (key === 'Backspace' && metaKey)) {
    // A key that is held would go on with the next row, and the next.
    if (!repeat) keys.remove(row);
  } else if (ctrlKey || metaKey) return false;
  else if (key === 'F2') keys.rename(row);
  else if (key === 'p') {
    if (!repeat) keys.pin(row);
  } else if (key.length === 1 && key !== ' ') keys.type(key);
  else return false;
  return true;
}
