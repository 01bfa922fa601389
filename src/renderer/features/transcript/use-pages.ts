import { useEffect, type RefObject } from 'react';
import type { History } from '../../stores/pages.ts';
import { useCommands } from '../../commands/commands.ts';

/**
 * Reading towards either end fetches the page there, one screen before it is needed; what is read stays where it is.
 * Also asked after each page: one that folds into a few lines is followed by the next.
 */
export function usePages(scroller: RefObject<HTMLElement | null>, history: History | null): void {
  const { run } = useCommands();
  const older = history?.hasOlder ?? false;
  const newer = history?.hasNewer ?? false;
  const items = history?.items;
  useEffect(() => {
    const element = scroller.current;
    if (!element || items === undefined || (!older && !newer)) return;
    const look = (): void => {
      const { scrollTop, clientHeight, scrollHeight } = element;
      if (clientHeight === 0) return;
      if (older && scrollTop < clientHeight) void run('transcript/older');
      else if (newer && scrollHeight - scrollTop - clientHeight < clientHeight) void run('transcript/newer');
    };
    element.addEventListener('scroll', look, { passive: true });
    look();
    return () => element.removeEventListener('scroll', look);
  }, [scroller, older, newer, items, run]);
}
