import { useMemo, useSyncExternalStore } from 'react';
import { fitColumns, type Column, type Side } from '../stores/columns.ts';
import { useUi } from '../stores/stores.ts';

/** How wide the columns are now, in this window. */
export function useColumns(): Record<Side, Column> {
  const wishes = useUi((ui) => ui.columns);
  const left = useUi((ui) => ui.room !== 'narrow' && ui.leftOpen);
  const right = useUi((ui) => ui.room === 'wide' && ui.rightOpen);
  const windowPx = useSyncExternalStore(followWidth, () => window.innerWidth);
  return useMemo(() => fitColumns(windowPx, wishes, { left, right }), [windowPx, wishes, left, right]);
}

function followWidth(onChange: () => void): () => void {
  window.addEventListener('resize', onChange);
  return () => window.removeEventListener('resize', onChange);
}
