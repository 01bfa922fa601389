/** What the two tools of the web need of it. */
import type { Source } from '../../protocol/foreign-text.ts';
import type { Reach } from './tool.ts';

interface WebWay {
  /** Absent = there is nobody to ask. */
  reach: Reach | undefined;
  /** Sources are numbered in it. */
  turnId: string;
  signal: AbortSignal;
}

/** Foreign text. */
interface ReadSource extends Source {
  text: string;
}

export interface WebAccess {
  /** Rejects with ToolFailure. */
  read(address: string, way: WebWay): Promise<ReadSource>;
  /** The best first. Rejects with ToolFailure. */
  search(query: string, maxResults: number, way: WebWay): Promise<ReadSource[]>;
  /** A service is set up. */
  canSearch(): boolean;
}
