import type { JsonObject, TemplateMarks } from '../render/index.ts';
import { scanJson } from '../wire/go-scan.ts';
import { nothingParsed, overlap } from './parser.ts';
import type { Parsed, ParsedCall, ParserContext, ReplyParser } from './parser.ts';

/**
 * The generic parser of models with a Go template: it looks for the mark that the template writes before
 * calls, then for JSON objects that name an offered tool. What it cannot read, and whatever follows a call,
 * is dropped without a word.
 */
export class GoTemplateParser implements ReplyParser {
  readonly #context: ParserContext;
  readonly #marks: TemplateMarks;
  readonly #thinking: ThinkingSplitter | undefined;
  #state: 'looking' | 'calls' | 'text';
  #buffer = '';
  #found = 0;

  constructor(context: ParserContext, marks: TemplateMarks, thinks: boolean) {
    this.#context = context;
    this.#marks = marks;
    this.#thinking =
      thinks && marks.thinking !== undefined ? new ThinkingSplitter(marks.thinking) : undefined;
    this.#state = context.tools.length > 0 ? 'looking' : 'text';
  }

  add(text: string, isLast: boolean): Parsed {
    const parsed = nothingParsed();
    const split = this.#thinking?.add(text) ?? { thinking: '', rest: text };
    parsed.thinking = split.thinking;
    if (this.#state === 'text') parsed.content = split.rest;
    else this.#read(split.rest, parsed);
    if (isLast && this.#state !== 'text') parsed.content += this.#leftOver();
    return parsed;
  }

  #read(text: string, parsed: Parsed): void {
    this.#buffer += text;
    if (this.#state === 'looking') this.#lookForMark(parsed);
    if (this.#state !== 'calls') return;
    for (let call = this.#nextCall(); call !== undefined; call = this.#nextCall()) {
      this.#found += 1;
      parsed.calls.push(call);
    }
  }

  #lookForMark(parsed: Parsed): void {
    const { call: mark } = this.#marks;
    const at = this.#buffer.indexOf(mark);
    const before =
      at >= 0
        ? this.#buffer.slice(0, at)
        : this.#buffer.slice(0, this.#buffer.length - overlap(this.#buffer, mark));
    // A bare brace is a call only at the very start: in the middle of prose it is prose.
    if (isBare(mark) && before.trim() !== '') {
      parsed.content += this.#buffer;
      this.#buffer = '';
      this.#state = 'text';
      return;
    }
    parsed.content += before;
    this.#buffer = this.#buffer.slice(before.length);
    if (at >= 0) this.#state = 'calls';
  }

  /** The next complete object that calls an offered tool; objects that do not are skipped. */
  #nextCall(): ParsedCall | undefined {
    for (;;) {
      const start = this.#buffer.indexOf('{');
      if (start < 0) return undefined;
      const scan = scanJson(this.#buffer.slice(start));
      if (scan.kind !== 'value') return undefined;
      const value = JSON.parse(this.#buffer.slice(start, start + scan.end)) as JsonObject;
      const call = this.#asCall(value);
      if (call === undefined && isBare(this.#marks.call)) return undefined;
      this.#buffer = this.#buffer.slice(start + scan.end);
      if (call !== undefined) return call;
    }
  }

  #asCall(value: JsonObject): ParsedCall | undefined {
    const { name } = value;
    const given = value['arguments'] ?? value['parameters'];
    const isOffered = this.#context.tools.some((tool) => tool.function.name === name);
    if (typeof name !== 'string' || !isOffered || !isObject(given)) return undefined;
    return { name, arguments: given };
  }

  /** JSON that turned out to be no call is shown after all, if the mark was only a brace. */
  #leftOver(): string {
    return this.#found === 0 && isBare(this.#marks.call) ? this.#buffer : '';
  }
}

const isBare = (mark: string): boolean => mark === '{' || mark === '[';

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Splits thinking between two marks off the start of a reply. */
class ThinkingSplitter {
  readonly #marks: [string, string];
  #state: 'start' | 'inside' | 'gap' | 'outside' = 'start';
  #buffer = '';

  constructor(marks: [string, string]) {
    this.#marks = marks;
  }

  add(text: string): { thinking: string; rest: string } {
    this.#buffer += text;
    const out = { thinking: '', rest: '' };
    while (this.#step(out));
    return out;
  }

  #step(out: { thinking: string; rest: string }): boolean {
    const [open, close] = this.#marks;
    if (this.#state === 'start') {
      const trimmed = this.#buffer.trimStart();
      if (trimmed.startsWith(open)) {
        this.#buffer = trimmed.slice(open.length).trimStart();
        this.#state = 'inside';
      } else if (open.startsWith(trimmed)) return false;
      else this.#state = 'outside';
      return true;
    }
    if (this.#state === 'inside') {
      const at = this.#buffer.indexOf(close);
      const end = at < 0 ? this.#buffer.length - overlap(this.#buffer, close) : at;
      out.thinking += this.#buffer.slice(0, end);
      this.#buffer = this.#buffer.slice(at < 0 ? end : at + close.length);
      if (at >= 0) this.#state = 'gap';
      return at >= 0;
    }
    if (this.#state === 'gap') {
      this.#buffer = this.#buffer.trimStart();
      if (this.#buffer === '') return false;
      this.#state = 'outside';
    }
    out.rest += this.#buffer;
    this.#buffer = '';
    return false;
  }
}
