/** What a person does to bring a scene about: answers come later than the first picture. */
import { useEffect } from 'react';

interface ActingProps {
  find: () => HTMLElement | null | undefined;
  act: (element: HTMLElement) => void;
}

/** Does something once the page shows what `find` finds. */
export function Acting({ find, act }: ActingProps) {
  useEffect(() => {
    const look = (): void => {
      const element = find();
      if (!element) return;
      observer.disconnect();
      act(element);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    look();
    return () => observer.disconnect();
  }, [find, act]);
  return null;
}

/** Presses what a selector finds. */
export function Pressing({ selector }: { selector: string }) {
  useEffect(() => {
    let isPressed = false;
    const look = (): void => {
      const found = document.querySelector<HTMLElement>(selector);
      if (isPressed || !found) return;
      isPressed = true;
      observer.disconnect();
      found.click();
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    look();
    return () => observer.disconnect();
  }, [selector]);
  return null;
}

/** As a person's typing reaches the page: React looks at the setter. */
export function typeInto(field: HTMLInputElement | HTMLTextAreaElement, words: string): void {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
  setter?.set?.call(field, words);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
