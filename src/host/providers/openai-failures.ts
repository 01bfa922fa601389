/** What OpenAI-compatible hosts refuse, in every shape in which they say it → what happened and what to do next. */
import { UnreadableAnswer } from '../../ollama/connection.ts';
import { excerpt } from '../../ollama/failures.ts';
import { AndironError, asSentence, type ErrorCode } from '../../protocol/errors.ts';
import { parseJson } from '../../protocol/json.ts';
import { errorBodySchema, type HostError } from './openai-schemas.ts';
import type { ModelRequest } from './provider.ts';

export interface AskedHost {
  /** How a person knows it. */
  name: string;
  /** The API's root; `/chat/completions` is below it. */
  url: string;
  /** Takes the key out of a text that the host sent: some repeat a wrong one in their refusal. */
  hide(text: string): string;
}

export function askedHost(name: string, url: string, apiKey: string | undefined): AskedHost {
  return { name, url, hide: (text) => (apiKey === undefined ? text : text.replaceAll(apiKey, '(key)')) };
}

/** A host's own refusal. The status decides whether another may be asked instead (router-policy.ts). */
export class HostRefusal extends AndironError {
  readonly status: number;

  constructor(status: number, code: ErrorCode, message: string, advice: string) {
    super(code, message, advice);
    this.name = 'HostRefusal';
    this.status = status;
  }
}

interface Refusal {
  host: AskedHost;
  model: string;
  status: number;
  text: string;
  type: string;
  fields: HostError;
}

interface KnownRefusal {
  matches(refusal: Refusal): boolean;
  code: ErrorCode;
  message(refusal: Refusal): string;
  advice: string;
}

const overflowTypes: ReadonlySet<string> = new Set(['exceed_context_size_error', 'context_length_exceeded']);
/** llama-server, vLLM and LM Studio, in this order; the last one has said it in four ways. */
const overflowText =
  /context size has been exceeded|available context size|maximum context length|greater than the context length|loaded with context length|reached context length|n_keep/i;
const missingModelText =
  /\bmodel\b.*(not found|does not exist|not loaded)|invalid model|no models? (is |are )?loaded/is;

/** The first that matches counts: the same status means different things with different words. */
const knownRefusals: readonly KnownRefusal[] = [
  {
    matches: ({ text, type }) => overflowTypes.has(type) || overflowText.test(text),
    code: 'context_overflow',
    message: ({ fields: { n_prompt_tokens: tokens, n_ctx: window } }) =>
      tokens === undefined || window === undefined
        ? 'The conversation no longer fits the window.'
        : `The conversation has ${tokens.toLocaleString('en')} tokens, the window holds ${window.toLocaleString('en')}.`,
    advice: 'Start a new session, or load the model with a larger window on its host.',
  },
  {
    matches: ({ status }) => status === 401 || status === 403,
    code: 'engine_refused',
    message: ({ host, status, text }) => `${host.name} does not accept the key (${status}): ${text}`,
    advice: 'Set its key in Settings, Engine.',
  },
  {
    matches: ({ status, text, type }) =>
      type === 'model_not_found' || (status < 500 && missingModelText.test(text)),
    code: 'model_missing',
    message: ({ host, model, text }) => `${host.name} has no model ${model}: ${text}`,
    advice: 'Choose another model, or load it on that host.',
  },
  {
    matches: ({ status }) => status === 404 || status === 405,
    code: 'engine_refused',
    message: ({ host, status, text }) =>
      `${host.name} does not answer chats at ${host.url} (${status}): ${text}`,
    advice: 'Add it with another address in Settings, Engine: most want one that ends in /v1.',
  },
  {
    matches: ({ status }) => status === 429,
    code: 'engine_refused',
    message: ({ host, text }) => `${host.name} takes no more requests now: ${text}`,
    advice: 'Wait a moment, then send again.',
  },
  {
    matches: ({ status, text }) => status === 503 && /loading/i.test(text),
    code: 'engine_refused',
    message: ({ host }) => `${host.name} is still loading its model.`,
    advice: 'Wait a moment, then send again.',
  },
  {
    matches: ({ status, text }) =>
      status >= 500 && /does not match the expected|failed to parse|parsing tool call/i.test(text),
    code: 'stream_broken',
    message: ({ host, model, text }) => `${host.name} could not read what ${model} wrote: ${text}`,
    advice: 'Send again, in smaller steps; a larger model makes fewer such mistakes.',
  },
  {
    matches: ({ text }) => /tool[- _]choice|tools? (is|are) not supported|support tools/i.test(text),
    code: 'model_without_tools',
    message: ({ host, model, text }) => `${model} cannot call tools as ${host.name} runs it: ${text}`,
    advice:
      'Start the host with tool calls on (llama-server: --jinja, vLLM: --enable-auto-tool-choice), or choose another model.',
  },
  {
    matches: ({ text }) =>
      /image input is not supported|not a multimodal model|support(s|ing)? image/i.test(text),
    code: 'model_without_vision',
    message: ({ host, model, text }) => `${model} cannot see images as ${host.name} runs it: ${text}`,
    advice: 'Choose a model with vision, or take the images out of the message.',
  },
  {
    matches: ({ text }) =>
      /(?:failed|unable) to (?:load|decode|process) (?:the )?image|cannot identify image/i.test(text),
    code: 'attachment_invalid',
    message: ({ host, text }) => `${host.name} could not read an image of this conversation: ${text}`,
    advice: 'Edit the message that has it, take the image out and send again.',
  },
  {
    matches: ({ status, text }) =>
      status !== 401 &&
      status !== 403 &&
      /failed to parse grammar|schema conversion failed|response_format|json_schema|xgrammar|(?:grammar|structured output|json schema).{0,40}(?:error|invalid|not supported|unsupported|failed)|(?:invalid|unsupported|failed).{0,40}(?:grammar|structured output|json schema)/i.test(
        text,
      ),
    code: 'grammar_refused',
    message: ({ host, text }) => `${host.name} refused the grammar of the reply: ${text}`,
    advice: 'Send again. If it happens again, choose another model for this session.',
  },
  {
    matches: ({ text }) => /jinja|chat template|unable to generate parser|roles must alternate/i.test(text),
    code: 'template_refused',
    message: ({ host, model, text }) => `The template of ${model} on ${host.name} refuses this: ${text}`,
    advice: 'Start a new session, or choose another model.',
  },
];

/** The request itself was refused, not this person or this moment. */
const ofTheRequest: ReadonlySet<number> = new Set([400, 415, 422, 501]);

/**
 * A host may refuse a grammar, or one beside tools, in words that nobody foresaw. The step is then asked with less of one, and
 * at last without: what else was wrong is told by that.
 */
export const blamingGrammar = (error: unknown, { format }: Pick<ModelRequest, 'format'>): unknown =>
  format !== undefined &&
  error instanceof HostRefusal &&
  error.code === 'engine_refused' &&
  ofTheRequest.has(error.status)
    ? new HostRefusal(error.status, 'grammar_refused', error.message, error.advice)
    : error;

/** A status that is no success. `body` may be anything. */
export function describeRefusal(host: AskedHost, model: string, status: number, body: string): AndironError {
  const refusal = toRefusal(host, model, status, parseError(body) ?? { message: body });
  return (
    describeKnown(refusal) ??
    new HostRefusal(
      status,
      'engine_refused',
      asSentence(`${host.name} refused the request (${status}): ${refusal.text}`),
      status >= 500
        ? 'Send again; if it happens again, restart that host.'
        : 'Choose another model or profile for this session, then send again.',
    )
  );
}

/** An error in the place of a chunk: some hosts begin to answer before they look at the request. */
export function describeErrorChunk(host: AskedHost, model: string, fields: HostError): AndironError {
  const { code } = fields;
  const status = typeof code === 'number' && code >= 400 && code < 600 ? code : 500;
  const refusal = toRefusal(host, model, status, fields);
  return (
    describeKnown(refusal) ??
    new HostRefusal(
      status,
      'engine_refused',
      asSentence(`${host.name} broke the answer off: ${refusal.text}`),
      'What came so far is kept. Send the message again to go on.',
    )
  );
}

/** What came instead of an answer, or cut it: refused connections, resets, names that nobody knows. */
export function describeBreak(host: AskedHost, error: unknown, answered: boolean): AndironError {
  if (error instanceof AndironError) return error;
  if (error instanceof UnreadableAnswer) return unreadable(host, error.what);
  const why = host.hide(reasonOf(error));
  return answered
    ? new AndironError(
        'stream_cut',
        asSentence(`The connection to ${host.name} broke: ${why}`),
        'What came so far is kept. Send the message again to go on.',
      )
    : new AndironError(
        'engine_unavailable',
        `${host.name} does not answer at ${host.url} (${why}).`,
        'Start it, or add it with its new address in Settings, Engine, then send again.',
      );
}

/** `sample`: what stands there, of which the beginning is told. */
export function unreadable(host: AskedHost, what: string, sample = ''): AndironError {
  const shown = excerpt(host.hide(sample), 120);
  return new AndironError(
    'stream_broken',
    `The answer of ${host.name} could not be read: ${what}${shown === '' ? '' : `: ${shown}`}.`,
    'What came before is kept. If it happens again, restart that host.',
  );
}

/** undefined = no error of any known shape. */
export function parseError(text: string): HostError | undefined {
  try {
    return errorBodySchema.safeParse(parseJson(text)).data;
  } catch {
    // No JSON: the caller tells the text as it came.
    return undefined;
  }
}

function describeKnown(refusal: Refusal): AndironError | undefined {
  const known = knownRefusals.find((each) => each.matches(refusal));
  return (
    known && new HostRefusal(refusal.status, known.code, asSentence(known.message(refusal)), known.advice)
  );
}

function toRefusal(host: AskedHost, model: string, status: number, fields: HostError): Refusal {
  const code = typeof fields.code === 'string' ? fields.code : undefined;
  const text = excerpt(host.hide(fields.message), 300);
  return { host, model, status, text, type: code ?? fields.type ?? '', fields };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A name with several addresses fails with an error without words.
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}
