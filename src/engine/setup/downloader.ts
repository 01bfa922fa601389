/** One large file, piece by piece: it goes on where it was cut, as long as the server still has the same file. */
import type { Clock } from '../../platform/clock.ts';
import type { EngineFiles } from '../base/engine-deps.ts';
import { pause } from '../base/timing.ts';
import type { SetupEdges } from './edges.ts';
import { SetupFailure } from './setup-failure.ts';
import { requestDownload } from './http.ts';
import { createPartialFiles, maxDownloadBytes, type PartialFile } from './partial-files.ts';

export interface DownloadRequest {
  url: string;
  /** Where it grows; what is known of it lies beside, in `<part>.json`. */
  part: string;
  signal: AbortSignal;
  /** Asked once for each connection, before a byte is written; throws where there is no room. */
  makeRoom: (totalBytes: number | null, receivedBytes: number) => Promise<void>;
  onProgress: (receivedBytes: number, totalBytes: number | null) => void;
}

const idleMs = 30_000;
const backOffMs = [1_000, 2_000, 5_000, 10_000];
/** In a row, without a single byte. */
const maxFailedTries = 5;

/** The connection ended early; another one may go on. */
class Cut extends Error {}
/** It ended before the server said anything. */
class Unanswered extends Cut {}

export function createDownloader(
  clock: Clock,
  edges: Pick<SetupEdges, 'fetch' | 'files'>,
  texts: Pick<EngineFiles, 'readText' | 'writeWhole'>,
) {
  const { files } = edges;
  const partials = createPartialFiles(files, texts);

  /** One connection. Returns when the file is whole. */
  const connect = async (request: DownloadRequest): Promise<void> => {
    const { url, part } = request;
    const before = await partials.find(url, part);
    if (before && before.receivedBytes === before.totalBytes) return;
    const idle = new AbortController();
    const signal = AbortSignal.any([request.signal, idle.signal]);
    const watch = watchdog(clock, () => idle.abort(new Cut('nothing came for half a minute')));
    try {
      const response = await requestDownload(edges.fetch, {
        url,
        headers: {
          'Accept-Encoding': 'identity',
          ...(before && rangeFrom(before)),
        },
        signal,
      }).catch((error: unknown) => {
        throw asCut(error, request.signal, Unanswered);
      });
      const { from, total } = placeOf(response, before?.receivedBytes ?? 0);
      if (from === null) {
        await partials.forget(part);
        throw new Cut('the server has another file now');
      }
      await request.makeRoom(total, from);
      await partials.begin(part, response, url, total);
      await receive(response, request, from, total, watch.feed);
    } finally {
      watch.stop();
    }
  };

  const receive = async (
    response: Response,
    request: DownloadRequest,
    from: number,
    total: number | null,
    onChunk: () => void,
  ): Promise<void> => {
    let received = from;
    const sink = await files.openSink(request.part, from);
    try {
      request.onProgress(received, total);
      for await (const chunk of bodyOf(response, request.signal)) {
        onChunk();
        received += chunk.length;
        if (received > (total ?? maxDownloadBytes)) throw tooLong();
        await sink.write(chunk);
        request.onProgress(received, total);
      }
    } finally {
      await sink.close();
    }
    if (total !== null && received < total) throw new Cut('the connection ended early');
  };

  return {
    /** What earlier downloads left. */
    partials,
    /** Resolves when the file is whole. What came stays whatever happens. */
    async download(request: DownloadRequest): Promise<void> {
      let failedTries = 0;
      let answered = false;
      for (;;) {
        const before = (await files.size(request.part)) ?? 0;
        try {
          await connect(request);
          return;
        } catch (error) {
          if (request.signal.aborted || !(error instanceof Cut)) throw error;
          answered ||= !(error instanceof Unanswered);
          if (!answered) throw offline(error);
          const grew = ((await files.size(request.part)) ?? 0) > before;
          failedTries = grew ? 0 : failedTries + 1;
          if (failedTries === maxFailedTries) throw cutForGood(error);
        }
        await pause(clock, backOffMs[Math.min(failedTries, backOffMs.length - 1)] ?? 0, request.signal);
        request.signal.throwIfAborted();
      }
    },
  };
}

function rangeFrom({ receivedBytes, validator }: PartialFile): Record<string, string> {
  return { Range: `bytes=${String(receivedBytes)}-`, 'If-Range': validator };
}

/** Where the body begins, and how long the whole file is. `from` null = what was received is of no use any more. */
function placeOf(response: Response, wanted: number): { from: number | null; total: number | null } {
  const { status, headers } = response;
  if (status === 200) return { from: 0, total: lengthOf(headers.get('content-length')) };
  if (status === 206) {
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '');
    const from = Number(range?.[1]) === wanted ? wanted : null;
    return { from, total: lengthOf(range?.[2] ?? null) };
  }
  if (status === 416) return { from: null, total: null };
  if (status === 408 || status === 429 || status >= 500)
    throw new Cut(`the server answered ${String(status)}`);
  throw new SetupFailure(
    'not_published',
    `The release server refused the file (${String(status)}): ${response.url}`,
    'Try again later, or install Ollama from https://ollama.com/download.',
  );
}

function lengthOf(text: string | null): number | null {
  const length = text === null ? NaN : Number(text);
  return Number.isSafeInteger(length) && length > 0 ? length : null;
}

async function* bodyOf(response: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    // The types of the two worlds differ in what they say of `asyncIterator`; Node's bodies have one.
    if (response.body) yield* response.body;
  } catch (error) {
    throw asCut(error, signal);
  }
}

/** What breaks off may be tried again; what was refused or cancelled may not. */
function asCut(error: unknown, signal: AbortSignal, Kind = Cut): unknown {
  if (signal.aborted || error instanceof SetupFailure) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return new Kind(cause instanceof Error ? cause.message : String(cause), { cause: error });
}

function watchdog(clock: Clock, bark: () => void): { feed: () => void; stop: () => void } {
  let timer = clock.after(idleMs, bark);
  return {
    feed() {
      timer.cancel();
      timer = clock.after(idleMs, bark);
    },
    stop: () => timer.cancel(),
  };
}

/** Nobody has to wait for several tries where there is no network at all. */
function offline(cut: Cut): SetupFailure {
  return new SetupFailure(
    'offline',
    `The release server could not be reached: ${cut.message}.`,
    'Look at the network connection, then try again.',
    { cause: cut },
  );
}

function cutForGood(cut: Cut): SetupFailure {
  return new SetupFailure(
    'download_cut',
    `The download broke off: ${cut.message}.`,
    'Look at the network connection, then continue; what came so far is kept.',
    { cause: cut },
  );
}

function tooLong(): SetupFailure {
  return new SetupFailure(
    'download_refused',
    'The server sends more than the file is long.',
    'Something between here and the release changes it; look at the network, then try again.',
  );
}
