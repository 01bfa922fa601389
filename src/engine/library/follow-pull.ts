/** One connection of one pull: its lines, watched for silence and for a disk that is too small. */
import type { Clock, Timer } from '../../platform/clock.ts';
import type { LibraryApi } from '../../ollama/library.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { PullProgress } from './pull-progress.ts';

export interface FollowOptions {
  clock: Clock;
  ollama: Pick<LibraryApi, 'pull'>;
  url: string;
  model: string;
  progress: PullProgress;
  /** Its abort closes the connection, which is how a pull is paused. */
  signal: AbortSignal;
  /** About four times a second, and once at the end: look at the progress now. */
  onTick: () => void;
  /** Another layer is known: throws where there is no room for it. */
  assertRoom: () => Promise<void>;
}

const tickMs = 250;
/** Ollama writes 16 lines a second while bytes come, also when they do not … */
const silentMs = 60_000;
/** … and none while it reads the whole model again to check it. */
const verifyingMs = 30 * 60_000;

/** Resolves at `success`. Throws AndironError, or the signal's reason. */
export async function followPull(options: FollowOptions): Promise<void> {
  const { clock, ollama, url, model, progress, signal } = options;
  const silence = new AbortController();
  let heardAt = clock.monotonic();
  let ticker: Timer | undefined;
  const tick = (): void => {
    options.onTick();
    const limit = progress.phase() === 'verifying' ? verifyingMs : silentMs;
    if (clock.monotonic() - heardAt > limit) silence.abort(fellSilent(model));
    else ticker = clock.after(tickMs, tick);
  };

  ticker = clock.after(tickMs, tick);
  let checkedBytes: number | null = null;
  try {
    for await (const line of ollama.pull(url, model, AbortSignal.any([signal, silence.signal]))) {
      heardAt = clock.monotonic();
      progress.take(line);
      const totalBytes = progress.totalBytes();
      if (totalBytes !== checkedBytes) {
        checkedBytes = totalBytes;
        await options.assertRoom();
      }
    }
  } finally {
    ticker.cancel();
    options.onTick();
  }
}

function fellSilent(model: string): AndironError {
  return new AndironError(
    'stream_cut',
    `Ollama fell silent while ${model} was being downloaded.`,
    'Resume the download. If it happens again, restart Ollama.',
  );
}
