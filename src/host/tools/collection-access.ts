/** What the tool of collections needs of them. */
import type { Source } from '../../protocol/foreign-text.ts';

/** Text of a file. */
interface PassageSource extends Source {
  text: string;
}

export interface CollectionAccess {
  /** Somebody has one. */
  hasAny(): boolean;
  /**
   * In what whoever the session belongs to has, the best first. `name` null = all of them. Rejects with ToolFailure, and
   * with the signal's reason.
   */
  search(
    wanted: { query: string; name: string | null },
    way: { sessionId: string; turnId: string; signal: AbortSignal },
  ): Promise<{ passages: PassageSource[]; remarks: string[] }>;
}
