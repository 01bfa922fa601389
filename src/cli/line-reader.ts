/** Lines that a person or a pipe writes to stdin. The terminal edits them itself, so that its Ctrl-C stays a signal. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface LineReader {
  /** Resolves with the next line; null = there is none any more, or the signal fired. */
  next(signal: AbortSignal): Promise<string | null>;
  /** The same, but only of lines that arrive after this call; those that wait already are kept for `next`. */
  nextFromNow(signal: AbortSignal): Promise<string | null>;
  close(): void;
}

export function readLines(input: Readable): LineReader {
  const lines: string[] = [];
  let waiting: ((line: string | null) => void) | undefined;
  let isOpen = true;
  const reader = createInterface({ input, terminal: false });
  reader.on('line', (line) => {
    if (waiting) waiting(line);
    else lines.push(line);
  });
  reader.on('close', () => {
    isOpen = false;
    waiting?.(null);
  });
  const nextFromNow = (signal: AbortSignal): Promise<string | null> => {
    if (!isOpen || signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const give = (given: string | null): void => {
        waiting = undefined;
        signal.removeEventListener('abort', onAbort);
        resolve(given);
      };
      const onAbort = (): void => give(null);
      waiting = give;
      signal.addEventListener('abort', onAbort, { once: true });
    });
  };
  return {
    next(signal) {
      const line = lines.shift();
      return line === undefined ? nextFromNow(signal) : Promise.resolve(line);
    },
    nextFromNow,
    close: () => reader.close(),
  };
}
