/** The pieces of one reply, put together: text as it comes, calls by their index, reasoning under its own name. */
import { parseJson } from '../../protocol/json.ts';
import type { CallDelta, Chunk, Delta } from './openai-schemas.ts';
import type { ExtraFields, ReplyCounters, ReplyEvent } from './provider.ts';

/** K1: whatever a host calls it. */
const reasoningField = /reasoning|thinking|thought/i;

interface CallParts {
  id: string;
  name: string;
  args: string;
}

type Prose = Extract<ReplyEvent, { type: 'thinking' | 'text' }>;
type CallEvent = Extract<ReplyEvent, { type: 'call' }>;
type DoneEvent = Extract<ReplyEvent, { type: 'done' }>;

export class ReplyAssembly {
  /** In the order of their first piece. */
  readonly #calls = new Map<number, CallParts>();
  readonly #extra: ExtraFields = {};
  #lastIndex = -1;
  #begun = false;
  #model: string | undefined;
  #reason: string | undefined;
  #counters: ReplyCounters = {
    promptTokens: null,
    cachedTokens: null,
    outputTokens: null,
    promptMs: null,
    outputMs: null,
    loadMs: null,
  };

  /** As the host names the model that answers. */
  get model(): string | undefined {
    return this.#model;
  }

  /** A first chunk may name no more than the role, before the prompt is read. */
  get begun(): boolean {
    return this.#begun;
  }

  get callCount(): number {
    return this.#calls.size;
  }

  /** `written`: characters that this chunk added, those of calls included; 0 = nothing that shows life. */
  add(chunk: Chunk): { events: Prose[]; written: number } {
    this.#model ??= chunk.model;
    this.#counters = mergeCounters(this.#counters, chunk);
    const [choice] = chunk.choices;
    this.#reason = choice?.finish_reason ?? this.#reason;
    const delta = choice?.delta ?? {};
    const prose: Prose[] = this.#reasoning(delta).map((text) => ({ type: 'thinking', text }));
    if (delta.content) prose.push({ type: 'text', text: delta.content });
    const spoken = prose.reduce((sum, { text }) => sum + text.length, 0);
    const called = (delta.tool_calls ?? []).reduce((sum, piece) => sum + this.#addToCall(piece), 0);
    this.#begun ||= spoken > 0 || this.#calls.size > 0 || this.#reason !== undefined;
    return { events: prose, written: spoken + called };
  }

  /** Only once the host has ended the reply: before that no call is known to be whole. */
  finish(): (CallEvent | DoneEvent)[] {
    const calls = [...this.#calls.values()].map(toCall);
    const done: DoneEvent = {
      type: 'done',
      reason: this.#reason === 'length' ? 'length' : 'stop',
      counters: this.#counters,
      ...(this.#model !== undefined && { model: this.#model }),
      ...(Object.keys(this.#extra).length > 0 && { extra: this.#extra }),
    };
    return [...calls, done];
  }

  /** The new thoughts of a piece. What a host sends twice, under an old name and a new one, is shown once. */
  #reasoning(delta: Delta): string[] {
    const texts = new Set<string>();
    for (const [field, value] of Object.entries(delta)) {
      if (!reasoningField.test(field) || value === null || value === '') continue;
      this.#extra[field] = joined(this.#extra[field], value);
      const text = textIn(value);
      if (text !== '') texts.add(text);
    }
    return [...texts];
  }

  #addToCall({ index, id, function: part }: CallDelta): number {
    const at = index ?? (id || part?.name ? this.#lastIndex + 1 : Math.max(this.#lastIndex, 0));
    const call = this.#calls.get(at) ?? { id: '', name: '', args: '' };
    const name = part?.name ?? '';
    const args = part?.arguments ?? '';
    // Most send name and id once; some repeat them with every piece.
    this.#calls.set(at, { id: call.id || (id ?? ''), name: call.name || name, args: call.args + args });
    this.#lastIndex = Math.max(this.#lastIndex, at);
    return name.length + args.length;
  }
}

function toCall({ id, name, args }: CallParts): CallEvent {
  const read = readArguments(args);
  return {
    type: 'call',
    name,
    id: id === '' ? undefined : id,
    args: read ?? {},
    ...(read === undefined && { unread: args }),
  };
}

/** undefined = no JSON object. Nothing at all is how hosts write the call of a tool without arguments. */
function readArguments(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = parseJson(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // The model's mistake: the caller is told the text as it is.
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function joined(before: unknown, piece: unknown): unknown {
  if (typeof before === 'string' && typeof piece === 'string') return before + piece;
  if (Array.isArray(before) && Array.isArray(piece)) {
    // A list of this reply alone: copied with every piece, a long one would take minutes.
    for (const part of piece as unknown[]) before.push(part);
    return before;
  }
  return piece;
}

/** The readable part of a thought that is a list or an object: the parts are called `text`, `summary` or `content`. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).join('');
  if (!isRecord(value)) return '';
  return textIn(value['text'] ?? value['summary'] ?? value['content']);
}

/** An absent count stays unknown. llama-server's own timings say more than its usage, and come without being asked for. */
function mergeCounters(known: ReplyCounters, { usage, timings }: Chunk): ReplyCounters {
  const { cache_n: cached, prompt_n: read } = timings ?? {};
  const prompt = cached === undefined || read === undefined ? undefined : cached + read;
  return {
    promptTokens: usage?.prompt_tokens ?? prompt ?? known.promptTokens,
    cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? cached ?? known.cachedTokens,
    outputTokens: usage?.completion_tokens ?? timings?.predicted_n ?? known.outputTokens,
    promptMs: timings?.prompt_ms ?? known.promptMs,
    outputMs: timings?.predicted_ms ?? known.outputMs,
    loadMs: null,
  };
}
