import type { Clock } from '../clock.ts';

/**
 * One layer on the simulated disk. It grows while somebody watches it, by one download for all of them; what came
 * stays when the last one leaves.
 */
export class Blob {
  readonly digest: string;
  readonly totalBytes: number;
  readonly #bytesPerSecond: number;
  readonly #clock: Clock;
  #kept = 0;
  #growingSince = 0;
  #watchers = 0;

  constructor(clock: Clock, layer: Layer) {
    this.#clock = clock;
    this.digest = layer.digest;
    this.totalBytes = layer.bytes;
    this.#bytesPerSecond = layer.bytesPerSecond;
  }

  get completedBytes(): number {
    const seconds = this.#watchers === 0 ? 0 : (this.#clock.now() - this.#growingSince) / 1000;
    return Math.min(this.totalBytes, Math.floor(this.#kept + seconds * this.#bytesPerSecond));
  }

  get isWhole(): boolean {
    return this.completedBytes === this.totalBytes;
  }

  /** Milliseconds until so much is there. */
  msUntil(bytes: number): number {
    return Math.max(0, ((bytes - this.completedBytes) / this.#bytesPerSecond) * 1000);
  }

  /** Downloads until the returned function is called. */
  watch(): () => void {
    this.setTo(this.completedBytes);
    this.#watchers += 1;
    return () => {
      this.setTo(this.completedBytes);
      this.#watchers -= 1;
    };
  }

  /** As when failed chunks are rolled back. */
  setTo(bytes: number): void {
    this.#kept = Math.max(0, bytes);
    this.#growingSince = this.#clock.now();
  }
}

export interface Layer {
  /** Bare hex sha256. */
  digest: string;
  bytes: number;
  bytesPerSecond: number;
}
