/** Finds Ollama, says where it stands, and starts it where the platform's way allows (design 7). Never stops it. */
import { AndironError } from '../../protocol/errors.ts';
import type { EngineStatus } from '../../protocol/model.ts';
import type { EngineDeps } from '../deps.ts';
import type { StateStore } from '../state.ts';
import { createTicker, pause } from '../timing.ts';
import { findProgram, type FoundProgram } from './find-program.ts';
import { defaultUrl, isLoopback, parseHost } from './host-address.ts';
import { probe, type Probe } from './probe.ts';

export interface Supervisor {
  /** Looks now. Resolves when the state says what was found. */
  look(): Promise<void>;
  /** Starts an installed Ollama and resolves when it answers. Throws `engine_unavailable` with the way by hand. */
  start(): Promise<void>;
  /**
   * The address of a running Ollama. Waits while it is searched for or starts, and looks once more before it throws
   * `engine_unavailable`: it may have been started a moment ago.
   */
  url(signal?: AbortSignal): Promise<string>;
  /** After it was lost in the middle of something: waits up to a minute for an Ollama that restarts or is upgraded. */
  comeBack(signal: AbortSignal): Promise<void>;
  stop(): void;
}

export interface SupervisorEvents {
  /** Answers now and did not before, or as another version: whatever was known about its memory is void. */
  onRunning(url: string): void;
  onGone(): void;
}

const runningPaceMs = 30_000;
const backOffMs = [1_000, 2_000, 5_000, 10_000];
/** Silence is normal while Ollama starts, and short of breath is not gone: a busy machine misses a probe. */
const silentStartMs = 60_000;
const missedProbes = 3;
const startPollMs = 500;
const startLimitMs = 60_000;
/** An installer stops Ollama only after it has downloaded the new one; starting takes seconds. */
const comeBackLimitMs = 60_000;

type Running = Extract<EngineStatus, { kind: 'running' }>;

export function createSupervisor(deps: EngineDeps, state: StateStore, events: SupervisorEvents): Supervisor {
  const { clock, machine } = deps;
  const candidates = deps.url
    ? [deps.url]
    : [...new Set([parseHost(machine.env['OLLAMA_HOST']), defaultUrl])];
  let failures = 0;
  let starting: Promise<void> | undefined;

  const status = (): EngineStatus => state.current().status;

  const setStatus = (next: EngineStatus): void => {
    const before = status();
    const ran = before.kind === 'running' ? before : null;
    state.update({ status: next });
    if (next.kind === 'running') {
      if (ran?.url !== next.url || ran.version !== next.version) events.onRunning(next.url);
    } else if (ran) events.onGone();
  };

  const probeAll = async (): Promise<{ url: string; result: Probe }[]> => {
    const results = [];
    for (const url of candidates) {
      const result = await probe(deps.ollama, clock, url);
      results.push({ url, result });
      if (result.kind === 'running') break;
    }
    return results;
  };

  const lookOnce = async (): Promise<void> => {
    const results = await probeAll();
    const running = results.find(({ result }) => result.kind === 'running');
    if (running?.result.kind === 'running') {
      failures = 0;
      setStatus(await describeRunning(running.url, running.result.version));
      return;
    }
    failures += 1;
    const silent = results.some(({ result }) => result.kind === 'silent');
    if (status().kind === 'running' && silent && failures < missedProbes) return;
    if (starting) setStatus({ kind: 'starting', since: sinceWhen() });
    else setStatus(await describeAbsence(results, silent));
  };

  const describeRunning = async (url: string, version: string): Promise<Running> => {
    const before = status();
    const known = before.kind === 'running' && before.url === url ? before.exposed : undefined;
    const exposed = known === undefined ? await isExposed(url) : known;
    return { kind: 'running', url, version, simulated: deps.simulated, exposed };
  };

  /** Asked at the machine's own network addresses: what answers there, answers the neighbours. null = no network. */
  const isExposed = async (url: string): Promise<boolean | null> => {
    if (!isLoopback(url)) return true;
    const addresses = machine.lanAddresses();
    if (addresses.length === 0) return null;
    const answers = await Promise.all(
      addresses.map((address) => {
        const own = new URL(url);
        own.hostname = address;
        return probe(deps.ollama, clock, own.href.replace(/\/$/, ''));
      }),
    );
    // A refusal of the address we name is an answer too.
    return answers.some(({ kind }) => kind === 'running' || kind === 'wrong');
  };

  const describeAbsence = async (
    results: { url: string; result: Probe }[],
    silent: boolean,
  ): Promise<EngineStatus> => {
    if (silent) {
      const since = sinceWhen();
      if (clock.now() - since < silentStartMs) return { kind: 'starting', since };
      const url = results.find(({ result }) => result.kind === 'silent')?.url ?? defaultUrl;
      return { kind: 'wrong', url, message: `${url} accepts connections but has not answered for a minute.` };
    }
    for (const { url, result } of results) {
      if (result.kind === 'wrong') return { kind: 'wrong', url, message: result.message };
    }
    const search = await installed();
    if (!search.found) return { kind: 'absent', tried: [...candidates, ...search.tried] };
    const { program, launch, hint } = search.found;
    return { kind: 'stopped', program, canStart: launch !== null, startHint: hint };
  };

  /** An address that was named to us is not where a program of this machine would listen. */
  const installed = async (): Promise<{ found: FoundProgram | null; tried: string[] }> =>
    deps.url ? { found: null, tried: [] } : findProgram(machine, (path) => deps.files.exists(path));

  const sinceWhen = (): number => {
    const before = status();
    return before.kind === 'starting' ? before.since : clock.now();
  };

  const pace = (): number => {
    if (status().kind === 'running') return runningPaceMs;
    return backOffMs[Math.min(failures, backOffMs.length) - 1] ?? runningPaceMs;
  };
  const ticker = createTicker(clock, pace, lookOnce);

  const launchAndWait = async (): Promise<void> => {
    const { found } = await installed();
    if (!found?.launch) throw unavailable(status());
    setStatus({ kind: 'starting', since: clock.now() });
    const child = await deps.processes.launch(withHost(found.launch, candidates)).catch((error: unknown) => {
      throw new AndironError(
        'engine_unavailable',
        `Ollama could not be started: ${textOf(error)}`,
        found.hint,
        {
          cause: error,
        },
      );
    });
    const exit: { code: number | null } = { code: null };
    void child.exited.then((code) => (exit.code = code));
    const giveUpAt = clock.monotonic() + startLimitMs;
    for (;;) {
      await ticker.now();
      if (status().kind === 'running') return;
      // The Mac's and Windows' ways end at once with 0 and leave an app behind.
      if (exit.code) throw startFailed(`it ended at once with code ${String(exit.code)}`, found);
      if (clock.monotonic() >= giveUpAt) throw startFailed('it did not answer within a minute', found);
      await pause(clock, startPollMs);
    }
  };

  const look = (): Promise<void> => {
    failures = 0;
    return ticker.now();
  };

  /** The status once it is neither searching nor starting. Rejects `cancelled` when the signal fires first. */
  const decided = (signal: AbortSignal | undefined): Promise<EngineStatus> =>
    new Promise((resolve, reject) => {
      const settle = (): void => {
        const now = status();
        if (now.kind === 'searching' || now.kind === 'starting') return;
        unlisten();
        signal?.removeEventListener('abort', onAbort);
        resolve(now);
      };
      const onAbort = (): void => {
        unlisten();
        reject(new AndironError('cancelled', 'Cancelled while Ollama was looked for.'));
      };
      const unlisten = state.onChange(settle);
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
      settle();
    });

  return {
    look,
    async start() {
      if (status().kind === 'running') return;
      starting ??= launchAndWait().finally(() => {
        starting = undefined;
        // With the start over, "starting" is no longer the answer to silence.
        if (status().kind !== 'running') void ticker.now();
      });
      await starting;
    },
    async url(signal) {
      let found = await decided(signal);
      if (found.kind !== 'running') {
        await look();
        found = await decided(signal);
      }
      if (found.kind === 'running') return found.url;
      throw unavailable(found);
    },
    async comeBack(signal) {
      const giveUpAt = clock.monotonic() + comeBackLimitMs;
      for (;;) {
        await look();
        if (signal.aborted) throw new AndironError('cancelled', 'Cancelled while Ollama was away.');
        if (status().kind === 'running') return;
        if (clock.monotonic() >= giveUpAt) throw stayedAway(status());
        await pause(clock, startPollMs, signal);
      }
    },
    stop: () => ticker.stop(),
  };
}

/** `ollama serve` binds what `OLLAMA_HOST` says; when that is another machine, it must be told to serve here. */
function withHost(launch: FoundProgram['launch'] & object, candidates: readonly string[]): typeof launch {
  const first = candidates[0] ?? defaultUrl;
  return isLoopback(first) ? launch : { ...launch, env: { ...launch.env, OLLAMA_HOST: defaultUrl } };
}

function startFailed(what: string, found: FoundProgram): AndironError {
  return new AndironError(
    'engine_unavailable',
    `Ollama was started, but ${what}.`,
    `${found.hint} and read what it says.`,
  );
}

function stayedAway(status: EngineStatus): AndironError {
  const { message, advice } = unavailable(status);
  return new AndironError(
    'engine_unavailable',
    `Ollama went away and did not come back within a minute. ${message}`,
    advice,
  );
}

/** Why nothing can be asked of Ollama now, and what to do about it. */
export function unavailable(status: EngineStatus): AndironError {
  switch (status.kind) {
    case 'stopped':
      return new AndironError('engine_unavailable', 'Ollama is installed but not running.', status.startHint);
    case 'wrong':
      return new AndironError(
        'engine_unavailable',
        status.message,
        'Stop the other program on that port, or set OLLAMA_HOST.',
      );
    case 'absent':
      return new AndironError(
        'engine_unavailable',
        `Ollama was not found at ${status.tried[0] ?? defaultUrl}.`,
        'Install Ollama from https://ollama.com/download, or set OLLAMA_HOST to where it runs.',
      );
    case 'searching':
    case 'starting':
    case 'running':
      return new AndironError('engine_unavailable', 'Ollama does not answer yet.', 'Try again in a moment.');
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
