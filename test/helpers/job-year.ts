/** A year of a computer that sleeps, is set, is switched off and has an engine that dies, drawn by a seed. */
import { mkdtempSync, existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSchedule, type Schedule } from '../../src/host/schedule/schedule.ts';
import type { JobTurns, TurnEnd } from '../../src/host/schedule/job-turns.ts';
import { openStore, type Store } from '../../src/host/store/store.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { JobRun, NewJob } from '../../src/protocol/schedule-methods.ts';
import { seededRandom } from '../../src/sim/time/random.ts';

export const minute = 60_000;
export const hour = 60 * minute;
const quarter = 15 * minute;
/** Jobs are made so long after the year began. */
export const madeAfterMs = 4 * minute;

/** At `boot`, milliseconds since the computer was started, sleep and being closed included. */
export type YearEvent =
  | { kind: 'sleep' | 'close' | 'crash'; boot: number; ms: number }
  | { kind: 'set'; boot: number; byMs: number };

export interface Period {
  from: number;
  to: number;
}
const covers = (periods: readonly Period[], boot: number): boolean =>
  periods.some(({ from, to }) => boot >= from && boot < to);

/** All bounds lie seven minutes beside a quarter of an hour, and no job is planned within minutes of those. */
export interface YearScript {
  /** Of the wall clock, as it begins. */
  began: number;
  endBoot: number;
  events: YearEvent[];
  engineDead: Period[];
  gpuReleased: Period[];
  overBudget: Period[];
  /** A turn that begins then gets the GPU later. */
  gpuBusy: Period[];
  gpuWaitMs: number;
}

export function drawYear(seed: number): YearScript {
  const random = seededRandom(seed);
  const below = (max: number): number => Math.floor(random() * max);
  const began = Date.parse('2026-01-01T00:00:00Z') + 7 * minute;
  const endBoot = 365 * 24 * hour;
  const events: YearEvent[] = [];
  let boot = 2 * quarter;
  while (boot < endBoot - 48 * hour) {
    boot += (8 + below(36)) * quarter;
    const which = below(20);
    if (which < 14) events.push({ kind: 'sleep', boot, ms: (1 + below(56)) * quarter });
    else if (which < 16) events.push({ kind: 'close', boot, ms: (1 + below(60)) * quarter });
    else if (which < 17) events.push({ kind: 'crash', boot, ms: (1 + below(4)) * quarter });
    else if (which < 19) events.push({ kind: 'set', boot, byMs: (1 + below(12)) * quarter });
    else events.push({ kind: 'set', boot, byMs: -(1 + below(12)) * quarter });
    const last = events.at(-1);
    boot += last && 'ms' in last ? last.ms : 0;
  }
  const periods = (times: number, maxQuarters: number): Period[] =>
    Array.from({ length: times }, () => {
      const from = below(endBoot / quarter) * quarter;
      return { from, to: from + (1 + below(maxQuarters)) * quarter };
    });
  return {
    began,
    endBoot,
    events,
    engineDead: periods(60, 60),
    gpuReleased: periods(60, 24),
    overBudget: periods(20, 40),
    gpuBusy: periods(80, 30),
    gpuWaitMs: 4 * minute,
  };
}

export interface YearJob extends NewJob {
  turnMs: number;
}

interface YearTimer {
  /** Of the time awake. */
  at: number;
  run: () => void;
}

interface OpenTurn {
  startedAt: number;
  end: TurnEnd | null;
  cancel: () => void;
}

/** The real schedule on the real store; only turns are made up, and the clock. */
export class JobYear {
  readonly script: YearScript;
  readonly jobIds: string[] = [];
  readonly store: Store;
  #schedule: Schedule;
  /** Since the computer was started, sleep included, and without it. */
  #boot = 0;
  #awake = 0;
  #offset: number;
  #timers: YearTimer[] = [];
  readonly #turns = new Map<string, OpenTurn>();
  readonly #jobs: readonly YearJob[];
  readonly #dir: string;
  #ids = 0;
  #life = 0;
  #ended = false;

  private constructor(script: YearScript, jobs: readonly YearJob[]) {
    this.script = script;
    this.#jobs = jobs;
    this.#offset = script.began;
    this.#dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'andiron-year-'));
    this.store = this.#openStore();
    this.#schedule = this.#open();
  }

  static async live(script: YearScript, jobs: readonly YearJob[]): Promise<JobYear> {
    const year = new JobYear(script, jobs);
    await year.#advance(madeAfterMs);
    for (const job of jobs) year.jobIds.push((await year.#schedule.add('owner', job)).id);
    for (const event of script.events) {
      await year.#advance(event.boot);
      await year.#happen(event);
    }
    await year.#advance(script.endBoot);
    await year.#die(false);
    return year;
  }

  runs(index: number): JobRun[] {
    return this.store.runsOfJob(this.jobIds[index] ?? '', 1_000_000);
  }

  close(): void {
    this.store.close();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #openStore(): Store {
    return openStore({ dataDir: this.#dir, log: silentLog, newId: (prefix) => this.#newId(prefix) });
  }

  #newId(prefix: string): string {
    return `${prefix}${String((this.#ids += 1))}`;
  }

  #now(): number {
    return this.#boot + this.#offset;
  }

  #open(): Schedule {
    const life = this.#life;
    const clock: Clock = {
      now: () => this.#now(),
      monotonic: () => this.#awake,
      sinceBoot: () => this.#boot,
      after: (ms, run) => {
        const timer = { at: this.#awake + Math.max(0, ms), run };
        if (life === this.#life) this.#timers.push(timer);
        return { cancel: () => (this.#timers = this.#timers.filter((each) => each !== timer)) };
      },
    };
    const schedule = createSchedule({
      // All that was written in the year is compared.
      store: { ...this.store, pruneRuns: () => undefined },
      clock,
      newId: (prefix) => this.#newId(prefix),
      turns: this.#turnsOf(clock),
      isGpuReleased: () => covers(this.script.gpuReleased, this.#boot),
      mayUseTokens: () => !covers(this.script.overBudget, this.#boot),
      isProfile: () => true,
      resolveWorkspace: (path) => Promise.resolve(path),
      publish: () => undefined,
      log: silentLog,
      timeZone: 'UTC',
    });
    schedule.start(false);
    return schedule;
  }

  #turnsOf(clock: Clock): JobTurns {
    return {
      run: (job, onStored) => {
        const id = this.#newId('turn_');
        const { gpuBusy, gpuWaitMs, engineDead } = this.script;
        const waitMs = covers(gpuBusy, this.#boot) ? gpuWaitMs : 0;
        const isDead = covers(engineDead, this.#boot);
        const ms = this.#jobs[this.jobIds.indexOf(job.id)]?.turnMs ?? 0;
        const { promise, resolve } = Promise.withResolvers<TurnEnd | null>();
        const startedAt = this.#now() + waitMs;
        const timer = clock.after(isDead ? 15_000 : waitMs + ms, () => {
          const end: TurnEnd = isDead
            ? { status: 'failed', words: 'Ollama does not answer.', startedAt, endedAt: this.#now() }
            : { status: 'finished', words: 'Done.', startedAt, endedAt: this.#now() };
          this.#turns.set(id, { startedAt, end, cancel: () => undefined });
          this.#ended = true;
          resolve(end);
        });
        this.#turns.set(id, { startedAt, end: null, cancel: () => timer.cancel() });
        onStored(`ses_${job.id}`, id);
        return promise;
      },
      stored: (_sessionId, turnId) => {
        const turn = this.#turns.get(turnId);
        if (!turn) return null;
        // As the store closes what a host that died left open.
        return (
          turn.end ?? { status: 'interrupted', words: '', startedAt: turn.startedAt, endedAt: this.#now() }
        );
      },
      isQueued: () => false,
      isBusy: () => false,
    };
  }

  /** Awake: what falls due happens. */
  async #advance(boot: number): Promise<void> {
    for (;;) {
      let next: YearTimer | undefined;
      for (const timer of this.#timers) if (next === undefined || timer.at < next.at) next = timer;
      if (next === undefined || this.#boot + next.at - this.#awake > boot) break;
      const due = next;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#boot += due.at - this.#awake;
      this.#awake = due.at;
      due.run();
      // What follows a turn's end follows before anything else happens.
      if (this.#ended) await new Promise((resolve) => setImmediate(resolve));
      this.#ended = false;
    }
    this.#awake += boot - this.#boot;
    this.#boot = boot;
  }

  async #happen(event: YearEvent): Promise<void> {
    if (event.kind === 'set') this.#offset += event.byMs;
    else if (event.kind === 'sleep') this.#boot += event.ms;
    else {
      await this.#die(event.kind === 'crash');
      this.#boot += event.ms;
      this.#schedule = this.#open();
    }
  }

  async #die(isCrash: boolean): Promise<void> {
    if (!isCrash) this.#schedule.close();
    for (const turn of this.#turns.values()) if (turn.end === null) turn.cancel();
    this.#life += 1;
    this.#timers = [];
    await Promise.resolve();
  }
}
