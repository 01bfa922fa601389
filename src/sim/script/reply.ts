import type { Json, JsonObject } from '../render/index.ts';
import type { Fault, StopReason } from '../runner/reply-plan.ts';

/** One step of a scripted reply. Plain data, so that a reply can travel to another process. */
export type ReplyStep =
  | { do: 'thinking'; text: string }
  | { do: 'text'; text: string }
  /** JSON as a grammar has the model write it. */
  | { do: 'constrained'; value: Json }
  | { do: 'call'; name: string; arguments: JsonObject }
  /** Only the first half of its tokens; it has to come last. */
  | { do: 'half-call'; name: string; arguments: JsonObject }
  /** Text exactly as the model generates it, tags and all; each entry is one token. */
  | { do: 'raw'; tokens: { text: string; pauseMs?: number }[] }
  | { do: 'native'; tokens: NativeToken[] }
  | { do: 'pause'; ms: number }
  | { do: 'prefill'; ms: number }
  | { do: 'pace'; tokenMs: number }
  | { do: 'refuse'; status: number; body: string }
  | { do: 'fault'; fault: Fault }
  | { do: 'stop'; reason: StopReason; text: string }
  | { do: 'cut'; share: number }
  | { do: 'lose-slot' }
  | { do: 'split-bytes' }
  | { do: 'delete-model' };

/** What a runner on the native path sends, token by token. */
export type NativeToken =
  | { kind: 'text'; text: string; pauseMs?: number }
  | { kind: 'reasoning'; text: string; pauseMs?: number }
  | { kind: 'call'; index: number; id: string; name: string; pauseMs?: number }
  | { kind: 'arguments'; index: number; text: string; pauseMs?: number };

/** What a reply consists of. */
export interface ReplySteps {
  readonly steps: readonly ReplyStep[];
}

/** A reply as it is carried out: nothing more is added to it. */
export interface WrittenReply extends ReplySteps {
  /** Written token by token as the model generates it, so it cannot be taken apart. */
  readonly hasRawTokens: boolean;
  /** Calls in the model's own notation, which no grammar of a format has room for. */
  readonly hasCalls: boolean;
  withoutThinking(): WrittenReply;
}

/**
 * A scripted reply: what the model writes, in order, and what goes wrong. Immutable; each word returns a
 * new reply. Words that end the reply come last.
 *
 * @example reply().thinking('A file, then.').toolCall('read_file', { path: 'README.md' })
 * @example reply().text('Half a sen').reset()
 */
export class Reply implements WrittenReply {
  readonly steps: readonly ReplyStep[];

  constructor(steps: readonly ReplyStep[] = []) {
    this.steps = steps;
  }

  thinking(text: string): Reply {
    return this.#with({ do: 'thinking', text });
  }

  text(text: string): Reply {
    return this.#with({ do: 'text', text });
  }

  toolCall(name: string, args: JsonObject = {}): Reply {
    return this.#with({ do: 'call', name, arguments: args });
  }

  /**
   * JSON as the grammar of the request's `format` has the model write it: packed, keys in alphabetical order, required
   * ones first. What the grammar forbids is noted in the truth as a violation.
   */
  constrained(value: Json): Reply {
    return this.#with({ do: 'constrained', value });
  }

  /** A call in the only form that a grammar allows: `{"call":"read_file","with":{…}}`. */
  constrainedCall(name: string, args: JsonObject = {}): Reply {
    return this.constrained({ call: name, with: args });
  }

  /** An answer in the form that a grammar allows: `{"answer":"…"}`, or behind what it is about. */
  constrainedAnswer(text: string): Reply {
    return this.constrained({ answer: text });
  }

  /** The model stops in the middle of a call; most parsers then drop it in silence. */
  halfCall(name: string, args: JsonObject = {}): Reply {
    return this.#with({ do: 'half-call', name, arguments: args });
  }

  /** Text as the model would generate it: broken tags, half a call, tokens cut anywhere. */
  raw(...tokens: (string | { text: string; pauseMs?: number })[]): Reply {
    return this.#with({
      do: 'raw',
      tokens: tokens.map((token) => (typeof token === 'string' ? { text: token } : token)),
    });
  }

  /** Events of a runner that parses replies itself. */
  native(...tokens: NativeToken[]): Reply {
    return this.#with({ do: 'native', tokens });
  }

  /** Nothing comes for so long. */
  pause(ms: number): Reply {
    return this.#with({ do: 'pause', ms });
  }

  /** The prompt takes this long, however short it is; a cancelled one keeps what was evaluated. */
  prefill(seconds: number): Reply {
    return this.#with({ do: 'prefill', ms: seconds * 1000 });
  }

  /** Tokens come at this rate instead of the model's. */
  tokensPerSecond(rate: number): Reply {
    return this.#with({ do: 'pace', tokenMs: 1000 / rate });
  }

  /** Before anything comes: an HTTP error, its text as Ollama passes it on. */
  error(status: number, text: string): Reply {
    return this.#with({ do: 'refuse', status, body: text });
  }

  /** Host or Origin are not allowed here: 403 without a body. */
  forbidden(): Reply {
    return this.error(403, '');
  }

  /** The model's own template refuses the history, in the runner's words: JSON inside the error. */
  templateRefuses(message = 'No user query found in messages.'): Reply {
    return this.error(500, JSON.stringify({ error: { code: 500, message, type: 'server_error' } }));
  }

  /** An error line after what was written so far, then the end of the stream. */
  midError(text: string): Reply {
    return this.fault({ kind: 'error-line', text });
  }

  /** Silence from here on, until the client closes. */
  hang(): Reply {
    return this.fault({ kind: 'hang' });
  }

  /** The connection to the client breaks. */
  reset(): Reply {
    return this.fault({ kind: 'reset' });
  }

  /** A line that is not JSON, then the end of the stream. */
  malformed(): Reply {
    return this.fault({ kind: 'bad-line' });
  }

  /** A line that is not UTF-8, then the end of the stream. */
  badBytes(): Reply {
    return this.fault({ kind: 'bad-bytes' });
  }

  /** Every byte of the answer comes by itself, so that characters are split between packets. */
  splitBytes(): Reply {
    return this.#with({ do: 'split-bytes' });
  }

  /** One line with this much text in it, then the regular end. */
  hugeLine(bytes = 20 * 1024 * 1024): Reply {
    return this.fault({ kind: 'huge-line', bytes });
  }

  /** From here on nothing but lines that say nothing, until the client closes. */
  trickle(everyMs = 20): Reply {
    return this.fault({ kind: 'blank-lines', everyMs });
  }

  /** The stream ends properly but without a final line. */
  eofWithoutDone(): Reply {
    return this.fault({ kind: 'end-without-done' });
  }

  /** The final line comes twice. */
  doneTwice(): Reply {
    return this.fault({ kind: 'done-twice' });
  }

  /** The runner dies; `text` is the last thing it says. A text with "out of memory" unloads every model. */
  runnerExit(text = ''): Reply {
    return this.fault({ kind: 'exit', text });
  }

  /** Ollama ends, and starts again after `awayMs` at the same address with nothing loaded, perhaps as another version. */
  restart(awayMs = 0, version?: string): Reply {
    return this.fault({ kind: 'restart', awayMs, version });
  }

  /** Somebody removes the model while this reply is written; its runner answers to the end of it. */
  deleteModel(): Reply {
    return this.#with({ do: 'delete-model' });
  }

  /** num_predict or the context ends the reply here. */
  length(): Reply {
    return this.#with({ do: 'stop', reason: 'limit', text: '' });
  }

  /** num_predict ends the reply after this share of its tokens, thinking included: `done_reason` is "length". */
  cut(share = 0.5): Reply {
    return this.#with({ do: 'cut', share });
  }

  /** If the client closes during this reply, the model's slot is lost. */
  loseSlot(): Reply {
    return this.#with({ do: 'lose-slot' });
  }

  /** Says nothing at all: the first token is the end. */
  emptyReply(): Reply {
    return this;
  }

  get hasRawTokens(): boolean {
    return this.steps.some((step) => step.do === 'raw');
  }

  get hasCalls(): boolean {
    return this.steps.some((step) => step.do === 'call' || step.do === 'half-call');
  }

  withoutThinking(): Reply {
    return new Reply(this.steps.filter((step) => step.do !== 'thinking'));
  }

  fault(fault: Fault): Reply {
    return this.#with({ do: 'fault', fault });
  }

  stop(reason: StopReason, text = ''): Reply {
    return this.#with({ do: 'stop', reason, text });
  }

  #with(step: ReplyStep): Reply {
    return new Reply([...this.steps, step]);
  }
}

export const reply = (): Reply => new Reply();

/** Calls that are written to their end, in the model's own notation or under a grammar. */
export function callsOf(steps: readonly ReplyStep[]): { name: string; arguments: JsonObject }[] {
  return steps.flatMap((step) => {
    if (step.do === 'call') return [step];
    const { call, with: args } = step.do === 'constrained' && isObject(step.value) ? step.value : {};
    return typeof call === 'string' ? [{ name: call, arguments: isObject(args) ? args : {} }] : [];
  });
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
