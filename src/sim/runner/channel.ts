/** A queue between a producer that never waits and one consumer that does. */
export class Channel<T> {
  readonly #values: T[] = [];
  #wake: (() => void) | undefined;
  #closed = false;

  push(value: T): void {
    if (this.#closed) return;
    this.#values.push(value);
    this.#wake?.();
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** Values in order, until the channel is closed or the signal fires. */
  async *read(signal: AbortSignal): AsyncGenerator<T, void, undefined> {
    while (!signal.aborted) {
      const value = this.#values.shift();
      if (value !== undefined) yield value;
      else if (this.#closed) return;
      else await this.#next(signal);
    }
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        this.#wake = undefined;
        signal.removeEventListener('abort', finish);
        resolve();
      };
      this.#wake = finish;
      signal.addEventListener('abort', finish, { once: true });
    });
  }
}
