/*
 * Replays recorded traces of a real Ollama against the simulator: the same requests in the same order, with
 * the same gaps and closes, the runner told to write the same tokens. See engine-truth/traces/README.md.
 */
import { connect } from 'node:net';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';

import { systemClock } from '../../src/sim/clock.ts';
import type { Clock } from '../../src/sim/clock.ts';
import { startSim } from '../../src/sim/index.ts';
import type { Script, Sim, SimModelOptions } from '../../src/sim/index.ts';
import { compareExchange, compareRaw, compareRunner } from './trace-compare.ts';
import type { Observed } from './trace-compare.ts';
import { loadPlanOf, scriptOf } from './trace-runner.ts';
import type { Control } from './trace-runner.ts';
import type { ExchangeStep, RawStep, Step, Trace } from './trace-file.ts';
import { TRACE_MODELS } from './trace-models.ts';

/** What a trace's own peculiarities need. */
export interface ReplayOptions {
  /** How the body of a request goes out, by its label, where it is not simply sent whole. */
  sendBody?: Record<string, 'newline' | 'spaces' | 'split' | 'unfinished'>;
  /** Bodies that the record only describes. */
  bodyOf?: (step: ExchangeStep) => unknown;
  /** The first close in this trace loses the slot. */
  losesSlot?: boolean;
  /** Models that an earlier trace left loaded, where this one does not show it. */
  loadedBefore?: readonly string[];
  /** The runners of this trace cannot be compared: its requests end before Ollama would start one. */
  ignoresRunner?: boolean;
  /** What earlier steps, which are not simulated, would have made. */
  moreModels?: readonly SimModelOptions[];
  /** Steps before which the recorder unloaded everything without recording that. */
  unloadBefore?: (step: Step) => boolean;
  /** Steps whose bodies may differ, because the record caught the engine in the middle of a change. */
  mayDiffer?: (step: ExchangeStep) => boolean;
}

/** Everything runs this many times as fast as it was recorded. */
const SCALE = 4;
const NOT_SIMULATED = new Set(['/api/embed', '/api/embeddings', '/api/create', '/api/copy', '/api/blobs']);

const isSimulated = ({ path }: ExchangeStep): boolean =>
  !NOT_SIMULATED.has(path.split('/').slice(0, 3).join('/'));

/** Replays a trace on a simulator of its own and returns what differs from the record. */
export async function replay(trace: Trace, options: ReplayOptions = {}): Promise<string[]> {
  const clock = systemClock(SCALE);
  const limit = (name: string) => Number(trace.environment[name] ?? Number.NaN) || undefined;
  const maxLoaded = limit('OLLAMA_MAX_LOADED_MODELS');
  const maxQueue = limit('OLLAMA_MAX_QUEUE');
  const sim = await startSim({
    clock,
    dialect: '0.33.2',
    version: '0.0.0',
    models: [...TRACE_MODELS, ...(options.moreModels ?? [])],
    pullable: null,
    gpu: { totalBytes: 24_564 * 2 ** 20, otherBytes: 600 * 2 ** 20 },
    ...(maxLoaded === undefined ? {} : { maxLoaded }),
    ...(maxQueue === undefined ? {} : { maxQueue }),
  });
  try {
    return await new Player(trace, options, sim, clock).play();
  } finally {
    await sim.close();
  }
}

class Player {
  readonly #trace: Trace;
  readonly #options: ReplayOptions;
  readonly #sim: Sim;
  readonly #clock: Clock;
  readonly #running: { step: ExchangeStep | RawStep; done: Promise<void>; isDone: boolean }[] = [];
  readonly #closes = new Map<ExchangeStep, () => void>();
  readonly #differences: string[] = [];
  /** Recorded moment and moment of the replay that belong together. */
  #anchor = { recorded: 0, replayed: 0 };

  constructor(trace: Trace, options: ReplayOptions, sim: Sim, clock: Clock) {
    this.#trace = trace;
    this.#options = options;
    this.#sim = sim;
    this.#clock = clock;
  }

  async play(): Promise<string[]> {
    this.#sim.setScript(this.#script({}));
    await this.#preload();
    const loadsBefore = this.#sim.truth.loads.length;
    this.#anchor = { recorded: this.#trace.steps[0]?.at_ms ?? 0, replayed: this.#clock.now() };
    for (const { at, act } of this.#actions()) {
      await this.#untilItsTurn(at);
      await act();
    }
    await Promise.all(this.#running.map((entry) => entry.done));
    return [...this.#differences, ...this.#compareRunner(loadsBefore)];
  }

  /** Only where everything the runner saw is in the record, and comes from requests that were replayed. */
  #compareRunner(loadsBefore: number): string[] {
    const { runner, steps } = this.#trace;
    const events = runner.filter((event) => typeof event !== 'string');
    const isWhole = events.length === runner.length && events.length > 0;
    const skips = steps.some((step) => step.kind === 'exchange' && !isSimulated(step));
    return isWhole && !skips && this.#options.ignoresRunner !== true
      ? compareRunner(events, this.#sim.truth, loadsBefore)
      : [];
  }

  /** Everything to do, in the order of the record: steps, and closes of requests that were given up in silence. */
  #actions(): { at: number; act: () => void | Promise<void> }[] {
    const steps = this.#trace.steps.filter((step) => step.kind !== 'exchange' || isSimulated(step));
    const actions = steps.map((step) => ({
      at: step.at_ms,
      act: async () => {
        if (this.#options.unloadBefore?.(step) === true) await this.#unloadAll();
        this.#run(step);
      },
    }));
    const closes = steps.flatMap((step) =>
      step.kind === 'exchange' && step.closed_by_client_ms !== undefined && recordedLines(step) === 0
        ? [{ at: step.at_ms + step.closed_by_client_ms, act: () => this.#closes.get(step)?.() }]
        : [],
    );
    return [...actions, ...closes].toSorted((a, b) => a.at - b.at);
  }

  /** Models that an earlier trace left loaded: no runner was started in this one, or `/api/ps` shows them. */
  async #preload(): Promise<void> {
    const { runner, steps } = this.#trace;
    const startsNone =
      runner.length > 0 && !runner.some((event) => typeof event !== 'string' && event.ev === 'start');
    const wanted = new Set(this.#options.loadedBefore ?? []);
    const asked = new Set<string>();
    for (const step of steps) {
      if (step.kind !== 'exchange' || !isSimulated(step)) continue;
      if (step.path === '/api/ps')
        for (const model of listedModels(step)) if (!asked.has(model)) wanted.add(model);
      const model = `${String(bodyModel(step))}:latest`;
      asked.add(model);
      if (startsNone) wanted.add(model);
    }
    for (const { name } of TRACE_MODELS) {
      if (!wanted.has(`${name}:latest`)) continue;
      const body = JSON.stringify({ model: name });
      await fetch(`${this.#sim.url}/api/generate`, { method: 'POST', body });
    }
  }

  async #unloadAll(): Promise<void> {
    for (const { name } of TRACE_MODELS) {
      const body = JSON.stringify({ model: name, keep_alive: 0 });
      await fetch(`${this.#sim.url}/api/generate`, { method: 'POST', body });
    }
    await this.#sim.truth.waitFor(
      ({ loads, unloads }) => loads.filter((load) => load.outcome === 'loaded').length === unloads.length,
    );
  }

  /** Waits for what had ended before this moment of the record, and then for the gap that was left. */
  async #untilItsTurn(at: number): Promise<void> {
    const before = this.#running.filter(
      (entry) => !entry.isDone && !this.#isClosing(entry.step) && endOf(entry) <= at + 0.5,
    );
    if (before.length > 0) {
      await Promise.all(before.map((entry) => entry.done));
      this.#anchor = { recorded: Math.max(...before.map(endOf)), replayed: this.#clock.now() };
    }
    const early = this.#anchor.replayed + (at - this.#anchor.recorded) - this.#clock.now();
    if (early > 0) await this.#clock.sleep(early);
    this.#anchor = { recorded: at, replayed: this.#clock.now() };
  }

  /** Ends by an action of its own. */
  #isClosing(step: ExchangeStep | RawStep): boolean {
    return step.kind === 'exchange' && this.#closes.has(step);
  }

  #run(step: Step): void {
    if (step.kind === 'script') {
      this.#sim.setScript(this.#script(step.runner_script));
      for (const { name } of TRACE_MODELS) this.#sim.setLoad(name, loadPlanOf(step.runner_script));
      return;
    }
    if (step.kind === 'exchange') this.#start(step, () => this.#exchange(step));
    else if (step.kind === 'raw') this.#start(step, () => this.#raw(step));
  }

  #script(control: Control): Script {
    const loadsOf = (model: string) => this.#sim.truth.loads.filter((load) => load.model === model).length;
    return scriptOf(control, this.#options.losesSlot ?? false, loadsOf);
  }

  #start(step: ExchangeStep | RawStep, work: () => Promise<void>): void {
    const entry = { step, isDone: false, done: Promise.resolve() };
    entry.done = work().finally(() => {
      entry.isDone = true;
    });
    this.#running.push(entry);
  }

  async #exchange(step: ExchangeStep): Promise<void> {
    const observed = await this.#send(step);
    if (this.#options.mayDiffer?.(step) === true) return;
    const where = `[${Math.round(step.at_ms)}] ${step.label ?? ''} ${step.method} ${step.path}`;
    for (const difference of compareExchange(step, observed))
      this.#differences.push(`${where}: ${difference}`);
  }

  #send(step: ExchangeStep): Promise<Observed> {
    const { sendBody = {}, bodyOf = (given: ExchangeStep) => given.body } = this.#options;
    const given = bodyOf(step);
    const text: string | undefined =
      given === undefined ? undefined : typeof given === 'string' ? given : JSON.stringify(given);
    const way = sendBody[step.label ?? ''];
    const tail = way === 'newline' ? '\n' : way === 'spaces' ? ' '.repeat(4096) : '';
    const padded = text === undefined ? undefined : text + tail;
    const isChunked = way === 'split' || way === 'unfinished';
    const length = padded === undefined || isChunked ? {} : { 'Content-Length': Buffer.byteLength(padded) };
    return new Promise((resolve) => {
      const observed: Observed = { text: '', end: 'complete', status: undefined, contentType: undefined };
      const outgoing = httpRequest(`${this.#sim.url}${step.path}`, {
        method: step.method,
        headers: { ...step.headers, ...length },
        agent: false,
      });
      const finish = (end: string) => {
        observed.end = end;
        resolve(observed);
      };
      const close = () => {
        outgoing.destroy();
        finish('closed by the client');
      };
      outgoing.setNoDelay(true);
      outgoing.on('error', (error) => finish(`failed: ${error.message}`));
      outgoing.on('response', (response: IncomingMessage) => {
        observed.status = response.statusCode;
        observed.contentType = response.headers['content-type'];
        response.setEncoding('utf8');
        response.on('data', (data: string) => {
          observed.text += data;
          if (step.closed_by_client_ms !== undefined && linesIn(observed.text) >= recordedLines(step))
            close();
        });
        response.on('end', () => finish('complete'));
        response.on('error', (error) => finish(`broken: ${error.message}`));
      });
      if (isChunked) {
        outgoing.write(padded ?? '');
        if (way === 'split') this.#clock.after(100, () => outgoing.end());
      } else outgoing.end(padded);
      if (step.closed_by_client_ms !== undefined && recordedLines(step) === 0) this.#closes.set(step, close);
    });
  }

  /** Bytes as they were sent, on a connection of their own. */
  async #raw(step: RawStep): Promise<void> {
    const isHalfClosed = this.#trace.name === 'half-close';
    const expected = step.chunks.map((entry) => (typeof entry === 'string' ? entry : entry[1])).join('');
    const received = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect({ port: this.#sim.port, host: '127.0.0.1', allowHalfOpen: isHalfClosed }, () => {
        socket.write(step.raw_request.replaceAll('<port>', '3000'));
        if (isHalfClosed) void this.#clock.sleep(150).then(() => socket.end());
      });
      socket.setEncoding('utf8');
      const finish = () => {
        socket.destroy();
        resolve(text);
      };
      socket.on('data', (data: string) => {
        text += data;
        if (step.end !== 'server closed' && linesIn(text) >= linesIn(expected)) finish();
      });
      socket.on('end', finish);
      socket.on('error', finish);
    });
    for (const difference of compareRaw(expected, received))
      this.#differences.push(`raw request: ${difference}`);
  }
}

const endOf = ({ step }: { step: ExchangeStep | RawStep }): number =>
  step.at_ms + (step.end_ms ?? Number.POSITIVE_INFINITY);

const linesIn = (text: string): number => text.split('\n').filter((line) => line !== '').length;

export function recordedText(step: Pick<ExchangeStep, 'chunks'>): string {
  return (step.chunks ?? []).map((entry) => (typeof entry === 'string' ? entry : entry[1])).join('');
}

const recordedLines = (step: ExchangeStep): number => linesIn(recordedText(step));

function bodyModel(step: ExchangeStep): unknown {
  return typeof step.body === 'object' && step.body !== null ? Reflect.get(step.body, 'model') : undefined;
}

const psSchema = z.object({ models: z.array(z.object({ name: z.string() })) });

function listedModels(step: ExchangeStep): string[] {
  const parsed = psSchema.safeParse(safeJson(recordedText(step)));
  return parsed.success ? parsed.data.models.map(({ name }) => name) : [];
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
