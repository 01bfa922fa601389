import { useEffect, useRef, type RefObject } from 'react';

interface KeptPlace {
  /** Of the list; can take the keyboard itself. */
  place: RefObject<HTMLDivElement | null>;
  /** The row at this place in the list is about to go; null = it stays. */
  leave: (row: number | null) => void;
}

/** A button that goes with its row leaves the keyboard to the next one. */
export function useKeptPlace(): KeptPlace {
  const place = useRef<HTMLDivElement>(null);
  const going = useRef<number | null>(null);
  useEffect(() => {
    const at = going.current;
    const { body, activeElement } = document;
    if (at === null || place.current?.contains(activeElement)) return;
    going.current = null;
    if (activeElement !== body) return;
    const buttons = place.current?.querySelectorAll<HTMLElement>('li button');
    (buttons?.[Math.min(at, buttons.length - 1)] ?? place.current)?.focus();
  });
  return { place, leave: (row) => void (going.current = row) };
}
