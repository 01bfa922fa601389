import { useEffect, useState } from 'react';

interface Growth {
  first: number;
  /** So many more with each frame. */
  step: number;
  total: number;
  /** True = all of it is asked for. */
  all: boolean;
}

/** How many of a long list are drawn: the first ones, and all only step by step, so that they never hold the window up. */
export function useGrowing({ first, step, total, all }: Growth): number {
  const [shown, setShown] = useState(first);
  const grows = all && shown < total;
  useEffect(() => {
    if (!grows) return;
    const frame = requestAnimationFrame(() => setShown(shown + step));
    return () => cancelAnimationFrame(frame);
  }, [grows, shown, step]);
  return Math.min(shown, total);
}
