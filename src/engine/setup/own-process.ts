/** The process of Andiron's own Ollama: found again, started, waited for and ended. Which one runs is not known here. */
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { isSameProcess } from '../../platform/process-table.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import { pause, withDeadline } from '../base/timing.ts';
import type { Served, SetupEdges } from './edges.ts';
import type { OwnRecord } from './own-record.ts';
import { childEnvironment, type SetupFolders } from './setup-folders.ts';

/** Where the record of it lives; written through to `engine.json`. */
export interface OwnRecords {
  own(): OwnRecord | null;
  setOwn(own: OwnRecord | null): void;
}

export interface OwnProcessOptions {
  records: OwnRecords;
  folders: SetupFolders;
  /** Its program, for the version of the record. */
  program: () => Promise<string>;
  /** Half downloaded models in its library are wanted, or not ours. */
  keepsPartials: () => boolean;
}

export type OwnProcessDeps = Pick<EngineDeps, 'clock' | 'log' | 'machine' | 'ollama'>;

const startLimitMs = 60_000;
const pollMs = 250;
const askMs = 2_000;
/** SIGTERM unloads every model, which takes seconds. */
const politeMs = 10_000;
const forcedMs = 2_000;
const logLimitBytes = 5 * 1024 * 1024;
const logCheckMs = 60_000;

export function createOwnProcess(deps: OwnProcessDeps, edges: SetupEdges, options: OwnProcessOptions) {
  const { clock, log } = deps;
  const { records, folders } = options;
  const { processes, files } = edges;

  const capLog = (): Promise<void> => files.capLog(folders.log, logLimitBytes);

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
    if (identity !== null) await end(left);
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
    await capLog();
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
      if (clock.monotonic() >= giveUpAt) throw await failure('it did not answer within a minute');
      await Promise.race([pause(clock, pollMs, signal), served.exited]);
    }
  };

  const failure = async (what: string): Promise<AndironError> => {
    const said = (await files.readEnd(folders.log, 2_000).catch(() => '')).trim().split('\n').at(-1) ?? '';
    return new AndironError(
      'engine_unavailable',
      `Andiron's own Ollama was started, but ${what}.${said && ` It said: ${said.slice(-300)}`}`,
      `Its log is ${folders.log}.`,
    );
  };

  const end = async (served: Served): Promise<void> => {
    const gone = (ms: number): Promise<boolean> => happensWithin(clock, served.exited, ms);
    // Windows has no polite way for a program without a window.
    if (deps.machine.platform !== 'win32') {
      processes.end(served.pid, false);
      if (await gone(politeMs)) return;
    }
    processes.end(served.pid, true);
    if (!(await gone(forcedMs))) log.warn('our own Ollama does not end', { pid: served.pid });
  };

  return { adopt, launch, comesUp, failure, end, logCheck: createLogCheck(clock, log, capLog) };
}

/** Cuts the log to what may be kept, again and again while the process runs. */
function createLogCheck(clock: Clock, log: Log, cap: () => Promise<void>) {
  let timer: Timer | undefined;
  const stop = (): void => timer?.cancel();
  const start = (): void => {
    stop();
    timer = clock.after(logCheckMs, () => {
      cap().catch((error: unknown) =>
        log.warn('the log of Ollama could not be cut', { reason: String(error) }),
      );
      start();
    });
  };
  return { start, stop };
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
