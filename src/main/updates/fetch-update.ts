/** Reads from the update server within bounds: of addresses, bytes and time. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UpdateFailure, updateFailureOf } from './failure.ts';

export interface WebReply {
  status: number;
  body: AsyncIterable<Uint8Array>;
}

/**
 * One GET. A redirect is followed only where `mayFollow` allows it, else the promise rejects with UpdateFailure.
 * Rejects with whatever it likes when there is no answer.
 */
export type OpenWeb = (
  url: URL,
  options: { signal: AbortSignal; mayFollow: (to: URL) => boolean },
) => Promise<WebReply>;

export interface WebLimits {
  /** For a feed or a signature, whole. */
  smallMs: number;
  /** Between two pieces of a download. */
  idleMs: number;
  /** For a download, whole. */
  wholeMs: number;
}

export const usualLimits: WebLimits = { smallMs: 30_000, idleMs: 60_000, wholeMs: 2 * 60 * 60_000 };

export interface UpdateWeb {
  open: OpenWeb;
  limits: WebLimits;
  /** May an address be asked at all? */
  isTrusted: (url: URL) => boolean;
}

/** https on the hosts that are named, on their usual port. */
export function trustHosts(hosts: readonly string[]): (url: URL) => boolean {
  return (url) => url.protocol === 'https:' && url.port === '' && hosts.includes(url.hostname);
}

/** The body of a small file; null = there is none (404, 410). Throws UpdateFailure. */
export async function readSmall(web: UpdateWeb, url: URL, maxBytes: number): Promise<Uint8Array | null> {
  const limit = timeLimit(web.limits.smallMs, web.limits.smallMs);
  try {
    const { status, body } = await open(web, url, limit);
    if (status === 404 || status === 410) return null;
    if (status !== 200) throw new UpdateFailure('server-error', { cause: new Error(`Status ${status}`) });
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of body) {
      bytes += part.length;
      if (bytes > maxBytes) throw new UpdateFailure('too-large');
      parts.push(part);
    }
    // A body that was ended by the limit may end like a whole one.
    if (limit.signal.aborted) throw limit.signal.reason;
    return Buffer.concat(parts);
  } catch (error) {
    throw limit.signal.aborted
      ? new UpdateFailure('too-slow', { cause: error })
      : brokenReply(error, 'offline');
  } finally {
    limit.end();
  }
}

export interface ExpectedFile {
  size: number;
  /** base64 */
  sha512: string;
}

/** Writes the file, or throws UpdateFailure; what was written until then is left to the caller. */
export async function downloadFile(
  web: UpdateWeb,
  url: URL,
  destination: string,
  { size, sha512 }: ExpectedFile,
): Promise<void> {
  const limit = timeLimit(web.limits.wholeMs, web.limits.idleMs);
  const hash = createHash('sha512');
  let bytes = 0;
  try {
    const { status, body } = await open(web, url, limit);
    if (status === 404 || status === 410) throw new UpdateFailure('no-file');
    if (status !== 200) throw new UpdateFailure('server-error', { cause: new Error(`Status ${status}`) });
    const checked = async function* (): AsyncGenerator<Uint8Array> {
      for await (const part of body) {
        limit.alive();
        bytes += part.length;
        if (bytes > size) throw new UpdateFailure('too-large');
        hash.update(part);
        yield part;
      }
    };
    await pipeline(Readable.from(checked()), createWriteStream(destination, { mode: 0o600, flush: true }));
    if (bytes < size) throw limit.signal.aborted ? limit.signal.reason : new UpdateFailure('cut-off');
    if (hash.digest('base64') !== sha512) throw new UpdateFailure('wrong-hash');
  } catch (error) {
    throw limit.signal.aborted
      ? new UpdateFailure('too-slow', { cause: error })
      : brokenReply(error, 'cut-off');
  } finally {
    limit.end();
  }
}

async function open({ open, isTrusted }: UpdateWeb, url: URL, { signal }: TimeLimit): Promise<WebReply> {
  if (!isTrusted(url)) throw new UpdateFailure(url.protocol === 'https:' ? 'redirected' : 'insecure');
  try {
    return await open(url, { signal, mayFollow: isTrusted });
  } catch (error) {
    throw error instanceof UpdateFailure || signal.aborted
      ? error
      : new UpdateFailure('offline', { cause: error });
  }
}

/** A body that broke comes as any error of the network; one of the disk names itself. */
function brokenReply(error: unknown, otherwise: 'offline' | 'cut-off'): UpdateFailure {
  const failure = updateFailureOf(error);
  return failure.code === 'failed' ? new UpdateFailure(otherwise, { cause: error }) : failure;
}

interface TimeLimit {
  signal: AbortSignal;
  /** Something came. */
  alive: () => void;
  end: () => void;
}

function timeLimit(wholeMs: number, idleMs: number): TimeLimit {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new UpdateFailure('too-slow'));
  const whole = setTimeout(abort, wholeMs);
  const idle = setTimeout(abort, idleMs);
  for (const timer of [whole, idle]) timer.unref();
  return {
    signal: controller.signal,
    alive: () => void idle.refresh(),
    end() {
      clearTimeout(whole);
      clearTimeout(idle);
      // What was not read to its end must not keep coming.
      controller.abort();
    },
  };
}
