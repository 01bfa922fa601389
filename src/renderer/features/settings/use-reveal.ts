import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import type { IndexedRow } from './settings-index.ts';
import { findShown, openPage, showRow, waitIn, widen, type ShownRow } from './reveal.ts';

/**
 * Goes to a row of the pane as soon as the pane shows it: some wait for an answer before they have their rows. The row
 * stays in view when more comes above it or the pane gets another width, until the person does something.
 */
export function useReveal(pane: RefObject<HTMLElement | null>): (row: IndexedRow) => void {
  const [wanted, setWanted] = useState<{ row: IndexedRow } | null>(null);
  const unmark = useRef<() => void>(undefined);
  useEffect(() => {
    const { current: root } = pane;
    if (!wanted || !root) return;
    let shown: ShownRow | null = null;
    const go = (): void => {
      if (shown?.row.isConnected) return shown.row.scrollIntoView({ block: 'nearest' });
      shown = findShown(root, wanted.row.label);
      if (!shown) return;
      unmark.current?.();
      unmark.current = showRow(shown);
    };
    // Rows that are shown now would be others a moment later.
    const widened = widen(root);
    if (wanted.row.page !== undefined) openPage(root, wanted.row.page);
    if (!widened) go();
    if (!shown) waitIn(root);
    const observer = new MutationObserver(go);
    const sizes = new ResizeObserver(go);
    const stop = (): void => {
      observer.disconnect();
      sizes.disconnect();
      for (const act of acts) root.ownerDocument.removeEventListener(act, stop);
    };
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    sizes.observe(root);
    // Whoever does something else in the meantime is left alone.
    for (const act of acts) root.ownerDocument.addEventListener(act, stop, { passive: true });
    return stop;
  }, [wanted, pane]);
  return useCallback((row) => setWanted({ row }), []);
}

const acts = ['keydown', 'pointerdown', 'wheel', 'touchmove'] as const;
