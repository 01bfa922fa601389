/** The contract between the loop and whatever answers it. Nothing here knows Ollama. */
import type { Attachment } from '../../protocol/attachments.ts';
import type { PromptOrigin } from '../../protocol/mcp-offers.ts';
import type { LoadPlan } from '../../protocol/model.ts';
import type { AssumedTokens } from '../../rules/budget.ts';
import type { RequestPurpose, UsageEntry } from '../../protocol/usage-methods.ts';
import type { Grammar } from '../../rules/grammar/schema.ts';
import type { ToolSchema } from '../tools/tool.ts';

/** A call as the model made it: arguments stay as they came, only execution repairs them. */
export interface ModelCall {
  /** Inside: the model's own id or `tool_` + 12 hex (P14). On the wire the provider maps it to nine letters or digits. */
  id: string;
  name: string;
  args: Record<string, unknown>;
}

/** A file of a message, where the model's tools find it; an image goes out with the message to models that see. */
export interface SentFile extends Pick<Attachment, 'id' | 'name' | 'kind' | 'mime' | 'from'> {
  /** Real and absolute. */
  path: string;
}

/** The log: append-only and byte-identical when sent again. There is no `system` role here. */
export type ContextMessage =
  | {
      role: 'user';
      content: string;
      /** Characters of it that are the opening, at its beginning; absent = none are, or it is older than this was kept. */
      opening?: number | undefined;
      files?: SentFile[] | undefined;
      /** The prompt of a server that it began as. */
      from?: PromptOrigin | undefined;
    }
  | {
      role: 'assistant';
      content: string;
      thinking: string;
      calls: ModelCall[];
      /** Fields of the reply that its provider wants back as they came (Q22); from the `done` event. */
      extra?: ExtraFields | undefined;
    }
  | {
      role: 'tool';
      callId: string;
      tool: string;
      content: string;
      /** Pictures of the result. */
      files?: SentFile[] | undefined;
    };

/** A message that pictures may go out with. */
export type Illustrated = Exclude<ContextMessage, { role: 'assistant' }>;

export function imagesOf(message: ContextMessage): SentFile[] {
  return message.role === 'assistant' ? [] : (message.files ?? []).filter(({ kind }) => kind === 'image');
}

/** For a model that cannot see it. */
export const imageInWords = ({ name }: Pick<SentFile, 'name'>): string => `[image: ${name}]`;

/** Reasoning by the name of the field that it came in (K1). Text as a rule; some providers send lists. */
export type ExtraFields = Record<string, unknown>;

/** A function of persona and profile alone; its bytes are stored with the session. */
export interface PromptHead {
  system: string;
  tools: { name: string; description: string; schema: ToolSchema }[];
}

export interface Sampling {
  temperature?: number | undefined;
  top_p?: number | undefined;
  top_k?: number | undefined;
  seed?: number | undefined;
}

/** What the model's template does to history decides what is worth sending (docs/engine.md, Templates). */
export interface HistoryPolicy {
  /** Send the model's own thinking back. Costs nothing where it is dropped, saves the turn where it is kept. */
  echoThinking: boolean;
  /** Send the text that stood beside a call. Some templates move it, some lose the call over it. */
  textBesideCall: boolean;
  /** Send each call in a message of its own, its result right behind it: some templates show only one per message. */
  oneCallPerMessage?: boolean | undefined;
  /** Write the tools into the system text and send no `tools`: some templates lose these, or never show them. */
  toolsInSystem?: boolean | undefined;
  /** Send calls as the assistant's text and results as the user's: some templates show neither as what they are. */
  callsAsText?: boolean | undefined;
  /** Open the first user message with the system text: some templates lose a system message on the way. */
  systemInFirstUser?: boolean | undefined;
}

/** One more model that may answer in the place of the one before it (F9, N3). */
export interface ModelCandidate {
  /** Id of a host in `hosts.json`, or the engine's own. */
  host: string;
  /** As the host itself calls it. */
  model: string;
  /** Left out = as the request says. */
  history?: HistoryPolicy | undefined;
}

export interface ModelRequest {
  /** What the tokens of it are counted for; no part of what is sent. */
  purpose: RequestPurpose;
  /** Where the engine answers; from the lease. */
  url: string;
  model: string;
  history: HistoryPolicy;
  /** A call in the very last line may be half of one. */
  mayHalveCalls: boolean;
  head: PromptHead;
  messages: ContextMessage[];
  plan: LoadPlan;
  /** undefined = left out: the model's own default. Fixed per session. */
  think: boolean | string | undefined;
  sampling: Sampling;
  /** Output reserve: the most tokens this reply may have. */
  maxOutputTokens: number;
  timeouts: { firstTokenMs: number; idleMs: number };
  /** What the whole reply must follow; left out = free. Costs no prefix: a grammar is not part of the prompt. */
  format?: Grammar | undefined;
  /**
   * In order of preference, for the router alone; left out = `model` and nobody else. Of the engine's own
   * models only `model` may be among them: any other has no lease.
   */
  candidates?: readonly ModelCandidate[] | undefined;
}

/** What a reply is made of, in the order of arrival. */
export type ReplyEvent =
  /** The first line came: prefill is over. */
  | { type: 'opened'; model?: string | undefined }
  | { type: 'thinking'; text: string }
  | { type: 'text'; text: string }
  | {
      type: 'call';
      name: string;
      args: Record<string, unknown>;
      id: string | undefined;
      /** The arguments as they were written, where they are no JSON object; `args` is then empty. Never to be run. */
      unread?: string | undefined;
    }
  | {
      type: 'done';
      /** `length`: the reply ended before it was complete, so its calls may be incomplete too. */
      reason: 'stop' | 'length';
      counters: ReplyCounters;
      /** Who really answered (F9), as `ModelInfo.name` would be; left out = the model that was asked. */
      model?: string | undefined;
      /** By which name it was asked, where a host answers by another; left out = the model that was asked. */
      asked?: string | undefined;
      /** For the message of this reply in the log (Q22). */
      extra?: ExtraFields | undefined;
    };

/** Tokens and milliseconds as the engine counted them; null = it did not say. */
export interface ReplyCounters {
  promptTokens: number | null;
  cachedTokens: number | null;
  outputTokens: number | null;
  promptMs: number | null;
  outputMs: number | null;
  loadMs: number | null;
}

export interface Provider {
  /**
   * Streams one reply. Ends after `done`; throws AndironError for every failure of engine, wire or guard, and
   * `cancelled` after the signal. A stream that ends with neither `done` nor error throws `stream_cut`.
   * The connection is closed before the iterator settles.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ReplyEvent>;
}

/** A request of which the model has seen something. Figures are null where nobody counted. */
export interface CountedRequest extends Omit<UsageEntry, 'id' | 'userId' | 'sessionId' | 'turnId' | 'at'> {
  /** What a stopped one is taken to have cost its person, for nobody has counted it: else a Stop would make it free. */
  assumed?: AssumedTokens;
}

/** Must not throw: a request that was answered stays answered. */
export type CountRequest = (request: CountedRequest) => void;

/** Counts what it is asked. Whoever may ask a model is given one of these, so that nothing is left out of the usage log. */
export interface MeteredProvider extends Provider {
  readonly isMetered: true;
}
