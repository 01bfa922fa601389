import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import type { IndexedRow } from './settings-index.ts';
import { findShown, openPage, showRow, waitIn, widen } from './reveal.ts';

/** Goes to a row of the pane as soon as the pane shows it: some wait for an answer before they have their rows. */
export function useReveal(pane: RefObject<HTMLElement | null>): (row: IndexedRow) => void {
  const [wanted, setWanted] = useState<{ row: IndexedRow } | null>(null);
  const unmark = useRef<() => void>(undefined);
  useEffect(() => {
    const { current: root } = pane;
    if (!wanted || !root) return;
    const go = (): boolean => {
      const shown = findShown(root, wanted.row.label);
      if (!shown) return false;
      unmark.current?.();
      unmark.current = showRow(shown);
      return true;
    };
    // Rows that are shown now would be others a moment later.
    const widened = widen(root);
    if (wanted.row.page !== undefined) openPage(root, wanted.row.page);
    if (!widened && go()) return;
    waitIn(root);
    const observer = new MutationObserver(() => {
      if (go()) stop();
    });
    const stop = (): void => {
      observer.disconnect();
      root.ownerDocument.removeEventListener('keydown', stop);
      root.ownerDocument.removeEventListener('pointerdown', stop);
    };
    observer.observe(root, { childList: true, subtree: true });
    // Whoever does something else in the meantime is left alone.
    root.ownerDocument.addEventListener('keydown', stop);
    root.ownerDocument.addEventListener('pointerdown', stop);
    return stop;
  }, [wanted, pane]);
  return useCallback((row) => setWanted({ row }), []);
}
