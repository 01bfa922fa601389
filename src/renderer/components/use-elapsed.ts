import { useCallback, useSyncExternalStore } from 'react';

/**
 * Milliseconds since `since`, in whole steps of `everyMs`; null = not running, no timer at all.
 * A hidden page does not tick.
 */
export function useElapsed(since: number | null, everyMs = 1000): number {
  const ticking = since !== null;
  const subscribe = useCallback(
    (onTick: () => void) => {
      if (!ticking) return () => undefined;
      const timer = setInterval(() => {
        if (!document.hidden) onTick();
      }, everyMs);
      return () => clearInterval(timer);
    },
    [ticking, everyMs],
  );
  const steps = useSyncExternalStore(subscribe, () =>
    since === null ? 0 : Math.max(0, Math.floor((Date.now() - since) / everyMs)),
  );
  return steps * everyMs;
}

/** The time of day, in whole steps of `everyMs`. */
export function useNow(everyMs: number): number {
  return useElapsed(0, everyMs);
}
