/** Windows and the agent host find each other here, whichever of them comes first. */
import type { HostConnection } from '../platform/host-channel.ts';
import { joinPipes, type Pipe } from '../platform/pipe.ts';
import type { HostStatus } from '../platform/supervision.ts';
import type { WindowPipe } from './socket-pipe.ts';

/** What is used of the supervised host. */
export interface HostSource {
  host(): { open(name: HostConnection): Pipe } | undefined;
  status(): HostStatus;
  revive(): void;
}

export function createWindowDesk(source: HostSource) {
  const waiting = new Set<WindowPipe>();

  const admit = (window: WindowPipe): void => {
    const host = source.host();
    if (host) {
      joinPipes(window, host.open('window'));
      return;
    }
    source.revive();
    const status = source.status();
    if (status.state === 'lost') refuse(window, status.message);
    else if (status.state === 'starting') {
      waiting.add(window);
      window.onClose(() => waiting.delete(window));
    } else refuse(window, 'Andiron is closing.');
  };

  const takeWaiting = (): WindowPipe[] => {
    const present = [...waiting];
    waiting.clear();
    return present;
  };

  return {
    /** Joins the window to the host now or when it is ready; refused while the host is lost. */
    admit,
    /** A host is ready: whoever waited is joined to it. */
    hostReady(): void {
      for (const window of takeWaiting()) admit(window);
    },
    /** It will not come back by itself: nobody waits any longer. */
    hostLost(message: string): void {
      for (const window of takeWaiting()) refuse(window, message);
    },
  };
}

/** A close reason may have 123 bytes; ours are ASCII. */
const refuse = (window: WindowPipe, reason: string): void => window.refuse(reason.slice(0, 100));
