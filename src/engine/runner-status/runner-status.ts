/**
 * What the runner of a loaded model tells of itself. A side door: read only, asked on this machine only, and given up
 * without a word where it is not there.
 */
import type { LoadedModel, RunnerSlot } from '../../protocol/model.ts';
import { ask } from '../base/ask.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import { canonicalName } from '../models/catalogue.ts';
import type { StateStore } from '../base/state.ts';
import { isLoopback } from '../supervision/host-address.ts';
import { DeadlineExceeded, withDeadline } from '../base/timing.ts';
import { modelFileOf, type FoundRunner, type RunnerFinder } from './find-runner.ts';
import { parseSlots, type HttpGet } from './runner-slots.ts';

export interface RunnerStatusOptions {
  /** Of a running Ollama; null = none. */
  url: () => string | null;
  find: RunnerFinder;
  get: HttpGet;
}

/** A batch is never interrupted, and a large one on a slow machine takes this long (engine-truth/batches.json). */
const answerMs = 20_000;
const showMs = 5_000;
/**
 * While a runner reads, it looks for a dead peer when it has told nobody anything for a second. Asked more often, it reads
 * a stopped prompt to its end (measured: 82 s instead of one). While it writes it notices at the next line.
 */
const realQuietMs = 1_250;
/** Between two searches for a runner that was not found; each further one waits twice as long. */
const searchAgainMs = 5_000;
const maxPauseMs = 60_000;

/** One loaded runner, as long as it is the same. */
interface Door {
  /** What `/api/ps` said when it was found: another row is another runner. */
  row: string;
  runner: Promise<FoundRunner | null>;
  /** The next search, if this one found nothing. */
  dueAt: number;
  pauseMs: number;
  asking: Promise<RunnerSlot[] | null> | undefined;
  /** Not asked before. */
  quietUntil: number;
  /** It answers, but not with slots: not asked again. */
  shut: boolean;
}

export function createRunnerStatus(
  deps: Pick<EngineDeps, 'clock' | 'log' | 'ollama'>,
  state: StateStore,
  options: RunnerStatusOptions,
) {
  const { clock, log, ollama } = deps;
  const doors = new Map<string, Door>();
  const files = new Map<string, string | null>();

  const search = async (url: string, row: LoadedModel): Promise<FoundRunner | null> => {
    try {
      const { name: model, contextTokens } = row;
      return await options.find({ url, model, file: () => fileOf(url, model), contextTokens });
    } catch (error) {
      log.info('the runner of a model could not be looked for', { model: row.name, reason: String(error) });
      return null;
    }
  };

  const fileOf = async (url: string, model: string): Promise<string | null> => {
    const digest = state.current().models.find(({ name }) => name === model)?.digest ?? '';
    const known = files.get(digest);
    if (known !== undefined) return known;
    const shown = await ask(clock, showMs, (signal) => ollama.show(url, model, signal));
    const found = modelFileOf(shown.modelfile ?? '');
    if (digest !== '') files.set(digest, found);
    return found;
  };

  const doorOf = async (model: string): Promise<{ door: Door; runner: FoundRunner } | null> => {
    const url = options.url();
    const row = loadedRow(state.current().loaded, model);
    if (url === null || !isLoopback(url) || !row) return null;
    const key = canonicalName(row.name);
    let door = doors.get(key);
    const isStale = door && door.row !== identity(row);
    const isDue = door && clock.monotonic() >= door.dueAt;
    if (!door || isStale || (isDue && (await door.runner) === null && !door.shut)) {
      const pauseMs = door && !isStale ? Math.min(door.pauseMs * 2, maxPauseMs) : searchAgainMs;
      const dueAt = clock.monotonic() + pauseMs;
      const runner = search(url, row);
      door = { row: identity(row), runner, dueAt, pauseMs, asking: undefined, quietUntil: 0, shut: false };
      doors.set(key, door);
    }
    const runner = await door.runner;
    return runner ? { door, runner } : null;
  };

  const question = async (
    door: Door,
    { port, quietMs = realQuietMs }: FoundRunner,
  ): Promise<RunnerSlot[] | null> => {
    await quiet(door);
    try {
      const { status, body } = await withDeadline(clock, answerMs, (signal) =>
        options.get(`http://127.0.0.1:${String(port)}/slots`, signal),
      );
      if (status === 200) {
        const slots = parseSlots(body);
        if (slots.some(isReading)) door.quietUntil = clock.monotonic() + quietMs;
        return slots;
      }
      // 503 = it is still loading.
      if (status !== 503) shut(door, `status ${String(status)}`);
    } catch (error) {
      // A long batch is no fault, and a refused connection is a runner that went: the next search finds the new one.
      if (error instanceof DeadlineExceeded) return null;
      if (isGone(error)) door.runner = Promise.resolve(null);
      else shut(door, String(error));
    }
    return null;
  };

  const quiet = ({ quietUntil }: Door): Promise<void> => {
    const restMs = quietUntil - clock.monotonic();
    return restMs > 0 ? new Promise((resolve) => void clock.after(restMs, resolve)) : Promise.resolve();
  };

  const shut = (door: Door, reason: string): void => {
    door.shut = true;
    log.info("a runner's status cannot be read", { reason });
  };

  const unlisten = state.onChange(({ loaded, loading, status }) => {
    if (status && status.kind !== 'running') doors.clear();
    if (loading) doors.delete(canonicalName(loading.model));
    if (!loaded) return;
    for (const [key, door] of doors) {
      const row = loadedRow(loaded, key);
      if (!row || door.row !== identity(row)) doors.delete(key);
    }
  });

  return {
    /**
     * The runner's slots, asked as soon as it may be. While a batch is computed the answer waits for it. null = it cannot
     * be had. Never rejects; questions at the same time share one answer.
     */
    async slots(model: string): Promise<RunnerSlot[] | null> {
      const found = await doorOf(model);
      if (!found || found.door.shut) return null;
      const { door, runner } = found;
      door.asking ??= question(door, runner).finally(() => (door.asking = undefined));
      return door.asking;
    },
    /** Its process; null = unknown. */
    pid: async (model: string): Promise<number | null> => (await doorOf(model))?.runner.pid ?? null,
    stop: unlisten,
  };
}

const isReading = ({ isProcessing, decodedTokens }: RunnerSlot): boolean =>
  isProcessing && decodedTokens === 0;

function loadedRow(loaded: readonly LoadedModel[], model: string): LoadedModel | undefined {
  return loaded.find(({ name }) => canonicalName(name) === canonicalName(model));
}

function identity({ sizeBytes, vramBytes, contextTokens }: LoadedModel): string {
  return JSON.stringify([sizeBytes, vramBytes, contextTokens]);
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}
