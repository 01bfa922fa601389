import { harmonyNames, type JsonObject } from '../render/index.ts';
import { scanJson } from '../wire/go-scan.ts';
import { nothingParsed, overlap, ParseFailure } from './parser.ts';
import type { Parsed, ParsedCall, ParserContext, ReplyParser } from './parser.ts';

const START = '<|start|>';
const MESSAGE = '<|message|>';
const END = '<|end|>';

type State = 'between' | 'header' | 'thinking' | 'content' | 'call';

/** The prompt ends behind "assistant", unless its last message is to be gone on with. */
const BEGINNINGS = { open: 'thinking', free: 'header', closed: 'content' } as const;

/**
 * Replies of gpt-oss: messages with a header that names their channel. A call comes out with the end of the
 * reply; a second one is added to the first, which nobody can read any more.
 */
export class HarmonyParser implements ReplyParser {
  /** Offered tools by the name under which the model sees them. */
  readonly #tools: ReadonlyMap<string, string>;
  #state: State;
  #buffer = '';
  #called: string | undefined;
  #arguments = '';

  constructor(context: ParserContext) {
    const names = context.tools.map((tool) => tool.function.name);
    const seen = harmonyNames(names);
    this.#tools = new Map(names.map((name, position) => [seen[position] ?? name, name]));
    this.#state = BEGINNINGS[context.thinking];
  }

  add(text: string, isLast: boolean): Parsed {
    this.#buffer += text;
    const parsed = nothingParsed();
    while (this.#step(parsed));
    if (isLast && this.#called !== undefined) parsed.calls.push(this.#call(this.#called));
    return parsed;
  }

  #step(parsed: Parsed): boolean {
    const tag = { between: START, header: MESSAGE, thinking: END, content: END, call: END }[this.#state];
    const at = this.#buffer.indexOf(tag);
    const isHeader = this.#state === 'header';
    if (isHeader && at < 0) return false;
    const end = at < 0 ? this.#buffer.length - overlap(this.#buffer, tag) : at;
    const settled = this.#buffer.slice(0, end);
    this.#buffer = this.#buffer.slice(at < 0 ? end : at + tag.length);
    if (isHeader) {
      this.#open(settled);
      return true;
    }
    if (this.#state === 'thinking') parsed.thinking += settled;
    if (this.#state === 'content') parsed.content += settled;
    if (this.#state === 'call') this.#arguments += settled;
    if (at >= 0) this.#state = this.#state === 'between' ? 'header' : 'between';
    return at >= 0;
  }

  #open(header: string): void {
    const recipient = /\bto=([^\s<]+)/.exec(header)?.[1];
    if (recipient !== undefined) {
      this.#called = recipient.replace(/^functions\./, '');
      this.#state = 'call';
    } else this.#state = header.includes('<|channel|>analysis') ? 'thinking' : 'content';
  }

  #call(name: string): ParsedCall {
    const problem = problemOf(this.#arguments);
    if (problem !== undefined) {
      throw new ParseFailure(`error parsing tool call: raw='${this.#arguments}', err=${problem}`);
    }
    return { name: this.#tools.get(name) ?? name, arguments: JSON.parse(this.#arguments) as JsonObject };
  }
}

/** What Go's decoder says to a text that is not one JSON value. */
function problemOf(json: string): string | undefined {
  const scan = scanJson(json);
  if (scan.kind === 'error') return scan.message;
  if (scan.kind === 'incomplete') return 'unexpected end of JSON input';
  const rest = json.slice(scan.end).trim();
  return rest === '' ? undefined : `invalid character '${rest.charAt(0)}' after top-level value`;
}
