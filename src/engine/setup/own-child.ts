/**
 * Andiron's own Ollama as a child: on a port of its own, started with Andiron, started again when it dies, stopped with
 * Andiron. One that outlived a crash of Andiron is recognised and used on, with the models that it holds.
 */
import type { Clock, Timer } from '../../platform/clock.ts';
import { isSameProcess } from '../../platform/process-table.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import { pause, withDeadline } from '../base/timing.ts';
import type { Served, SetupEdges } from './edges.ts';
import { childEnvironment, type SetupFolders } from './setup-folders.ts';
import type { OwnRecord } from './own-record.ts';

export interface OwnChild {
  /** A process of ours runs, so that what answers at its port is it. */
  isAlive(): boolean;
  /** It is being started, or will be again in a moment. */
  isComing(): boolean;
  /** Resolves when it answers; at once when it does already. Rejects `engine_unavailable`, or as the signal says. */
  start(signal?: AbortSignal): Promise<void>;
  /** Resolves when it is gone; never rejects. It is not started again by itself. */
  stop(): Promise<void>;
}

/** Where the record of it lives; written through to `engine.json`. */
export interface OwnRecords {
  own(): OwnRecord | null;
  setOwn(own: OwnRecord | null): void;
}

export interface OwnChildOptions {
  records: OwnRecords;
  folders: SetupFolders;
  /** Its program, for the version of the record. */
  program: () => Promise<string>;
  /** Half downloaded models in its library are wanted, or not ours. */
  keepsPartials: () => boolean;
  /** It came or went: what is known of the engine may not be so any more. */
  onChange: () => void;
  /** It died too often and is not started again. */
  onGivenUp: (failure: AndironError) => void;
}

const startLimitMs = 60_000;
const pollMs = 250;
const askMs = 2_000;
/** SIGTERM unloads every model, which takes seconds. */
const politeMs = 10_000;
const forcedMs = 2_000;
const restartAfterMs = [1_000, 2_000, 5_000, 10_000, 30_000];
/** Deaths within this time count against it. */
const deathWindowMs = 10 * 60_000;
const logLimitBytes = 5 * 1024 * 1024;
const logCheckMs = 60_000;

type Deps = Pick<EngineDeps, 'clock' | 'log' | 'machine' | 'ollama'>;

export function createOwnChild(deps: Deps, edges: SetupEdges, options: OwnChildOptions): OwnChild {
  const { clock, log } = deps;
  const { records, folders } = options;
  const { processes, files } = edges;
  let running: Served | undefined;
  let starting: Promise<void> | undefined;
  let restart: Timer | undefined;
  let logCheck: Timer | undefined;
  let deaths: number[] = [];
  /** Ends a start that is under way, and says that no death is answered by another start. */
  let stopping = new AbortController();

  const remember = (changes: Partial<OwnRecord>): OwnRecord => {
    const record = records.own();
    if (!record) throw new AndironError('engine_unavailable', 'Ollama is not set up.', 'Set it up first.');
    const next = { ...record, ...changes };
    records.setOwn(next);
    return next;
  };

  const answers = async (port: number): Promise<string | null> => {
    try {
      return await withDeadline(clock, askMs, (signal) => deps.ollama.version(urlOf(port), signal));
    } catch {
      // Nobody there, somebody else, or not yet: all the same here.
      return null;
    }
  };

  /** The child of an Andiron that crashed: used on where it answers, ended where it is surely ours and does not. */
  const adopt = async (): Promise<Served | null> => {
    const record = records.own();
    if (!record?.child || record.port === null) return null;
    const { pid, identity } = record.child;
    // What was recorded without it may still be ours, and is told by what it answers.
    const isSame = (): boolean => identity === null || isSameProcess(identity, processes.identity(pid));
    if (!processes.isAlive(pid) || !isSame()) return null;
    const left = { pid, exited: exitOf(pid, isSame) };
    if ((await answers(record.port)) === record.version) {
      log.info('Ollama of an earlier Andiron is used on', { pid });
      return left;
    }
    // Where the platform does not tell one process from a later one, it may be somebody else's by now.
    if (identity !== null) await endIt(left);
    return null;
  };

  /** Of a process that is not our child: nobody tells when it ends. */
  const exitOf = async (pid: number, isSame: () => boolean): Promise<null> => {
    // Elsewhere each question about an identity is a program that has to be started.
    const goesOn = deps.machine.platform === 'linux' ? isSame : () => true;
    while (processes.isAlive(pid) && goesOn()) await pause(clock, pollMs);
    return null;
  };

  const launch = async (wantedPort: number | null): Promise<Served> => {
    const port = await processes.freePort(wantedPort);
    const { modelsFolder } = remember({ port, child: null });
    await files.makeFolder(folders.home);
    await files.makeFolder(modelsFolder);
    await files.capLog(folders.log, logLimitBytes);
    const served = await processes.serve({
      command: await options.program(),
      args: ['serve'],
      env: childEnvironment(deps.machine, {
        port,
        models: modelsFolder,
        home: folders.home,
        keepsPartials: options.keepsPartials(),
      }),
      cwd: folders.home,
      logFile: folders.log,
    });
    remember({ child: { pid: served.pid, identity: processes.identityOfNew(served.pid) } });
    return served;
  };

  /** True = it answers. False = it ended before it did. */
  const comesUp = async (served: Served, signal: AbortSignal): Promise<boolean> => {
    const ended = { yet: false };
    void served.exited.then(() => (ended.yet = true));
    const giveUpAt = clock.monotonic() + startLimitMs;
    for (;;) {
      const port = records.own()?.port;
      if (typeof port === 'number' && (await answers(port)) !== null && !ended.yet) return true;
      signal.throwIfAborted();
      if (ended.yet) return false;
      if (clock.monotonic() >= giveUpAt) throw await startFailure('it did not answer within a minute');
      await Promise.race([pause(clock, pollMs, signal), served.exited]);
    }
  };

  const startFailure = async (what: string): Promise<AndironError> => {
    const said = (await files.readEnd(folders.log, 2_000).catch(() => '')).trim().split('\n').at(-1) ?? '';
    return new AndironError(
      'engine_unavailable',
      `Andiron's own Ollama was started, but ${what}.${said && ` It said: ${said.slice(-300)}`}`,
      `Its log is ${folders.log}.`,
    );
  };

  const startNow = async (signal: AbortSignal): Promise<void> => {
    const adopted = await adopt();
    if (adopted) {
      keep(adopted);
      return;
    }
    const kept = records.own()?.port ?? null;
    // Somebody may take the port between our look and its start; then it ends at once, and gets another one.
    for (const port of [kept, null]) {
      signal.throwIfAborted();
      const served = await launch(port);
      keep(served);
      try {
        if (await comesUp(served, signal)) return;
      } catch (error) {
        await endIt(served);
        throw error;
      }
    }
    throw await startFailure('it ended at once');
  };

  const keep = (served: Served): void => {
    running = served;
    void served.exited.then(() => ended(served));
    checkLog();
    options.onChange();
  };

  const checkLog = (): void => {
    logCheck?.cancel();
    logCheck = clock.after(logCheckMs, () => {
      files
        .capLog(folders.log, logLimitBytes)
        .catch((error: unknown) => log.warn('the log of Ollama could not be cut', { reason: String(error) }));
      checkLog();
    });
  };

  const ended = (served: Served): void => {
    if (running !== served) return;
    running = undefined;
    logCheck?.cancel();
    if (!stopping.signal.aborted && !starting) waitUntilAvailable();
    options.onChange();
  };

  /** It was there and died. */
  const waitUntilAvailable = (): void => {
    const now = clock.monotonic();
    deaths = [...deaths.filter((at) => now - at < deathWindowMs), now];
    const delay = restartAfterMs[deaths.length - 1];
    log.warn('our own Ollama ended', { deaths: deaths.length });
    if (delay === undefined) {
      void startFailure('it ended again and again').then(options.onGivenUp);
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

  const endIt = async (served: Served): Promise<void> => {
    const gone = (ms: number): Promise<boolean> => happensWithin(clock, served.exited, ms);
    // Windows has no polite way for a program without a window.
    if (deps.machine.platform !== 'win32') {
      processes.end(served.pid, false);
      if (await gone(politeMs)) return;
    }
    processes.end(served.pid, true);
    if (!(await gone(forcedMs))) log.warn('our own Ollama does not end', { pid: served.pid });
  };

  return {
    isAlive: () => running !== undefined,
    isComing: () => starting !== undefined || restart !== undefined,
    async start(signal) {
      restart?.cancel();
      restart = undefined;
      if (!running || starting) await begin(signal);
    },
    async stop() {
      stopping.abort(new AndironError('cancelled', 'Ollama is being stopped.'));
      restart?.cancel();
      restart = undefined;
      logCheck?.cancel();
      try {
        await starting?.catch(() => undefined);
        const served = running;
        running = undefined;
        if (served) await endIt(served);
        if (served && records.own()) remember({ child: null });
      } catch (error) {
        log.error('our own Ollama could not be ended', error);
      }
      stopping = new AbortController();
      deaths = [];
    },
  };
}

const urlOf = (port: number): string => `http://127.0.0.1:${String(port)}`;

async function happensWithin(clock: Clock, event: Promise<unknown>, ms: number): Promise<boolean> {
  const late = new AbortController();
  const happened = await Promise.race([
    event.then(() => true),
    pause(clock, ms, late.signal).then(() => false),
  ]);
  late.abort();
  return happened;
}
