import type { Json, JsonObject } from '../render/index.ts';
import { nothingParsed, overlap, settledBefore } from './parser.ts';
import type { Parsed, ParsedCall, ReplyParser } from './parser.ts';

const CHANNEL = '<|channel>';
const CHANNEL_END = '<channel|>';
const CALL = '<|tool_call>';
const CALL_END = '<tool_call|>';
const QUOTE = '<|"|>';
const THOUGHT_LABEL = 'thought\n';

type State = 'content' | 'thinking' | 'call';

/**
 * Replies of the gemma4 parser: thinking in a channel, calls in a notation of their own. A broken call is
 * dropped without a word, and one that the reply ends in comes out with its arguments cut short.
 */
export class GemmaParser implements ReplyParser {
  #state: State = 'content';
  #buffer = '';
  #labelPending = false;

  add(text: string, isLast: boolean): Parsed {
    this.#buffer += text;
    const parsed = nothingParsed();
    while (this.#step(parsed));
    if (isLast) this.#flush(parsed);
    return parsed;
  }

  #step(parsed: Parsed): boolean {
    switch (this.#state) {
      case 'content':
        return this.#content(parsed);
      case 'thinking':
        return this.#thinking(parsed);
      case 'call': {
        const end = this.#buffer.indexOf(CALL_END);
        if (end < 0) return false;
        this.#take(parsed, this.#buffer.slice(0, end));
        this.#buffer = this.#buffer.slice(end + CALL_END.length);
        this.#state = 'content';
        return true;
      }
    }
  }

  #content(parsed: Parsed): boolean {
    const next = [CHANNEL, CALL]
      .map((tag) => ({ tag, at: this.#buffer.indexOf(tag) }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => a.at - b.at)[0];
    const held = Math.max(overlap(this.#buffer, CHANNEL), overlap(this.#buffer, CALL));
    const end = next?.at ?? this.#buffer.length - held;
    parsed.content += this.#buffer.slice(0, end);
    this.#buffer = this.#buffer.slice(end + (next?.tag.length ?? 0));
    if (next === undefined) return false;
    this.#state = next.tag === CALL ? 'call' : 'thinking';
    this.#labelPending = next.tag === CHANNEL;
    return true;
  }

  #thinking(parsed: Parsed): boolean {
    if (this.#labelPending) {
      if (this.#buffer.length < THOUGHT_LABEL.length && THOUGHT_LABEL.startsWith(this.#buffer)) return false;
      if (this.#buffer.startsWith(THOUGHT_LABEL)) this.#buffer = this.#buffer.slice(THOUGHT_LABEL.length);
      this.#labelPending = false;
    }
    const end = this.#buffer.indexOf(CHANNEL_END);
    if (end >= 0) {
      parsed.thinking += this.#buffer.slice(0, end).trimEnd();
      this.#buffer = this.#buffer.slice(end + CHANNEL_END.length).trimStart();
      this.#state = 'content';
      return true;
    }
    const settled = settledBefore(this.#buffer, CHANNEL_END);
    parsed.thinking += settled;
    this.#buffer = this.#buffer.slice(settled.length);
    return false;
  }

  #flush(parsed: Parsed): void {
    if (this.#state === 'call') this.#take(parsed, this.#buffer);
    else if (this.#state === 'content') parsed.content += this.#buffer;
    this.#buffer = '';
  }

  #take(parsed: Parsed, text: string): void {
    const call = parseGemmaCall(text);
    if (call !== undefined) parsed.calls.push(call);
  }
}

/** `call:name{key:<|"|>text<|"|>,other:3}`; a missing end is forgiven, anything else is no call. */
function parseGemmaCall(text: string): ParsedCall | undefined {
  const match = /^\s*call:([^{\s]+)\{/.exec(text);
  if (match?.[1] === undefined) return undefined;
  const reader = new ValueReader(text.slice(match[0].length));
  return { name: match[1], arguments: reader.object() };
}

/** Reads the notation of values; the end of the text ends whatever is open. */
class ValueReader {
  #rest: string;

  constructor(text: string) {
    this.#rest = text;
  }

  object(): JsonObject {
    const entries: JsonObject = {};
    while (this.#rest !== '') {
      this.#rest = this.#rest.replace(/^[\s,]+/, '');
      if (this.#skip('}')) break;
      const key = /^[^:{}]*/.exec(this.#rest)?.[0] ?? '';
      this.#rest = this.#rest.slice(key.length);
      if (!this.#skip(':')) break;
      entries[key.trim().replaceAll(QUOTE, '')] = this.#value();
    }
    return entries;
  }

  #value(): Json {
    if (this.#skip(QUOTE)) return this.#upTo(QUOTE);
    if (this.#skip('{')) return this.object();
    if (this.#skip('[')) return this.#array();
    const word = /^[^,}\]]*/.exec(this.#rest)?.[0] ?? '';
    this.#rest = this.#rest.slice(word.length);
    return literal(word.trim());
  }

  #array(): Json[] {
    const values: Json[] = [];
    while (this.#rest !== '') {
      this.#rest = this.#rest.replace(/^[\s,]+/, '');
      if (this.#rest === '' || this.#skip(']')) break;
      values.push(this.#value());
    }
    return values;
  }

  #upTo(end: string): string {
    const at = this.#rest.indexOf(end);
    const text = at < 0 ? this.#rest : this.#rest.slice(0, at);
    this.#rest = at < 0 ? '' : this.#rest.slice(at + end.length);
    return text;
  }

  #skip(text: string): boolean {
    if (!this.#rest.startsWith(text)) return false;
    this.#rest = this.#rest.slice(text.length);
    return true;
  }
}

function literal(word: string): Json {
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'null') return null;
  return word !== '' && Number.isFinite(Number(word)) ? Number(word) : word;
}
