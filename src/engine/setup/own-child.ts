/**
 * Andiron's own Ollama as a child: on a port of its own, started with Andiron, started again when it dies, stopped with
 * Andiron. One that outlived a crash of Andiron is recognised and used on, with the models that it holds.
 */
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { Served, SetupEdges } from './edges.ts';
import { createOwnProcess, type OwnProcessDeps, type OwnProcessOptions } from './own-process.ts';

export interface OwnChildOptions extends OwnProcessOptions {
  /** It came or went: what is known of the engine may not be so any more. */
  onChange: () => void;
  /** It died too often and is not started again. */
  onGivenUp: (failure: AndironError) => void;
}

const restartAfterMs = [1_000, 2_000, 5_000, 10_000, 30_000];
/** Deaths within this time count against it. */
const deathWindowMs = 10 * 60_000;

export function createOwnChild(deps: OwnProcessDeps, edges: SetupEdges, options: OwnChildOptions) {
  const { clock, log } = deps;
  const { records } = options;
  const own = createOwnProcess(deps, edges, options);
  let running: Served | undefined;
  let starting: Promise<void> | undefined;
  let restart: Timer | undefined;
  const deaths = createDeaths(clock, log);
  /** Ends a start that is under way, and says that no death is answered by another start. */
  let stopping = new AbortController();

  const startNow = async (signal: AbortSignal): Promise<void> => {
    const adopted = await own.adopt();
    if (adopted) {
      keep(adopted);
      return;
    }
    const kept = records.own()?.port ?? null;
    // Somebody may take the port between our look and its start; then it ends at once, and gets another one.
    for (const port of [kept, null]) {
      signal.throwIfAborted();
      const served = await own.launch(port);
      keep(served);
      try {
        if (await own.comesUp(served, signal)) return;
      } catch (error) {
        await own.end(served);
        throw error;
      }
    }
    throw await own.failure('it ended at once');
  };

  const keep = (served: Served): void => {
    running = served;
    void served.exited.then(() => ended(served));
    own.logCheck.start();
    options.onChange();
  };

  const ended = (served: Served): void => {
    if (running !== served) return;
    running = undefined;
    own.logCheck.stop();
    if (!stopping.signal.aborted && !starting) waitUntilAvailable();
    options.onChange();
  };

  /** It was there and died. */
  const waitUntilAvailable = (): void => {
    const delay = deaths.restartDelay();
    if (delay === undefined) {
      void own.failure('it ended again and again').then(options.onGivenUp);
      return;
    }
    restart = clock.after(delay, () => {
      restart = undefined;
      begin().catch((error: unknown) => {
        log.error('our own Ollama could not be started again', error);
        if (error instanceof AndironError) options.onGivenUp(error);
      });
    });
  };

  const begin = (signal?: AbortSignal): Promise<void> => {
    const both = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal;
    starting ??= startNow(both).finally(() => {
      starting = undefined;
      options.onChange();
    });
    return starting;
  };

  return {
    /** A process of ours runs, so that what answers at its port is it. */
    isAlive: (): boolean => running !== undefined,
    /** It is being started, or will be again in a moment. */
    isComing: (): boolean => starting !== undefined || restart !== undefined,
    /** Resolves when it answers; at once when it does already. Rejects `engine_unavailable`, or as the signal says. */
    async start(signal?: AbortSignal): Promise<void> {
      restart?.cancel();
      restart = undefined;
      if (!running || starting) await begin(signal);
    },
    /** It was up and answers no more: ended, which counts as a death like any other. Never rejects. */
    async hung(): Promise<void> {
      const served = running;
      if (!served || starting) return;
      log.warn('our own Ollama hangs', { pid: served.pid });
      await own.end(served).catch((error: unknown) => log.error('our own Ollama could not be ended', error));
      // What not even force can end is left behind, and another one takes its place.
      ended(served);
    },
    /** Resolves when it is gone; never rejects. It is not started again by itself. */
    async stop(): Promise<void> {
      stopping.abort(new AndironError('cancelled', 'Ollama is being stopped.'));
      restart?.cancel();
      restart = undefined;
      own.logCheck.stop();
      try {
        await starting?.catch(() => undefined);
        const served = running;
        running = undefined;
        if (served) await own.end(served);
        const record = records.own();
        if (served && record) records.setOwn({ ...record, child: null });
      } catch (error) {
        log.error('our own Ollama could not be ended', error);
      }
      stopping = new AbortController();
      deaths.forget();
    },
  };
}

function createDeaths(clock: Clock, log: Log) {
  let deaths: number[] = [];
  return {
    /** Of one more death: how long to wait before the next start; undefined = it died too often. */
    restartDelay(): number | undefined {
      const now = clock.monotonic();
      deaths = [...deaths.filter((at) => now - at < deathWindowMs), now];
      log.warn('our own Ollama ended', { deaths: deaths.length });
      return restartAfterMs[deaths.length - 1];
    },
    forget(): void {
      deaths = [];
    },
  };
}

export type OwnChild = ReturnType<typeof createOwnChild>;
