import type { AnswerParts } from '../engine.ts';
import type { LineAnswer } from '../http/answer.ts';
import { ParseFailure, type Parsed, type ReplyParser } from '../parsers/index.ts';
import type { Channel } from '../runner/channel.ts';
import type { Fault, RunnerEvent, Timings } from '../runner/reply-plan.ts';
import { grammarProblem } from '../script/grammar.ts';
import type { TruthRequest } from '../truth/truth.ts';
import { emptyAnswer, newCallId, NOTHING } from '../wire/lines.ts';
import type { Delta, LineWriter, Logprob, Metrics } from '../wire/lines.ts';
import { runnerFailure } from './failures.ts';
import { NativeReader } from './native-reader.ts';
import { RepeatGuard } from './repeat-guard.ts';

export interface RelayAnswer extends LineAnswer {
  readonly hasStarted: boolean;
  beginLines(): void;
  /** An error found after scheduling, on a streamed request. */
  streamedError(status: number, error: string): void;
  empty(status: number): void;
}

/** How a reply travels from the runner to the client. */
export interface RelayParts {
  engine: AnswerParts;
  exchange: RelayAnswer;
  record: TruthRequest;
  endpoint: 'chat' | 'generate';
  /** As the client sent it. */
  model: string;
  stream: boolean;
  isNative: boolean;
  parser: ReplyParser;
  write: LineWriter;
  /** `stream:false` keeps calls only if the request offered tools. */
  keepsCalls: boolean;
  logprobs: number | undefined;
  startedAt: number;
  loadMs: number;
  /** What the content must follow, if anything. */
  format: unknown;
  /** Token ids for the final line of a plain generate request. */
  context?: (generated: string) => number[];
}

/** The reply as a whole, for `stream:false`. */
interface Gathered extends Delta {
  any: boolean;
}

/** Thrown where Ollama gives up a reply; the text is what the client gets. */
class ReplyError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.status = status;
  }
}

/**
 * Ollama between its runner and its client: parses what the runner sends and writes it on, line by line or
 * gathered. Ends the answer in every case; returns when it has nothing more to do with the runner.
 */
export class Relay {
  readonly #parts: RelayParts;
  readonly #native = new NativeReader();
  readonly #repeats: RepeatGuard;
  readonly #gathered: Gathered = { content: '', thinking: '', calls: [], logprobs: [], any: false };
  #calls = 0;
  #received = 0;
  #text = '';
  #thinking = '';
  #content = '';
  #paused = false;

  constructor(parts: RelayParts) {
    this.#parts = parts;
    this.#repeats = new RepeatGuard(parts.engine.dialect);
  }

  /**
   * With `untilContent` it stops before the first content that follows thinking, and returns that thinking;
   * the answer then goes on with another run.
   */
  async run(events: Channel<RunnerEvent>, untilContent = false): Promise<string | undefined> {
    const { exchange, engine, record } = this.#parts;
    try {
      let isOver = false;
      for await (const event of events.read(exchange.closed)) {
        isOver = this.#take(event, untilContent);
        if (isOver) break;
      }
      if (isOver && this.#paused) {
        this.#paused = false;
        return this.#thinking;
      }
      if (exchange.closed.aborted) this.#clientLeft();
      else if (!isOver) this.#endWithoutDone();
    } catch (error) {
      if (!(error instanceof ReplyError)) throw error;
      this.#fail(error.status, error.message);
      engine.truth.finish(record, 'failed');
    }
    return undefined;
  }

  /** Handles one event of the runner; true when the answer has ended. */
  #take(event: RunnerEvent, untilContent: boolean): boolean {
    switch (event.kind) {
      case 'refused':
        throw new ReplyError(event.status, event.body);
      case 'fault':
        this.#checkGrammar(true);
        return this.#fault(event.fault, event.timings);
      case 'final':
        this.#emit(
          this.#parse(event.text, true),
          [],
          this.#metrics(event.stop === 'limit' ? 'length' : 'stop', event.timings),
        );
        this.#checkGrammar(event.stop === 'limit');
        this.#finishWell();
        return true;
      case 'reasoning':
        this.#received += 1;
        this.#emit({ content: '', thinking: event.text, calls: [] }, this.#logprobOf(event.text));
        return false;
      case 'markup':
        this.#received += 1;
        return false;
      case 'call':
      case 'arguments':
        this.#received += 1;
        this.#native.take(event);
        return false;
      case 'text': {
        this.#received += 1;
        this.#text += event.text;
        const verdict = this.#parts.isNative ? 'fine' : this.#repeats.look(event.text);
        if (verdict === 'cut') return this.#endWithoutDone();
        if (verdict === 'error') throw new ReplyError(500, 'prediction aborted, token repeat limit reached');
        const parsed = this.#parse(event.text, false);
        this.#thinking += parsed.thinking;
        this.#paused = untilContent && this.#thinking !== '' && parsed.content !== '';
        if (!this.#paused) this.#emit(parsed, this.#logprobOf(event.text));
        return this.#paused;
      }
    }
  }

  #parse(text: string, isLast: boolean): Parsed {
    try {
      const parsed = this.#parts.parser.add(text, isLast);
      return isLast ? { ...parsed, calls: [...parsed.calls, ...this.#native.finish()] } : parsed;
    } catch (error) {
      if (error instanceof ParseFailure) throw new ReplyError(500, error.message);
      throw error;
    }
  }

  /** A script that writes what the engine's grammar forbids is a mistake of the test. */
  #checkGrammar(isCut: boolean): void {
    const { engine, format, record } = this.#parts;
    const problem = grammarProblem(format, this.#content, isCut);
    if (problem !== undefined) {
      engine.truth.violation(record, `the scripted reply is not what format allows, ${problem}`);
    }
  }

  /** Sends one line on, unless it would say nothing. */
  #emit(parsed: Parsed, logprobs: Logprob[], final?: Metrics): void {
    const { engine, exchange, model, stream, write } = this.#parts;
    const calls = parsed.calls.map((call) => ({
      id: call.id ?? newCallId(engine.random),
      function: { index: this.#calls++, name: call.name, arguments: call.arguments },
    }));
    this.#content += parsed.content;
    const delta: Delta = { content: parsed.content, thinking: parsed.thinking, calls, logprobs };
    const saysNothing =
      delta.content === '' && delta.thinking === '' && calls.length === 0 && logprobs.length === 0;
    if (saysNothing && final === undefined) return;
    if (stream) {
      exchange.line(write(model, engine.clock.now(), delta, final));
      return;
    }
    this.#gather(delta);
    if (final !== undefined) exchange.json(200, write(model, engine.clock.now(), this.#whole(), final));
  }

  #gather(delta: Delta): void {
    const all = this.#gathered;
    all.any = true;
    all.content += delta.content;
    all.thinking += delta.thinking;
    all.calls = [...all.calls, ...delta.calls];
    all.logprobs = [...all.logprobs, ...delta.logprobs];
  }

  #whole(): Delta {
    const { content, thinking, calls, logprobs } = this.#gathered;
    return { content, thinking, calls: this.#parts.keepsCalls ? calls : [], logprobs };
  }

  #metrics(reason: Metrics['reason'], timings: Timings): Metrics {
    const { engine, startedAt, loadMs, context } = this.#parts;
    return {
      reason,
      totalMs: engine.clock.now() - startedAt,
      loadMs,
      promptTokens: timings.promptTokens,
      cachedTokens: engine.dialect === '0.40' ? timings.cachedTokens : undefined,
      prefillMs: timings.prefillMs,
      generatedTokens: timings.generatedTokens,
      decodeMs: timings.decodeMs,
      ...(context === undefined ? {} : { context: context(this.#text) }),
    };
  }

  #logprobOf(text: string): Logprob[] {
    const top = this.#parts.logprobs;
    if (top === undefined) return [];
    const candidates = [logprobOf(text, LIKELY), logprobOf('other', UNLIKELY)].slice(0, top);
    return [{ ...logprobOf(text, LIKELY), ...(top > 0 ? { top_logprobs: candidates } : {}) }];
  }

  /** A scripted fault; true when the answer has ended with it. */
  #fault(fault: Fault, timings: Timings): boolean {
    const { engine, exchange, record } = this.#parts;
    switch (fault.kind) {
      case 'hang':
        return false;
      case 'blank-lines':
        this.#blankLines(fault.everyMs);
        return false;
      case 'restart':
        engine.restart(fault.awayMs, fault.version);
        engine.truth.finish(record, 'cut');
        return true;
      case 'huge-line':
        this.#emit({ content: 'x'.repeat(fault.bytes), thinking: '', calls: [] }, []);
        this.#emit(this.#parse('', true), [], this.#metrics('stop', timings));
        this.#finishWell();
        return true;
      case 'bad-bytes':
        exchange.rawLine(Buffer.from('{"message":{"content":"\xff\xfe', 'latin1'));
        exchange.end();
        engine.truth.finish(record, 'cut');
        return true;
      case 'reset':
        exchange.reset();
        engine.truth.finish(record, 'cut');
        return true;
      case 'bad-line':
        exchange.rawLine('{"model":"broken","created_at":');
        exchange.end();
        engine.truth.finish(record, 'cut');
        return true;
      case 'end-without-done':
        return this.#endWithoutDone();
      case 'done-twice': {
        const metrics = this.#metrics('stop', timings);
        this.#emit(this.#parse('', true), [], metrics);
        if (this.#parts.stream) this.#emit({ content: '', thinking: '', calls: [] }, [], metrics);
        this.#finishWell();
        return true;
      }
      case 'error-line':
        throw new ReplyError(500, fault.text);
      case 'exit':
      case 'kill':
      case 'runner-reset':
      case 'runner-eof':
      case 'runner-error':
      case 'runner-malformed':
      case 'runner-huge': {
        const failure = runnerFailure(fault, {
          isNative: this.#parts.isNative,
          hasStarted: this.#received > 0,
        });
        if (failure === undefined) return this.#endWithoutDone();
        if (failure.includes('out of memory')) engine.scheduler.expireAll('the runner ran out of memory');
        throw new ReplyError(500, failure);
      }
    }
  }

  #blankLines(everyMs: number): void {
    const { engine, exchange, model, write } = this.#parts;
    if (exchange.closed.aborted) return;
    exchange.line(write(model, engine.clock.now(), NOTHING));
    engine.clock.after(everyMs, () => this.#blankLines(everyMs));
  }

  #finishWell(): void {
    this.#parts.exchange.end();
    this.#parts.engine.truth.finish(this.#parts.record, 'done');
  }

  /** Neither `done` nor an error: what was written stays, the stream just ends. */
  #endWithoutDone(): true {
    const { engine, endpoint, exchange, model, record, stream, write } = this.#parts;
    if (stream) exchange.beginLines();
    else if (!this.#gathered.any) exchange.json(200, emptyAnswer(endpoint));
    else exchange.json(200, write(model, engine.clock.now(), this.#whole()));
    exchange.end();
    engine.truth.finish(record, 'cut');
    return true;
  }

  #fail(status: number, error: string): void {
    const { exchange, stream } = this.#parts;
    if (status === 403 && error === '') return exchange.empty(403);
    if (!stream) return exchange.json(status, { error });
    if (!exchange.hasStarted) return exchange.streamedError(status, error);
    exchange.line({ error });
    exchange.end();
  }

  /** A client that only closed its sending side still gets to read why nothing comes (trace `half-close`). */
  #clientLeft(): void {
    const { engine, exchange, record, stream, isNative } = this.#parts;
    const path = isNative ? '/v1/chat/completions' : '/completion';
    if (stream && !exchange.hasStarted) {
      exchange.streamedError(500, `Post "http://127.0.0.1:1${path}": context canceled`);
    }
    exchange.abandon();
    engine.truth.finish(record, 'closed');
  }
}

const LIKELY = -0.25;
const UNLIKELY = -2.5;

function logprobOf(token: string, logprob: number): Logprob {
  return { token, logprob, bytes: [...Buffer.from(token)] };
}
