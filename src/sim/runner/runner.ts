import type { PromptCache, Evaluation } from '../cache/index.ts';
import type { Clock } from '../clock.ts';
import type { TimeModel } from '../time/index.ts';
import type { Truth, TruthRequest } from '../truth/truth.ts';
import { Channel } from './channel.ts';
import { forcedBatches, naturalBatches, type TimedBatch } from './prefill.ts';
import { isEndless } from './reply-plan.ts';
import type { Fault, Plan, PlanStep, RunnerEvent, StopReason, Timings } from './reply-plan.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface RunnerDeps {
  clock: Clock;
  truth: Truth;
  time: TimeModel;
  cache: PromptCache;
  vocabulary: Vocabulary;
  /** Tokens that one slot can hold: num_ctx. */
  contextTokens: number;
  shift: boolean;
}

/** One completion that Ollama asks of its runner. */
export interface Job {
  prompt: readonly string[];
  /** Token indexes where user messages start; only the native path knows them. */
  userStarts: readonly number[];
  plan: Plan;
  /** num_predict */
  limit: number;
  /** Fires when Ollama drops its connection. The runner notices later than that. */
  signal: AbortSignal;
  record: TruthRequest;
}

/** What the status side door tells about a slot. */
export interface SlotStatus {
  isProcessing: boolean;
  task: number;
  promptTokens: number;
  processed: number;
  cached: number;
  decoded: number;
}

const yieldToConnections = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * The child process of one loaded model: evaluates prompts batch by batch, generates token by token,
 * keeps what it evaluated. A batch is never interrupted, and a peer that left during prefill is noticed
 * only at the next look, so a cancelled request can hold up the one after it.
 */
export class Runner {
  alive = true;
  readonly status: SlotStatus[] = [];
  readonly #deps: RunnerDeps;
  readonly #killed = new AbortController();
  readonly #jobs = new Set<Channel<RunnerEvent>>();
  readonly #working = new Set<Completion>();
  #waitingForSlot: (() => void)[] = [];
  #batch: Promise<void> = Promise.resolve();
  #tasks = 0;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /** Fires when the process ends, by a kill or a crash. */
  get killed(): AbortSignal {
    return this.#killed.signal;
  }

  /** Starts a completion. Reading the channel may stop at any time; the runner learns of it by the job's signal. */
  start(job: Job): Channel<RunnerEvent> {
    const events = new Channel<RunnerEvent>();
    this.#jobs.add(events);
    this.#run(job, events)
      .catch((error: unknown) => this.#deps.truth.fail(error))
      .finally(() => {
        events.close();
        this.#jobs.delete(events);
        job.record.runnerIdleAt = this.#deps.clock.now();
        this.#deps.truth.emit('runner-idle', { request: job.record });
      });
    return events;
  }

  /** Takes the time that a text of so many tokens takes, and keeps nothing of it: for a vector. */
  async read(tokens: number, signal: AbortSignal): Promise<void> {
    const { clock, time } = this.#deps;
    if (tokens > 0) await clock.sleep(time.batch(tokens, 0), AbortSignal.any([signal, this.killed]));
  }

  kill(): void {
    this.alive = false;
    this.#killed.abort();
    this.#deps.cache.clear();
    for (const events of this.#jobs) events.close();
    for (const wake of this.#waitingForSlot.splice(0)) wake();
  }

  /** Status of the slots; waits for a batch in progress and puts off the look for a dead peer, as the real one does. */
  async slots(): Promise<SlotStatus[]> {
    await this.#batch;
    for (const completion of this.#working) completion.statusTold();
    return this.status;
  }

  async #run(job: Job, events: Channel<RunnerEvent>): Promise<void> {
    const { plan, prompt } = job;
    const { contextTokens } = this.#deps;
    job.record.promptTokens = prompt.length;
    if (plan.refusal !== undefined) return events.push({ kind: 'refused', ...plan.refusal });
    if (prompt.length >= contextTokens) {
      return events.push({ kind: 'refused', status: 400, body: tooLong(prompt.length, contextTokens) });
    }
    while (this.alive && !this.#deps.cache.hasFreeSlot) {
      await new Promise<void>((resolve) => this.#waitingForSlot.push(resolve));
    }
    if (!this.alive || job.signal.aborted) return this.#wakeNext();
    const completion = new Completion(job, events, this.#deps, this.#killed.signal);
    const status = this.#statusOf(completion.slot);
    const { cached } = job.record;
    const task = { task: ++this.#tasks, promptTokens: completion.held, cached, processed: 0, decoded: 0 };
    Object.assign(status, { isProcessing: true, ...task });
    this.#working.add(completion);
    try {
      await this.#work(completion, status);
    } finally {
      completion.end();
      this.#working.delete(completion);
      Object.assign(status, { isProcessing: false, cached: 0, promptTokens: completion.held });
      this.#wakeNext();
    }
  }

  async #work(completion: Completion, status: SlotStatus): Promise<void> {
    const { clock } = this.#deps;
    completion.enterPrefill();
    for (const { tokens, ms, commit } of completion.batches()) {
      this.#batch = clock.sleep(ms, this.#killed.signal);
      await this.#batch;
      if (!this.alive) return;
      commit();
      completion.evaluated(tokens);
      Object.assign(status, { promptTokens: completion.held, processed: completion.processed });
      if (completion.hasNoticedClose()) return;
    }
    completion.enterDecode();
    for (const step of completion.steps) {
      await completion.waitFor(step);
      if (!this.alive || completion.isClosed) return;
      if (!completion.take(step)) break;
      status.decoded = completion.generated;
      status.promptTokens = completion.held;
    }
    const { fault } = completion;
    if (fault !== undefined && isEndless(fault)) await completion.untilStopped();
    if (fault?.kind === 'exit' || fault?.kind === 'kill') this.#crash();
  }

  /** Dead, but Ollama finds out only when it asks next. */
  #crash(): void {
    this.alive = false;
    this.#killed.abort();
  }

  #statusOf(slot: number): SlotStatus {
    const fresh = { isProcessing: false, task: 0, promptTokens: 0, processed: 0, cached: 0, decoded: 0 };
    return (this.status[slot] ??= fresh);
  }

  #wakeNext(): void {
    this.#waitingForSlot.shift()?.();
  }
}

/** The state of one completion while it runs. */
class Completion {
  generated = 0;
  processed = 0;
  fault: Fault | undefined;
  readonly #job: Job;
  readonly #prompt: number[];
  readonly #events: Channel<RunnerEvent>;
  readonly #deps: RunnerDeps;
  readonly #startedAt: number;
  /** The connection was dropped or the process ended. */
  readonly #stopped: AbortSignal;
  #evaluation: Evaluation;
  #firstTokenAt: number | undefined;
  #closedAt: number | undefined;
  /** From here on it waits, and looks for its peer once a second. */
  #waitingSince: number;
  #due = 0;
  #hasEnded = false;

  constructor(job: Job, events: Channel<RunnerEvent>, deps: RunnerDeps, killed: AbortSignal) {
    this.#job = job;
    this.#prompt = deps.vocabulary.idsOf(job.prompt);
    this.#evaluation = deps.cache.begin(this.#prompt, { userStarts: job.userStarts });
    job.record.cached = this.#evaluation.cached;
    this.#events = events;
    this.#deps = deps;
    this.#startedAt = this.#waitingSince = deps.clock.now();
    this.#stopped = AbortSignal.any([killed, job.signal]);
    job.signal.addEventListener('abort', () => this.#dropped(), { once: true });
  }

  get slot(): number {
    return this.#evaluation.slot;
  }

  get held(): number {
    return this.#evaluation.held;
  }

  get isClosed(): boolean {
    return this.#job.signal.aborted;
  }

  /** The plan's steps, then its regular end. */
  get steps(): readonly (PlanStep | 'end')[] {
    return [...this.#job.plan.steps, 'end'];
  }

  enterPrefill(): void {
    const { record } = this.#job;
    this.#deps.truth.enter(record, 'prefill');
    this.#deps.truth.emit('prefill-started', { request: record });
  }

  batches(): Iterable<TimedBatch> {
    const { plan, userStarts } = this.#job;
    const { cache, time } = this.#deps;
    if (plan.prefillMs === undefined) return naturalBatches(this.#evaluation, time);
    return forcedBatches({
      cache,
      prompt: this.#prompt,
      hints: { userStarts },
      whole: this.#evaluation,
      totalMs: plan.prefillMs,
      adopt: (evaluation) => {
        this.#evaluation = evaluation;
      },
    });
  }

  evaluated(tokens: number): void {
    this.processed += tokens;
    this.#job.record.evaluated = this.processed;
    this.#deps.truth.emit('batch-evaluated', { request: this.#job.record });
  }

  /** During prefill nothing is sent, so a gone peer shows only at the next look, once a second. */
  hasNoticedClose(): boolean {
    if (this.#closedAt === undefined) return false;
    return this.#deps.clock.now() >= this.#deps.time.noticesClose(this.#waitingSince, this.#closedAt);
  }

  /** Whatever the runner tells anybody wakes who waits, and the second begins anew. */
  statusTold(): void {
    if (!this.hasNoticedClose()) this.#waitingSince = this.#deps.clock.now();
  }

  enterDecode(): void {
    this.#deps.truth.enter(this.#job.record, 'decode');
    this.#firstTokenAt = this.#due = this.#deps.clock.now();
  }

  async waitFor(step: PlanStep | 'end'): Promise<void> {
    if (step !== 'end') this.#due += this.#delayBefore(step);
    const early = this.#due - this.#deps.clock.now();
    if (early > 0.2) await this.#deps.clock.sleep(early, this.#stopped);
    else await yieldToConnections();
  }

  /** Carries a step out; false when it was the last. */
  take(step: PlanStep | 'end'): boolean {
    if (step === 'end') return this.#finish(this.#job.plan.stop.reason, this.#job.plan.stop.text);
    if (step.kind === 'pause') return true;
    if (step.kind === 'fault') {
      this.fault = step.fault;
      this.#hasEnded = !isEndless(step.fault);
      this.#events.push({ kind: 'fault', fault: step.fault, timings: this.#timings() });
      return false;
    }
    const { record } = this.#job;
    this.generated += 1;
    record.generated = this.generated;
    this.#evaluation.generated(this.#deps.vocabulary.idOf(step.text));
    this.#events.push(step.event);
    this.#deps.truth.emit(this.generated === 1 ? 'first-token' : 'token', { request: record });
    const isFull = !this.#deps.shift && record.promptTokens + this.generated >= this.#deps.contextTokens;
    return this.generated >= this.#job.limit || isFull ? this.#finish('limit', '') : true;
  }

  untilStopped(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stopped.aborted) resolve();
      else this.#stopped.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  end(): void {
    this.#hasEnded = true;
    this.#evaluation.end();
  }

  #dropped(): void {
    if (this.#hasEnded) return;
    this.#closedAt = this.#deps.clock.now();
    this.#job.record.droppedAt = this.#closedAt;
  }

  #finish(stop: StopReason, text: string): false {
    this.#hasEnded = true;
    this.#events.push({ kind: 'final', text, stop, timings: this.#timings() });
    return false;
  }

  /** The first token is there as soon as the prompt is; each further one takes its time. */
  #delayBefore(step: PlanStep): number {
    if (step.kind === 'pause') return step.ms;
    if (step.kind === 'fault') return 0;
    return step.pauseMs ?? (this.generated === 0 ? 0 : this.#deps.time.decode());
  }

  #timings(): Timings {
    const now = this.#deps.clock.now();
    const firstTokenAt = this.#firstTokenAt ?? now;
    return {
      promptTokens: this.#job.prompt.length,
      cachedTokens: this.#job.record.cached,
      generatedTokens: this.generated,
      prefillMs: firstTokenAt - this.#startedAt,
      decodeMs: now - firstTokenAt,
    };
  }
}

/** llama-server's refusal of a prompt that fills its context; a client gets it as a string. */
function tooLong(tokens: number, contextTokens: number): string {
  const message = `request (${tokens} tokens) exceeds the available context size (${contextTokens} tokens), try increasing it`;
  const type = 'exceed_context_size_error';
  return JSON.stringify({
    error: { code: 400, message, type, n_prompt_tokens: tokens, n_ctx: contextTokens },
  });
}
