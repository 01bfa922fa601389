/** What of the window is in sight of the person: on screen, and not scrolled out of a box. */
import { createContext, useCallback, useContext, useState } from 'react';

/** Tells whether the element is in sight, now and after each change. Returns how to stop it. */
export type WatchSight = (element: Element, onSight: (inSight: boolean) => void) => () => void;

/** Boxes that scroll inside of each other count with all their edges. */
const watchPage: WatchSight = (element, onSight) => {
  const observer = new IntersectionObserver((entries) => {
    const last = entries.at(-1);
    if (last) onSight(last.isIntersecting);
  });
  observer.observe(element);
  return () => observer.disconnect();
};

export const SightContext = createContext<WatchSight>(watchPage);

interface Ends {
  /** null = not known yet. */
  start: boolean | null;
  end: boolean | null;
  startSeen: boolean;
  endSeen: boolean;
}

export interface Sight {
  /** For elements before and behind what should be read. */
  start: (element: HTMLElement | null) => (() => void) | undefined;
  end: (element: HTMLElement | null) => (() => void) | undefined;
  /** Both are in sight now. */
  whole: boolean;
  /** Both were in sight, one after the other or at once. */
  seen: boolean;
  /** It is known that the beginning was never in sight: it begins further up. */
  hidesStart: boolean;
  /** It is known that the end was never in sight. */
  hidesEnd: boolean;
}

/** Follows the begin and the end of something that may be longer than there is room. Without its end drawn it is not seen. */
export function useSight(): Sight {
  const watch = useContext(SightContext);
  const [ends, setEnds] = useState<Ends>({ start: null, end: null, startSeen: false, endSeen: false });
  const start = useCallback(
    (element: HTMLElement | null) =>
      element
        ? watch(element, (inSight) =>
            setEnds((now) => ({ ...now, start: inSight, startSeen: now.startSeen || inSight })),
          )
        : undefined,
    [watch],
  );
  const end = useCallback(
    (element: HTMLElement | null) =>
      element
        ? watch(element, (inSight) =>
            setEnds((now) => ({ ...now, end: inSight, endSeen: now.endSeen || inSight })),
          )
        : undefined,
    [watch],
  );
  return {
    start,
    end,
    whole: ends.start === true && ends.end === true,
    seen: ends.startSeen && ends.endSeen,
    hidesStart: ends.start === false && !ends.startSeen,
    // Both are told at once: an end of which nothing was told is not drawn yet.
    hidesEnd: ends.start !== null && ends.end !== true && !ends.endSeen,
  };
}
