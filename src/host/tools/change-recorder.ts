import type { Place } from './workspace-path.ts';

/** Keeps the way back. */
export interface ChangeRecorder {
  /** Before the file is touched: durable when it returns, and it throws where nothing can be kept. */
  begin(change: RecordedChange): { done(): void; failed(): void };
}

interface RecordedChange {
  sessionId: string;
  callId: string;
  place: Place;
  /** null = the file is new. */
  before: { bytes: Uint8Array; mode: number } | null;
  after: string | Uint8Array;
  /** Folders on the way that are made with it, outermost first. */
  folders: readonly Pick<Place, 'path' | 'shown'>[];
}
