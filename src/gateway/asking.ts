/** One request of a program, as the routes see it. */
import type { HostRpc } from '../cli/host-rpc.ts';
import type { Conversations } from './conversation-search.ts';
import type { EventStream } from './event-stream.ts';

export interface Asking {
  rpc: HostRpc;
  token: string;
  conversations: Conversations;
  /** Unix milliseconds. */
  now: () => number;
  /** Fires when the program has gone away. */
  signal: AbortSignal;
  /** To be opened once there is an answer; what fails before is an answer of its own. */
  stream: EventStream;
  /** By lower-case name. */
  header: (name: string) => string | undefined;
}
