/** Where hosts live and die. A life is one process of the agent host; after a death comes the next one. */
import type { Window } from '../../helpers/host-world.ts';
import type { Built } from './built.ts';

/** Who is killed: the agent host, whoever started it (the server, standing for Electron's main too), or both at once. */
export type Victim = 'host' | 'server' | 'both';

export interface Life {
  openWindow(): Promise<Window>;
  /** Signals at once. Resolves when whoever was to die is dead, and a host that lost its parent has ended by itself. */
  kill(victim: Victim): Promise<void>;
}

export interface Stage {
  victims: readonly Victim[];
  /** The next host that is ready; rejects with what a person would be told. */
  next(): Promise<Life>;
  /** Kills the next host or server this long after its birth; false when it was ready or gone before. */
  killAtBirth(afterMs: number): Promise<boolean>;
  /** From the exit of a host to the next one that is ready. */
  recoveriesMs: number[];
  /** From the death of a server to the end of its host. */
  farewellsMs: number[];
  /** What else went wrong, in words: hosts that outlived their server. */
  orphanedHosts: string[];
  close(): Promise<void>;
}

export interface StageOptions {
  built: Built;
  dataDir: string;
  workspace: string;
  engineUrl: string;
}
