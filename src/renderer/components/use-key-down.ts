import { useEffect, useEffectEvent, type RefObject } from 'react';

/** Keys pressed inside an element that is not a control itself: a list that arrow keys go through, a card with answers. */
export function useKeyDown(
  element: RefObject<HTMLElement | null>,
  onKeyDown: (event: KeyboardEvent) => void,
): void {
  const handle = useEffectEvent(onKeyDown);
  useEffect(() => {
    const target = element.current;
    const listen = (event: KeyboardEvent): void => handle(event);
    target?.addEventListener('keydown', listen);
    return () => target?.removeEventListener('keydown', listen);
  }, [element]);
}

/** Escape inside an element ends what is done there, and nothing further out; null = there is nothing to end. */
export function useEscape(element: RefObject<HTMLElement | null>, end: (() => void) | null): void {
  useKeyDown(element, (event) => {
    if (event.key !== 'Escape' || !end) return;
    event.preventDefault();
    event.stopPropagation();
    end();
  });
}
