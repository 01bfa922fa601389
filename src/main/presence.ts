/**
 * Whether Andiron is seen. It begins with a window, or in the background because a command needs a host: then it ends once
 * programs use it no longer, unless a window was opened meanwhile.
 */
import type { Clock, Timer } from '../platform/clock.ts';
import type { AppTray } from './tray.ts';

/** `displayless`: in the background, where no window can be opened. */
export type StartKind = 'window' | 'background' | 'displayless';

export interface PresenceDeps {
  clock: Pick<Clock, 'after'>;
  openWindow: () => void;
  openTray: () => AppTray;
  /** It began in the background and has a window now. */
  onSeen: () => void;
  /** Nobody uses it, or a start that can open a window waits for its end. Nobody is asked. */
  end: () => void;
}

/** From the start to the first program: whoever started it may have gone. */
const firstMs = 60_000;
/** Between two commands of one script. */
const betweenMs = 3_000;

export function createPresence(kind: StartKind, deps: PresenceDeps) {
  let isSeen = kind === 'window';
  let unused: Timer | undefined;
  let tray: AppTray | undefined;
  const endAfter = (ms: number): void => {
    unused?.cancel();
    unused = deps.clock.after(ms, deps.end);
  };
  if (!isSeen) endAfter(firstMs);

  return {
    isSeen: (): boolean => isSeen,
    tray: (): AppTray | undefined => tray,
    /** Programs that are connected now. */
    programs(count: number): void {
      if (isSeen) return;
      if (count > 0) unused?.cancel();
      else endAfter(betweenMs);
    },
    /** To the front, or opened. */
    show(): void {
      if (kind === 'displayless') {
        // The start that asked for a window waits for this end, and then opens one.
        deps.end();
        return;
      }
      if (!isSeen) {
        isSeen = true;
        unused?.cancel();
        deps.onSeen();
      }
      tray ??= deps.openTray();
      deps.openWindow();
    },
  };
}
