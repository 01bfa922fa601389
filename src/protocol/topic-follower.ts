/**
 * Keeps a local copy of one topic in step with its owner: snapshot + seq.
 * First load, reload, reconnect, a second window and a restarted host are all this one path.
 */

export interface Snapshot {
  /** Last event that the snapshot already contains. */
  seq: number;
  /** The process that counts; another one starts its own count. */
  epoch: string;
}

export interface TopicSink<S extends Snapshot> {
  /** Asks the owner for a snapshot and to be told what follows. */
  subscribe(): Promise<S>;
  onSnapshot(snapshot: S): void;
  /** In order, each exactly once. */
  onEvent(event: unknown): void;
  /** The owner refused (for example `not_found`). A lost connection is not an error: `restart` follows. */
  onError(error: unknown): void;
}

interface BufferedEvent {
  seq: number;
  event: unknown;
}

export class TopicFollower<S extends Snapshot> {
  readonly #sink: TopicSink<S>;
  #lastSeq = 0;
  #epoch: string | undefined;
  /** Events that came while a snapshot was under way; null = in step. */
  #buffer: BufferedEvent[] | null = [];
  /** Answers to an older subscribe are ignored. */
  #round = 0;
  #stopped = false;

  constructor(sink: TopicSink<S>) {
    this.#sink = sink;
  }

  /** Takes a new snapshot; what is shown stays until it is there. */
  restart(): void {
    const round = ++this.#round;
    this.#buffer = [];
    void this.#take(round);
  }

  /** The connection said which process answers; another one knows nothing of our seq. */
  onEpoch(epoch: string): void {
    if (this.#epoch !== undefined && this.#epoch !== epoch) this.restart();
  }

  receive(seq: number, event: unknown): void {
    if (this.#stopped) return;
    if (this.#buffer) {
      this.#buffer.push({ seq, event });
      return;
    }
    if (seq <= this.#lastSeq) return;
    if (seq > this.#lastSeq + 1) {
      this.restart();
      // Kept: the snapshot under way may be older than this event.
      this.receive(seq, event);
      return;
    }
    this.#lastSeq = seq;
    this.#sink.onEvent(event);
  }

  stop(): void {
    this.#stopped = true;
  }

  async #take(round: number): Promise<void> {
    const current = (): boolean => round === this.#round && !this.#stopped;
    try {
      const snapshot = await this.#sink.subscribe();
      if (current()) this.#begin(snapshot);
    } catch (error) {
      if (current()) this.#sink.onError(error);
    }
  }

  #begin(snapshot: S): void {
    const early = this.#buffer ?? [];
    this.#buffer = null;
    this.#lastSeq = snapshot.seq;
    this.#epoch = snapshot.epoch;
    this.#sink.onSnapshot(snapshot);
    for (const { seq, event } of early) this.receive(seq, event);
  }
}
