import { useCallback, useEffect, useRef, useState } from 'react';

/** True while the last action handed to `during` is under way, so that its button is not pressed twice. */
export function useBusy(): { busy: boolean; during: (action: Promise<unknown>) => Promise<void> } {
  const [busy, setBusy] = useState(false);
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  const during = useCallback(async (action: Promise<unknown>): Promise<void> => {
    setBusy(true);
    try {
      await action;
    } finally {
      if (mounted.current) setBusy(false);
    }
  }, []);
  return { busy, during };
}
