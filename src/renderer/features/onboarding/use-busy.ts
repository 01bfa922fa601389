import { useCallback, useRef, useState } from 'react';

/**
 * Runs one action at a time. Its button is only called disabled (`aria-disabled`) meanwhile: one that really is loses
 * the keyboard.
 */
export function useBusy(): { busy: boolean; during: (action: () => Promise<unknown>) => Promise<void> } {
  const [busy, setBusy] = useState(false);
  const underWay = useRef(false);
  const during = useCallback(async (action: () => Promise<unknown>): Promise<void> => {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    try {
      await action();
    } finally {
      underWay.current = false;
      setBusy(false);
    }
  }, []);
  return { busy, during };
}
