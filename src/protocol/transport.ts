/** A two-way pipe for frames: a MessagePort, a WebSocket, or a pair in memory. Frames are plain, cloneable objects. */
export interface Transport {
  send(frame: unknown): void;
  /** One listener; frames that came earlier are kept for it. */
  onFrame(listener: (frame: unknown) => void): void;
  /** Called once, also when this side closes. Late listeners are called at once. */
  onClose(listener: () => void): void;
  close(): void;
}

class MemoryEnd implements Transport {
  #peer: MemoryEnd | undefined;
  #listener: ((frame: unknown) => void) | undefined;
  #early: unknown[] = [];
  #closeListeners: (() => void)[] = [];
  #closed = false;

  join(peer: MemoryEnd): void {
    this.#peer = peer;
  }

  send(frame: unknown): void {
    if (this.#closed) return;
    // A copy at send time, as a real channel makes one: later changes by the sender stay private.
    const copy: unknown = JSON.parse(JSON.stringify(frame));
    queueMicrotask(() => this.#peer?.receive(copy));
  }

  receive(frame: unknown): void {
    if (this.#closed) return;
    if (this.#listener) this.#listener(frame);
    else this.#early.push(frame);
  }

  onFrame(listener: (frame: unknown) => void): void {
    this.#listener = listener;
    for (const frame of this.#early.splice(0)) listener(frame);
  }

  onClose(listener: () => void): void {
    if (this.#closed) listener();
    else this.#closeListeners.push(listener);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const listener of this.#closeListeners.splice(0)) listener();
    const peer = this.#peer;
    queueMicrotask(() => peer?.close());
  }
}

/** Two joined ends in one process, ordered and asynchronous like the real ones. */
export function createTransportPair(): [Transport, Transport] {
  const a = new MemoryEnd();
  const b = new MemoryEnd();
  a.join(b);
  b.join(a);
  return [a, b];
}
