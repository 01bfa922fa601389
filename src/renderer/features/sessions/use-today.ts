import { useSyncExternalStore } from 'react';

const minuteMs = 60_000;

/** When this day began: "today" becomes "yesterday" in a window that stays open. Drawn anew only then. */
export function useToday(): number {
  return useSyncExternalStore(everyMinute, startOfToday);
}

function startOfToday(): number {
  return new Date().setHours(0, 0, 0, 0);
}

function everyMinute(onTick: () => void): () => void {
  const timer = setInterval(onTick, minuteMs);
  return () => clearInterval(timer);
}
