import type { Clock } from '../clock.ts';

/** Where a request was at which moment, on the simulator's clock. */
export interface PhaseMark {
  phase: 'queued' | 'loading' | 'waiting' | 'prefill' | 'decode';
  at: number;
}

export type RequestOutcome = 'running' | 'done' | 'refused' | 'closed' | 'failed' | 'cut';

/** What really happened to one request; a client never sees most of it. */
export interface TruthRequest {
  id: number;
  /** The path; `#render` behind it where only the prompt was asked for, which no model reads. */
  endpoint: string;
  model: string;
  /** The decoded request body, as sent. */
  body: unknown;
  receivedAt: number;
  phases: PhaseMark[];
  /** Tokens of the whole prompt, those found in the cache, those evaluated so far, those generated so far. */
  promptTokens: number;
  cached: number;
  evaluated: number;
  generated: number;
  headersAt?: number;
  /** When the connection ended on the client's side, and when Ollama noticed. */
  closedByClientAt?: number;
  closeSeenAt?: number;
  /** When Ollama broke its connection to the runner off, because the client left or because it gave the reply up. */
  droppedAt?: number;
  /** When the runner had nothing more to do for this request. */
  runnerIdleAt?: number;
  doneAt?: number;
  status?: number;
  outcome: RequestOutcome;
}

export interface TruthLoad {
  model: string;
  numCtx: number;
  /** Why the model was loaded: nothing was there, or what forced the reload. */
  cause: string;
  startedAt: number;
  finishedAt?: number;
  outcome: 'loading' | 'loaded' | 'aborted' | 'failed';
}

export interface TruthUnload {
  model: string;
  cause: string;
  at: number;
}

export type TruthEventKind =
  | 'request-received'
  | 'load-started'
  | 'load-finished'
  | 'load-aborted'
  | 'load-failed'
  | 'slot-waiting'
  | 'prefill-started'
  | 'batch-evaluated'
  | 'first-token'
  | 'token'
  | 'headers-sent'
  | 'client-closed'
  | 'close-seen'
  | 'runner-idle'
  | 'request-finished'
  | 'unloaded'
  | 'slot-lost'
  | 'restarted'
  | 'violation';

export interface TruthEvent {
  kind: TruthEventKind;
  at: number;
  /** Absent on loads and unloads that no request is to be named for. */
  request?: TruthRequest;
  model?: string;
  detail?: string;
}

/** The simulator's own account of events. Only tests and benchmarks read it. */
export class Truth {
  readonly requests: TruthRequest[] = [];
  readonly loads: TruthLoad[] = [];
  readonly unloads: TruthUnload[] = [];
  /** Broken call/result pairing and other things no client should send. */
  readonly violations: { requestId: number; text: string }[] = [];
  /** Mistakes of the simulator itself. Tests should find none. */
  readonly failures: string[] = [];
  readonly #clock: Clock;
  readonly #keep: number;
  #lastId = 0;
  readonly #listeners = new Set<(event: TruthEvent) => void>();

  /** `keep` = how many requests are remembered; a server that runs for days must forget some. */
  constructor(clock: Clock, keep = Infinity) {
    this.#clock = clock;
    this.#keep = keep;
  }

  /** Calls back for every event from now on; the returned function stops that. */
  listen(listener: (event: TruthEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves at the next event of this kind (and for which `matches` holds) from now on. */
  next(kind: TruthEventKind, matches: (event: TruthEvent) => boolean = () => true): Promise<TruthEvent> {
    return new Promise((resolve) => {
      const stop = this.listen((event) => {
        if (event.kind !== kind || !matches(event)) return;
        stop();
        resolve(event);
      });
    });
  }

  /** Resolves as soon as `predicate` holds; looks now and after every event. */
  waitFor(predicate: (truth: Truth) => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (predicate(this)) return resolve();
      const stop = this.listen(() => {
        if (!predicate(this)) return;
        stop();
        resolve();
      });
    });
  }

  /** The newest request of an endpoint, by default `/api/chat`. */
  last(endpoint = '/api/chat'): TruthRequest | undefined {
    return this.requests.findLast((request) => request.endpoint === endpoint);
  }

  begin(endpoint: string, model: string, body: unknown): TruthRequest {
    const request: TruthRequest = {
      id: ++this.#lastId,
      endpoint,
      model,
      body,
      receivedAt: this.#clock.now(),
      phases: [],
      promptTokens: 0,
      cached: 0,
      evaluated: 0,
      generated: 0,
      outcome: 'running',
    };
    this.requests.push(request);
    if (this.requests.length > this.#keep) this.requests.shift();
    this.emit('request-received', { request });
    return request;
  }

  enter(request: TruthRequest, phase: PhaseMark['phase']): void {
    request.phases.push({ phase, at: this.#clock.now() });
  }

  finish(request: TruthRequest, outcome: RequestOutcome): void {
    if (request.outcome !== 'running') return;
    request.outcome = outcome;
    request.doneAt = this.#clock.now();
    this.emit('request-finished', { request });
  }

  violation(request: TruthRequest, text: string): void {
    this.violations.push({ requestId: request.id, text });
    this.emit('violation', { request, detail: text });
  }

  fail(error: unknown): void {
    this.failures.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  emit(kind: TruthEventKind, about: Omit<TruthEvent, 'kind' | 'at'> = {}): void {
    const event: TruthEvent = { kind, at: this.#clock.now(), ...about };
    for (const listener of this.#listeners) listener(event);
  }
}
