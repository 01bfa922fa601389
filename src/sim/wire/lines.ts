import { GO_ZERO_TIME, goTime, omitEmpty, toNanoseconds } from './go-json.ts';

interface WireCall {
  id: string;
  function: { index: number; name: string; arguments: Record<string, unknown> };
}

export interface Logprob {
  token: string;
  logprob: number;
  bytes: number[];
  top_logprobs?: Logprob[];
}

/** What one line of an answer adds. Empty parts do not appear on the wire, except `content`. */
export interface Delta {
  content: string;
  thinking: string;
  calls: WireCall[];
  logprobs: Logprob[];
}

export const NOTHING: Delta = { content: '', thinking: '', calls: [], logprobs: [] };

/** Everything the final line adds: milliseconds here, nanoseconds on the wire. */
export interface Metrics {
  reason: 'stop' | 'length';
  totalMs: number;
  loadMs: number;
  promptTokens: number;
  /** Only dialect 0.40 knows it; 0 is then a real miss and stays on the wire. */
  cachedTokens: number | undefined;
  prefillMs: number;
  generatedTokens: number;
  decodeMs: number;
  /** `/api/generate` without raw: the token ids of prompt and answer. */
  context?: number[];
}

function metricsOf(metrics: Metrics): Record<string, unknown> {
  return {
    ...omitEmpty({
      total_duration: toNanoseconds(metrics.totalMs),
      load_duration: toNanoseconds(metrics.loadMs),
      prompt_eval_count: metrics.promptTokens,
    }),
    ...(metrics.cachedTokens === undefined ? {} : { prompt_eval_cached_count: metrics.cachedTokens }),
    ...omitEmpty({
      prompt_eval_duration: toNanoseconds(metrics.prefillMs),
      eval_count: metrics.generatedTokens,
      eval_duration: toNanoseconds(metrics.decodeMs),
    }),
  };
}

/** One line of an answer in the order of Ollama's structs; `final` makes it the done line. */
export type LineWriter = (
  model: string,
  at: number,
  delta: Delta,
  final?: Metrics,
) => Record<string, unknown>;

export const chatLine: LineWriter = (model, at, delta, final) => ({
  model,
  created_at: goTime(at),
  message: {
    role: 'assistant',
    content: delta.content,
    ...omitEmpty({ thinking: delta.thinking, tool_calls: delta.calls }),
  },
  done: final !== undefined,
  ...omitEmpty({ done_reason: final?.reason ?? '', logprobs: delta.logprobs }),
  ...(final === undefined ? {} : metricsOf(final)),
});

export const generateLine: LineWriter = (model, at, delta, final) => ({
  model,
  created_at: goTime(at),
  response: delta.content,
  ...omitEmpty({ thinking: delta.thinking }),
  done: final !== undefined,
  ...omitEmpty({ done_reason: final?.reason ?? '', context: final?.context ?? [] }),
  ...(final === undefined ? {} : metricsOf(final)),
  ...omitEmpty({ tool_calls: delta.calls, logprobs: delta.logprobs }),
});

/** The whole answer of a load or unload request. */
export function loadAnswer(
  endpoint: 'chat' | 'generate',
  model: string,
  at: number,
  reason: 'load' | 'unload',
) {
  const head = { model, created_at: goTime(at) };
  const body = endpoint === 'chat' ? { message: { role: 'assistant', content: '' } } : { response: '' };
  return { ...head, ...body, done: true, done_reason: reason };
}

/** The answer to `_debug_render_only`. */
export function renderAnswer(endpoint: 'chat' | 'generate', model: string, at: number, template: string) {
  const head = { model, created_at: goTime(at) };
  const body = endpoint === 'chat' ? { message: { role: '', content: '' } } : { response: '' };
  return { ...head, ...body, done: false, _debug_info: { rendered_template: template } };
}

/** What `stream:false` gets when the runner's stream ended before anything came. */
export function emptyAnswer(endpoint: 'chat' | 'generate') {
  const body = endpoint === 'chat' ? { message: { role: '', content: '' } } : { response: '' };
  return { model: '', created_at: GO_ZERO_TIME, ...body, done: false };
}

/** A call id as the parsers of the rendered path make them. */
export function newCallId(random: () => number): string {
  return `call_${randomLetters(random, LOWER, 8)}`;
}

/** A call id as a native runner makes it, or the model itself where it writes ids of some length. */
export function nativeCallId(random: () => number, length = 32): string {
  return randomLetters(random, LOWER + LOWER.slice(0, 26).toUpperCase(), length);
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz0123456789';

function randomLetters(random: () => number, alphabet: string, length: number): string {
  const letter = () => alphabet.charAt(Math.floor(random() * alphabet.length));
  return Array.from({ length }, letter).join('');
}
