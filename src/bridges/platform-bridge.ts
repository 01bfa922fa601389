/** What a platform's bridge does. Everything else, such as storing and trying again, is `carrier.ts`. */
import type { PlatformMessage } from '../protocol/bridge-methods.ts';
import type { AgentResponse } from '../protocol/inbox-methods.ts';
import type { ResultFile } from '../protocol/result-files.ts';

export interface PlatformBridge {
  /**
   * Brings messages from now on. Resolves with what the page shows, such as an address; rejects with AndironError where the
   * platform refuses and trying again would not help.
   */
  start(receiver: Receiver): Promise<string>;
  /** What is sent for an answer, in this order and each within the platform's limits. The same for the same answer. */
  pieces(answer: Answer): Piece[];
  /**
   * Resolves when the platform has taken the piece. Rejects with UndeliverableError where it never will, and with anything
   * else where it may later.
   */
  send(place: Place, piece: Piece, sending: Sending): Promise<void>;
  /** Shows that an answer is on its way; returns how to end that. */
  showWorking?(place: Place): () => void;
  /** Tells whoever wrote that others come first. Rejects where that cannot be, which nobody minds. */
  sayPlace?(place: Place, ahead: number): Promise<void>;
  /** Nothing is brought or sent any more. Never rejects. */
  stop(): Promise<void>;
}

export interface Place {
  server: string;
  channel: string;
  thread: string;
  /** Of the message that is answered. */
  messageId: string;
}

export type IncomingPlatformMessage = Omit<PlatformMessage, 'attachments'> & { files: IncomingFile[] };

export interface IncomingFile {
  name: string;
  /** null = it cannot be had: the text then says so. */
  bytes: Buffer | null;
}

export interface Receiver {
  /** Resolves with the host's id of the message when it is stored, however long that takes; rejects only after a stop. */
  receive(message: IncomingPlatformMessage): Promise<string>;
  /** For a platform that waits for the answer. Rejects only after a stop. */
  answer(id: string): Promise<Answer>;
}

export type Answer = Pick<AgentResponse, 'content' | 'status' | 'files' | 'error'>;

export interface FilePiece {
  file: ResultFile;
}

export type Piece = { text: string } | FilePiece;

export interface Sending {
  answer: Answer;
  /** As the host knows the message: the same for each attempt. */
  id: string;
  /** The piece may have arrived before, just when a bridge ended. */
  isRepeat: boolean;
  /** null = it cannot be had any more. */
  readFile: (file: ResultFile) => Promise<Buffer | null>;
}

/** The platform will never take it: whoever wrote has left, say. */
export class UndeliverableError extends Error {
  override readonly name = 'UndeliverableError';
}
