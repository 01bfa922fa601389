/**
 * How long a server without a page lives: as long as whoever started it, or any program on its host's socket. They talk
 * over the channel of their start, in which Andiron's command line is the parent.
 */

/** To the parent. */
export type FromServer =
  /** The host is ready. */
  | { type: 'ready' }
  | { type: 'failed'; message: string; advice: string }
  /** Programs that are connected now. */
  | { type: 'clients'; count: number };

/** From the parent: it needs the server no longer. Its end says the same. */
export const leaveMessage = 'leave';

export interface ProgramUse {
  clients: (count: number) => void;
  left: () => void;
}

/** @param end is called once */
export function createProgramUse(end: () => void, report: (message: FromServer) => void): ProgramUse {
  let connected = 0;
  let hasParent = true;
  let ended = false;
  const endIfUnused = (): void => {
    if (ended || hasParent || connected > 0) return;
    ended = true;
    end();
  };
  return {
    clients(count) {
      connected = count;
      report({ type: 'clients', count });
      endIfUnused();
    },
    left() {
      hasParent = false;
      endIfUnused();
    },
  };
}
