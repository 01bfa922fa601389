/** What endpoints use of an exchange, each kind by itself. An endpoint that uses more says so beside it. */

/** Who asked, and may leave at any time. */
export interface Client {
  /** Fires when Ollama notices that the client left; later than the close, or never, for some bodies. */
  readonly closed: AbortSignal;
  /** Lets go of a connection whose client has left. */
  abandon(): void;
}

/** An answer that is said at once. */
export interface WholeAnswer {
  json(status: number, value: unknown): void;
}

/** An answer that may also come line by line, and break off. */
export interface LineAnswer extends Client, WholeAnswer {
  /** The first one brings status and headers with it. */
  line(value: unknown): void;
  rawLine(text: string | Uint8Array): void;
  end(): void;
  /** Breaks the connection. */
  reset(): void;
}
