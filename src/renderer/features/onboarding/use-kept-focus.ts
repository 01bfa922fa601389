import { useEffect, useRef } from 'react';

const takesFocus = 'button, input, a[href], [tabindex="0"]';

const firstIn = (place: Element): HTMLElement | null => place.querySelector(takesFocus);

/**
 * What had the keyboard may go away with what it did, or by itself: then what took its place has it, and where a whole
 * screen went, the title of the next one.
 */
export function useKeptFocus() {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const root = place.current;
    if (!root) return;
    /** From what has the keyboard outwards; empty = it is elsewhere. */
    let around: Element[] = [];
    const focused = ({ target }: FocusEvent): void => {
      around = [];
      for (let at = target as Element | null; at && at !== root; at = at.parentElement) around.push(at);
    };
    const left = ({ relatedTarget }: FocusEvent): void => {
      if (relatedTarget) around = [];
    };
    const observer = new MutationObserver(() => {
      if (around.length === 0 || around[0]?.isConnected || document.activeElement !== document.body) return;
      const near = around.filter((each) => each.isConnected).map(firstIn);
      (near.find((each) => each !== null) ?? root.querySelector('h2'))?.focus();
    });
    observer.observe(root, { childList: true, subtree: true });
    root.addEventListener('focusin', focused);
    root.addEventListener('focusout', left);
    return () => {
      observer.disconnect();
      root.removeEventListener('focusin', focused);
      root.removeEventListener('focusout', left);
    };
  }, []);
  return place;
}
