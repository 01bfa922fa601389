/**
 * Finds Ollama, says where it stands, and starts it where the platform's way allows. Never stops it. Of
 * several hosts the first that answers is used; when it goes away the next one, at once.
 */
import { AndironError } from '../../protocol/errors.ts';
import type { EngineStatus } from '../../protocol/model.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import type { Facts } from '../base/engine-facts.ts';
import type { StateStore } from '../base/state.ts';
import { createTicker, pause } from '../base/timing.ts';
import { findProgram, type FoundProgram } from './find-program.ts';
import { defaultUrl, isLoopback, parseHost } from './host-address.ts';
import { chooseHost, orderHosts, reportHosts, type HostPlace, type ProbedHost } from './host-order.ts';
import { probe } from './probe.ts';
import { startFailed, stayedAway, unavailable } from './unavailable.ts';
import { isOutdated } from './ollama-version.ts';

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
  waitUntilAvailable(signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** Andiron's own Ollama, as far as finding and starting it goes. */
export interface OwnHost {
  /** null = not set up. `alive`: a process of ours runs, so that what answers there is it. `coming`: one will in a moment. */
  look(): { url: string; program: string; alive: boolean; coming: boolean; hint: string } | null;
  /** Resolves when it answers; throws `engine_unavailable`. */
  start(): Promise<void>;
}

export interface SupervisorOptions {
  /** The person's list, as it is now. */
  list: () => readonly string[];
  /** null = setting it up is not offered here. */
  own: OwnHost | null;
  /** Nobody uses the GPU or waits for it: only then an earlier host may be gone back to. */
  isIdle: () => boolean;
  facts: Facts;
}

const runningPaceMs = 30_000;
const backOffMs = [1_000, 2_000, 5_000, 10_000];
/** Silence is normal while Ollama starts, and short of breath is not gone: a busy machine misses a probe. */
const silentStartMs = 60_000;
const missedProbes = 3;
const breathMs = 15_000;
const silentPaceMs = 5_000;
const startPollMs = 500;
const startLimitMs = 60_000;
/** An installer stops Ollama only after it has downloaded the new one; starting takes seconds. */
const comeBackLimitMs = 60_000;

type Running = Extract<EngineStatus, { kind: 'running' }>;

export function createSupervisor(
  deps: EngineDeps,
  state: StateStore,
  options: SupervisorOptions,
): Supervisor {
  const { clock, machine } = deps;
  const { facts } = options;
  let failures = 0;
  let starting: Promise<void> | undefined;
  /** The one that the status names while it is running. */
  let inUse: HostPlace | undefined;
  let silence: { since: number; probes: number } | null = null;

  const status = (): EngineStatus => state.current().status;

  const setStatus = (next: EngineStatus): void => {
    const before = status();
    const ran = before.kind === 'running' ? before : null;
    state.update({ status: next });
    if (next.kind === 'running') {
      if (ran?.url !== next.url || ran.version !== next.version)
        facts.publish({ type: 'engine/appeared', url: next.url });
    } else if (ran) facts.publish({ type: 'engine/gone' });
  };

  const places = (): HostPlace[] =>
    orderHosts({
      only: deps.url,
      environment: machine.env['OLLAMA_HOST'],
      list: options.list(),
      own: options.own?.look()?.url ?? null,
    });

  /** The one in use stays among them while the GPU is used, also when it was taken off the list. */
  const candidates = (): HostPlace[] => {
    const wanted = places();
    const used = inUse;
    const isGone = used && wanted.every(({ url }) => url !== used.url);
    return isGone && !options.isIdle() ? [...wanted, used] : wanted;
  };

  const probeHost = async (place: HostPlace): Promise<ProbedHost> => {
    // Without our process whoever answers at our port is a stranger.
    const isEmpty = place.origin === 'own' && !ownIsAlive();
    return { ...place, result: isEmpty ? { kind: 'nobody' } : await probe(deps.ollama, clock, place.url) };
  };

  const ownIsAlive = (): boolean => options.own?.look()?.alive ?? false;

  const ownIsComing = (): boolean => ownIsAlive() || (options.own?.look()?.coming ?? false);

  /** Of the one in use: silent, but not for so long that it must be taken for gone. */
  const isUnresponsive = ({ result }: ProbedHost): boolean => {
    const now = clock.monotonic();
    if (result.kind !== 'silent') silence = null;
    else silence = { since: silence?.since ?? now, probes: (silence?.probes ?? 0) + 1 };
    return silence !== null && (silence.probes < missedProbes || now - silence.since < breathMs);
  };

  const lookOnce = async (): Promise<void> => {
    const hosts = await Promise.all(candidates().map((place) => probeHost(place)));
    const present = hosts.find(({ url }) => url === inUse?.url);
    if (present && isUnresponsive(present)) {
      state.update({ hosts: reportHosts(hosts, present.url) });
      return;
    }
    const chosen = chooseHost(hosts, present?.url ?? null, options.isIdle());
    inUse = chosen;
    silence = null;
    state.update({ hosts: reportHosts(hosts, chosen?.url ?? null) });
    if (chosen) {
      failures = 0;
      await reportRunning(chosen, chosen.version);
      return;
    }
    failures += 1;
    if (starting || ownIsComing()) setStatus({ kind: 'starting', since: sinceWhen() });
    else setStatus(await describeAbsence(hosts));
  };

  /** At once; whether it is exposed takes a moment longer, in which a lease may be granted. */
  const reportRunning = async ({ url, origin }: HostPlace, version: string): Promise<void> => {
    const before = status();
    const known = before.kind === 'running' && before.url === url ? before.exposed : null;
    const running: Running = {
      kind: 'running',
      url,
      version,
      simulated: deps.simulated,
      exposed: known,
      ...(!deps.simulated && isOutdated(version) && { outdated: true }),
      ...(origin === 'own' && { own: true }),
    };
    setStatus(running);
    if (known === null) setStatus({ ...running, exposed: await isExposed(url) });
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

  const describeAbsence = async (hosts: readonly ProbedHost[]): Promise<EngineStatus> => {
    const silent = hosts.find(({ result }) => result.kind === 'silent');
    if (silent) {
      const since = sinceWhen();
      if (clock.now() - since < silentStartMs) return { kind: 'starting', since };
      const message = `${silent.url} accepts connections but has not answered for a minute.`;
      return { kind: 'wrong', url: silent.url, message };
    }
    for (const { url, result } of hosts) {
      if (result.kind === 'wrong') return { kind: 'wrong', url, message: result.message };
    }
    const own = options.own?.look();
    if (own) return { kind: 'stopped', program: own.program, canStart: true, startHint: own.hint };
    const search = await installed();
    if (!search.found) return { kind: 'absent', tried: [...hosts.map(({ url }) => url), ...search.tried] };
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
    if (ownIsComing() && status().kind === 'starting') return startPollMs;
    if (status().kind === 'running') return silence ? silentPaceMs : runningPaceMs;
    return backOffMs[Math.min(failures, backOffMs.length) - 1] ?? runningPaceMs;
  };
  const ticker = createTicker(clock, pace, lookOnce);

  const startOne = (): Promise<void> =>
    options.own?.look() ? options.own.start().then(() => ticker.now()) : launchAndWait();

  const launchAndWait = async (): Promise<void> => {
    const { found } = await installed();
    if (!found?.launch) throw unavailable(status());
    setStatus({ kind: 'starting', since: clock.now() });
    const child = await deps.processes
      .launch(withHost(found.launch, parseHost(machine.env['OLLAMA_HOST'])))
      .catch((error: unknown) => {
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
      if (exit.code) throw startFailed(`it ended at once with code ${String(exit.code)}`, found.hint);
      if (clock.monotonic() >= giveUpAt) throw startFailed('it did not answer within a minute', found.hint);
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

  const hosts = places().map((place) => ({ ...place, standing: 'untried' as const, version: null }));
  state.update({ hosts });
  for (const doubt of ['engine/unanswered', 'engine/invalidated', 'child/changed', 'window/shown'] as const)
    facts.on(doubt, () => void look());

  return {
    look,
    async start() {
      if (status().kind === 'running') return;
      starting ??= startOne()
        .catch((error: unknown) => {
          facts.publish({ type: 'engine/failed', failure: error });
          throw error;
        })
        .finally(() => {
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
    async waitUntilAvailable(signal) {
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
function withHost(launch: FoundProgram['launch'] & object, named: string): typeof launch {
  return isLoopback(named) ? launch : { ...launch, env: { ...launch.env, OLLAMA_HOST: defaultUrl } };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
