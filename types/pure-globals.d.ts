/** The globals that pure rooms may use: the same in Node and in browsers, and neither clock nor random. */
interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
  throwIfAborted(): void;
}
declare const AbortSignal: { any(signals: AbortSignal[]): AbortSignal };
interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare const AbortController: new () => AbortController;
declare function queueMicrotask(callback: () => void): void;
interface TextDecoder {
  decode(bytes: Uint8Array): string;
}
declare const TextDecoder: new (encoding: string, options: { fatal: boolean }) => TextDecoder;
