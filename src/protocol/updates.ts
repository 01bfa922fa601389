/** What the page is told of updates. Types only. */

export type UpdateState =
  | { kind: 'idle' | 'checking' | 'current' }
  | { kind: 'downloading' | 'ready'; version: string }
  /** One sentence. `unavailable`: this copy never looks for any. */
  | { kind: 'failed' | 'unavailable'; message: string };

/** The first start after an update. */
export interface WhatsNew {
  version: string;
  lines: readonly string[];
}

/** When an update that is ready is installed. The last one ends other Andirons of the same installation too. */
export type UpdateMoment = 'quit' | 'restart' | 'restart-ends-others';

/** The first start after an update that failed while Andiron ended. */
export interface FailedInstall {
  version: string;
  /** One sentence. */
  message: string;
}

export interface UpdateNews {
  state: UpdateState;
  installedAt: UpdateMoment;
  /** null = nothing, or it was dismissed. */
  notInstalled: FailedInstall | null;
  /** null = nothing, or it was dismissed. */
  whatsNew: WhatsNew | null;
}

export const updateActions = ['check', 'restart', 'dismiss'] as const;
export type UpdateAction = (typeof updateActions)[number];
