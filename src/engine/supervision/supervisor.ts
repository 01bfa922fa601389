/**
 * Finds Ollama, says where it stands, and starts it where the platform's way allows. Never stops it. Of
 * several hosts the first that answers is used; when it goes away the next one, at once.
 */
import { isOverTls } from '../../platform/system-certificates.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { EngineStatus } from '../../protocol/model.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import type { Facts } from '../base/engine-facts.ts';
import type { StateStore } from '../base/state.ts';
import { createTicker, pause, type Ticker } from '../base/timing.ts';
import { findProgram, type FoundProgram } from './find-program.ts';
import { defaultUrl, isLoopback, parseHost } from './host-address.ts';
import { chooseHost, orderHosts, reportHosts, type HostPlace, type ProbedHost } from './host-order.ts';
import { isExposed, probe } from './probe.ts';
import { startFailed, stayedAway, unavailable } from './unavailable.ts';
import { isOutdated } from './ollama-version.ts';

/** Andiron's own Ollama, as far as finding and starting it goes. */
export interface OwnHost {
  /** null = not set up. `alive`: a process of ours runs, so that what answers there is it. `coming`: one will in a moment. */
  look(): { url: string; program: string; alive: boolean; coming: boolean; hint: string } | null;
  /** Resolves when it answers; throws `engine_unavailable`. */
  start(): Promise<void>;
  /** It was up and says nothing any more: away with it, and another one in its place. Never rejects. */
  hung(): Promise<void>;
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
const maxMissedProbes = 3;
const gracePeriodMs = 15_000;
/** Ollama answers what is asked here while it loads and computes, so only a process that hangs is silent for so long. */
const ownHangsMs = 60_000;
const silentPaceMs = 5_000;
const startPollMs = 500;
const startLimitMs = 60_000;
/** An installer stops Ollama only after it has downloaded the new one; starting takes seconds. */
const comeBackLimitMs = 60_000;

type Running = Extract<EngineStatus, { kind: 'running' }>;

interface Silence {
  since: number;
  probes: number;
}

type Search =
  /** `silence`: it has not answered lately, and is not taken for gone yet. */
  | { kind: 'used'; place: HostPlace; silence: Silence | null }
  /** Nobody answers, so many times in a row. */
  | { kind: 'missing'; failures: number };

export class Supervisor {
  readonly #deps: EngineDeps;
  readonly #state: StateStore;
  readonly #options: SupervisorOptions;
  readonly #ticker: Ticker;
  #search: Search = { kind: 'missing', failures: 0 };
  /** Of our own child, since it was up. */
  #ownSilence: Silence | null = null;
  #starting: Promise<void> | undefined;
  #trustsSystem = false;

  constructor(deps: EngineDeps, state: StateStore, options: SupervisorOptions) {
    this.#deps = deps;
    this.#state = state;
    this.#options = options;
    this.#ticker = createTicker(
      deps.clock,
      () => this.#pace(),
      () => this.#lookOnce(),
    );
    const hosts = this.#places().map((place) => ({ ...place, standing: 'untried' as const, version: null }));
    state.update({ hosts });
    for (const doubt of ['engine/unanswered', 'engine/invalidated', 'child/changed', 'window/shown'] as const)
      options.facts.on(doubt, () => void this.look());
  }

  /** Looks now. Resolves when the state says what was found. */
  look(): Promise<void> {
    if (this.#search.kind === 'missing') this.#search = { kind: 'missing', failures: 0 };
    return this.#ticker.now();
  }

  /** Starts an installed Ollama and resolves when it answers. Throws `engine_unavailable` with the way by hand. */
  async start(): Promise<void> {
    if (this.#status().kind === 'running') return;
    this.#starting ??= this.#startOne()
      .catch((error: unknown) => {
        this.#options.facts.publish({ type: 'engine/failed', failure: error });
        throw error;
      })
      .finally(() => {
        this.#starting = undefined;
        // With the start over, "starting" is no longer the answer to silence.
        if (this.#status().kind !== 'running') void this.#ticker.now();
      });
    await this.#starting;
  }

  /**
   * The address of a running Ollama. Waits while it is searched for or starts, and looks once more before it throws
   * `engine_unavailable`: it may have been started a moment ago.
   */
  async url(signal?: AbortSignal): Promise<string> {
    let found = await this.#decided(signal);
    if (found.kind !== 'running') {
      await this.look();
      found = await this.#decided(signal);
    }
    if (found.kind === 'running') return found.url;
    throw unavailable(found);
  }

  /** After it was lost in the middle of something: waits up to a minute for an Ollama that restarts or is upgraded. */
  async waitUntilAvailable(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    const giveUpAt = clock.monotonic() + comeBackLimitMs;
    for (;;) {
      await this.look();
      if (signal.aborted) throw new AndironError('cancelled', 'Cancelled while Ollama was away.');
      if (this.#status().kind === 'running') return;
      if (clock.monotonic() >= giveUpAt) throw stayedAway(this.#status());
      await pause(clock, startPollMs, signal);
    }
  }

  stop(): void {
    this.#ticker.stop();
  }

  get #place(): HostPlace | undefined {
    return this.#search.kind === 'used' ? this.#search.place : undefined;
  }

  #status(): EngineStatus {
    return this.#state.current().status;
  }

  #setStatus(next: EngineStatus): void {
    const before = this.#status();
    const ran = before.kind === 'running' ? before : null;
    this.#state.update({ status: next });
    if (next.kind === 'running') {
      if (ran?.url !== next.url || ran.version !== next.version)
        this.#options.facts.publish({ type: 'engine/appeared', url: next.url });
    } else if (ran) this.#options.facts.publish({ type: 'engine/gone' });
    // Where no window is open nobody else tells.
    if (next.kind === 'wrong' && (before.kind !== 'wrong' || before.message !== next.message))
      this.#deps.log.warn('Ollama cannot be used at its address', { reason: next.message });
  }

  #places(): HostPlace[] {
    return orderHosts({
      only: this.#deps.url,
      environment: this.#deps.machine.env['OLLAMA_HOST'],
      list: this.#options.list(),
      own: this.#options.own?.look()?.url ?? null,
    });
  }

  /** The one in use stays among them while the GPU is used, also when it was taken off the list. */
  #candidates(): HostPlace[] {
    const wanted = this.#places();
    const used = this.#place;
    const isGone = used && wanted.every(({ url }) => url !== used.url);
    return isGone && !this.#options.isIdle() ? [...wanted, used] : wanted;
  }

  async #probeHost(place: HostPlace): Promise<ProbedHost> {
    if (isOverTls(place.url)) this.#trustSystem();
    // Without our process whoever answers at our port is a stranger.
    const isEmpty = place.origin === 'own' && !this.#ownIsAlive();
    return {
      ...place,
      result: isEmpty ? { kind: 'nobody' } : await probe(this.#deps.ollama, this.#deps.clock, place.url),
    };
  }

  #trustSystem(): void {
    if (this.#trustsSystem) return;
    this.#trustsSystem = true;
    this.#deps.trustSystem?.();
  }

  #ownIsAlive(): boolean {
    return this.#options.own?.look()?.alive ?? false;
  }

  #ownIsComing(): boolean {
    return this.#ownIsAlive() || (this.#options.own?.look()?.coming ?? false);
  }

  /** Of the one in use: silent, but not for so long that it must be taken for gone. */
  #isUnresponsive({ result }: ProbedHost): boolean {
    if (this.#search.kind !== 'used') return false;
    if (result.kind !== 'silent') {
      this.#search.silence = null;
      return false;
    }
    const now = this.#deps.clock.monotonic();
    this.#search.silence = goesOn(this.#search.silence, now);
    return !hasLasted(this.#search.silence, now, gracePeriodMs);
  }

  /** Once it hangs it comes back only as another process. One that is starting has a limit of its own. */
  #watchOwn(hosts: readonly ProbedHost[]): void {
    const { own } = this.#options;
    const seen = own?.look();
    const probed = hosts.find(({ url }) => url === seen?.url);
    if (!own || !seen?.alive || seen.coming || !probed || probed.result.kind === 'running') {
      this.#ownSilence = null;
      return;
    }
    const now = this.#deps.clock.monotonic();
    this.#ownSilence = goesOn(this.#ownSilence, now);
    if (!hasLasted(this.#ownSilence, now, ownHangsMs)) return;
    this.#ownSilence = null;
    void own.hung();
  }

  async #lookOnce(): Promise<void> {
    const hosts = await Promise.all(this.#candidates().map((place) => this.#probeHost(place)));
    this.#watchOwn(hosts);
    const present = hosts.find(({ url }) => url === this.#place?.url);
    if (present && this.#isUnresponsive(present)) {
      this.#state.update({ hosts: reportHosts(hosts, present.url) });
      return;
    }
    const chosen = chooseHost(hosts, present?.url ?? null, this.#options.isIdle());
    const failures = this.#search.kind === 'missing' ? this.#search.failures : 0;
    this.#search = chosen
      ? { kind: 'used', place: chosen, silence: null }
      : { kind: 'missing', failures: failures + 1 };
    this.#state.update({ hosts: reportHosts(hosts, chosen?.url ?? null) });
    if (chosen) {
      await this.#reportRunning(chosen, chosen.version);
      return;
    }
    if (this.#starting || this.#ownIsComing())
      this.#setStatus({ kind: 'starting', since: this.#sinceWhen() });
    else this.#setStatus(await this.#describeAbsence(hosts));
  }

  /** At once; whether it is exposed takes a moment longer, in which a lease may be granted. */
  async #reportRunning({ url, origin }: HostPlace, version: string): Promise<void> {
    const before = this.#status();
    const known = before.kind === 'running' && before.url === url ? before.exposed : null;
    const running: Running = {
      kind: 'running',
      url,
      version,
      simulated: this.#deps.simulated,
      exposed: known,
      ...(!this.#deps.simulated && isOutdated(version) && { outdated: true }),
      ...(origin === 'own' && { own: true }),
    };
    this.#setStatus(running);
    if (known === null) this.#setStatus({ ...running, exposed: await isExposed(url, this.#deps) });
  }

  async #describeAbsence(hosts: readonly ProbedHost[]): Promise<EngineStatus> {
    const silent = hosts.find(({ result }) => result.kind === 'silent');
    if (silent) {
      const since = this.#sinceWhen();
      if (this.#deps.clock.now() - since < silentStartMs) return { kind: 'starting', since };
      const message = `${silent.url} accepts connections but has not answered for a minute.`;
      return { kind: 'wrong', url: silent.url, message };
    }
    for (const { url, result } of hosts) {
      if (result.kind === 'wrong') return { ...result, url };
    }
    const own = this.#options.own?.look();
    if (own) return { kind: 'stopped', program: own.program, canStart: true, startHint: own.hint };
    const search = await this.#installed();
    if (!search.found) return { kind: 'absent', tried: [...hosts.map(({ url }) => url), ...search.tried] };
    const { program, launch, hint } = search.found;
    return { kind: 'stopped', program, canStart: launch !== null, startHint: hint };
  }

  /** An address that was named to us is not where a program of this machine would listen. */
  async #installed(): Promise<{ found: FoundProgram | null; tried: string[] }> {
    return this.#deps.url
      ? { found: null, tried: [] }
      : findProgram(this.#deps.machine, (path) => this.#deps.files.exists(path));
  }

  #sinceWhen(): number {
    const before = this.#status();
    return before.kind === 'starting' ? before.since : this.#deps.clock.now();
  }

  #pace(): number {
    if (this.#ownIsComing() && this.#status().kind === 'starting') return startPollMs;
    if (this.#search.kind === 'used') return this.#search.silence ? silentPaceMs : runningPaceMs;
    return backOffMs[Math.min(this.#search.failures, backOffMs.length) - 1] ?? runningPaceMs;
  }

  #startOne(): Promise<void> {
    return this.#options.own?.look()
      ? this.#options.own.start().then(() => this.#ticker.now())
      : this.#launchAndWait();
  }

  async #launchAndWait(): Promise<void> {
    const { found } = await this.#installed();
    if (!found?.launch) throw unavailable(this.#status());
    this.#setStatus({ kind: 'starting', since: this.#deps.clock.now() });
    const child = await this.#deps.processes
      .launch(withHost(found.launch, parseHost(this.#deps.machine.env['OLLAMA_HOST'])))
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
    const giveUpAt = this.#deps.clock.monotonic() + startLimitMs;
    for (;;) {
      await this.#ticker.now();
      if (this.#status().kind === 'running') return;
      // The Mac's and Windows' ways end at once with 0 and leave an app behind.
      if (exit.code) throw startFailed(`it ended at once with code ${String(exit.code)}`, found.hint);
      if (this.#deps.clock.monotonic() >= giveUpAt)
        throw startFailed('it did not answer within a minute', found.hint);
      await pause(this.#deps.clock, startPollMs);
    }
  }

  /** The status once it is neither searching nor starting. Rejects `cancelled` when the signal fires first. */
  #decided(signal: AbortSignal | undefined): Promise<EngineStatus> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        const now = this.#status();
        if (now.kind === 'searching' || now.kind === 'starting') return;
        unlisten();
        signal?.removeEventListener('abort', onAbort);
        resolve(now);
      };
      const onAbort = (): void => {
        unlisten();
        reject(new AndironError('cancelled', 'Cancelled while Ollama was looked for.'));
      };
      const unlisten = this.#state.onChange(settle);
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
      settle();
    });
  }
}

function goesOn(silence: Silence | null, now: number): Silence {
  return { since: silence?.since ?? now, probes: (silence?.probes ?? 0) + 1 };
}

/** After a sleep of the machine long ago says little: some probes must have been missed, too. */
function hasLasted({ since, probes }: Silence, now: number, ms: number): boolean {
  return probes >= maxMissedProbes && now - since >= ms;
}

/** `ollama serve` binds what `OLLAMA_HOST` says; when that is another machine, it must be told to serve here. */
function withHost(launch: FoundProgram['launch'] & object, named: string): typeof launch {
  return isLoopback(named) ? launch : { ...launch, env: { ...launch.env, OLLAMA_HOST: defaultUrl } };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
