import { useEffect, useRef } from 'react';

/** What appears in the place of something that had the keyboard gives it to its first control. */
export function useFocusInside<T extends HTMLElement>() {
  const place = useRef<T>(null);
  useEffect(() => {
    place.current?.querySelector<HTMLElement>('input, textarea, button')?.focus();
  }, []);
  return place;
}
