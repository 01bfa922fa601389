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

export interface UpdateNews {
  state: UpdateState;
  /** null = nothing, or it was dismissed. */
  whatsNew: WhatsNew | null;
}

export const updateActions = ['check', 'restart', 'dismiss'] as const;
export type UpdateAction = (typeof updateActions)[number];
