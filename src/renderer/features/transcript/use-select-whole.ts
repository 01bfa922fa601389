import { useEffect, useState, type RefObject } from 'react';
import { isComposing } from '../../components/composing.ts';
import { useCommands } from '../../commands/commands.ts';

/**
 * Select all, asked of the transcript: the browser would take the whole window, and of a long conversation only the rows
 * that are drawn. Here it means all of the conversation, and copying then takes all of it. True while it is selected.
 */
export function useSelectWhole(scroller: RefObject<HTMLElement | null>): boolean {
  const { run } = useCommands();
  const [whole, setWhole] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isSelectAll(event) || isField(event.target)) return;
      event.preventDefault();
      element.ownerDocument.getSelection()?.removeAllRanges();
      setWhole(true);
    };
    element.addEventListener('keydown', onKeyDown);
    return () => element.removeEventListener('keydown', onKeyDown);
  }, [scroller]);
  useEffect(() => {
    const element = scroller.current;
    if (!whole || !element) return;
    const page = element.ownerDocument;
    const end = (): void => setWhole(false);
    // Only another selection ends this one: that it took the place of one is told late.
    const onSelection = (): void => {
      if (page.getSelection()?.isCollapsed === false) end();
    };
    const onCopy = (event: ClipboardEvent): void => {
      event.preventDefault();
      void run('current/copy');
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      // Elsewhere Escape stops the turn.
      event.preventDefault();
      event.stopPropagation();
      end();
    };
    const stop = new AbortController();
    const { signal } = stop;
    page.addEventListener('copy', onCopy, { signal });
    page.addEventListener('selectionchange', onSelection, { signal });
    page.addEventListener('pointerdown', end, { signal });
    element.addEventListener('keydown', onKeyDown, { signal });
    element.addEventListener('focusout', end, { signal });
    return () => stop.abort();
  }, [whole, run, scroller]);
  return whole;
}

function isSelectAll(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  return key.toLowerCase() === 'a' && (ctrlKey || metaKey) && !altKey && !shiftKey && !isComposing(event);
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
