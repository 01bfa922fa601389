import type { IncomingMessage } from 'node:http';

import { scanJson } from '../wire/go-scan.ts';

export interface ReadBody {
  text: string;
  /** Whether the server watches the connection from here on: only once it has read the body to its end. */
  noticesClose: boolean;
}

const FIRST_READ = 512;

/**
 * Reads as Ollama's decoder does: it starts work when the JSON object is complete, and watches for a close
 * only if its reads took in the end of the body too.
 */
export function readBody(request: IncomingMessage): Promise<ReadBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const declared = Number(request.headers['content-length'] ?? Number.NaN);
    const textSoFar = () => Buffer.concat(chunks).toString('utf8');
    const stop = () => {
      request.off('data', onData);
      request.off('end', onEnd);
      request.resume();
    };
    const onEnd = () => {
      stop();
      const text = textSoFar();
      const size = Buffer.byteLength(text);
      resolve({ text, noticesClose: size <= bytesRead(endOfObject(text) ?? size) });
    };
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      const text = textSoFar();
      const size = Buffer.byteLength(text);
      const objectEnd = size === declared ? undefined : endOfObject(text);
      if (objectEnd === undefined) return;
      stop();
      // The end of a chunked body may have come in the same packet.
      setImmediate(() => {
        const noticesClose = Number.isNaN(declared) ? request.complete : declared <= bytesRead(objectEnd);
        resolve({ text, noticesClose });
      });
    };
    request.on('data', onData);
    request.on('end', onEnd);
    request.once('error', reject);
  });
}

/** Byte length of the leading JSON object or list, if it is complete. */
function endOfObject(text: string): number | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const scan = scanJson(text);
  return scan.kind === 'value' ? Buffer.byteLength(text.slice(0, scan.end)) : undefined;
}

/** Go's decoder reads into a buffer that starts at 512 bytes and doubles; a value of `size` bytes fills that much. */
function bytesRead(size: number): number {
  let capacity = FIRST_READ;
  while (capacity < size) capacity = 2 * capacity + FIRST_READ;
  return capacity;
}
