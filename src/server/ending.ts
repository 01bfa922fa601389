/** What a signal to end does: the first one stops everything politely, a later one does not wait for that. */
import type { Clock } from '../platform/clock.ts';

/** One Ctrl-C can arrive several times: from the terminal, and passed on by npm and the launcher. */
const sameSignalMs = 1_000;

export interface EndingDeps {
  clock: Pick<Clock, 'monotonic'>;
  /** Stops everything. */
  close: () => Promise<void>;
  /** Ends the process at once. */
  exit: (code: number) => void;
  complain: (line: string) => void;
}

/** Returns what to call at every Ctrl-C, polite kill, and when the launcher is gone. */
export function createEnding({ clock, close, exit, complain }: EndingDeps): () => void {
  let endingSince: number | undefined;
  return () => {
    if (endingSince !== undefined) {
      if (clock.monotonic() - endingSince > sameSignalMs) exit(130);
      return;
    }
    endingSince = clock.monotonic();
    close().then(
      () => exit(0),
      (error: unknown) => {
        complain(`Andiron did not stop cleanly: ${String(error)}`);
        exit(1);
      },
    );
  };
}
