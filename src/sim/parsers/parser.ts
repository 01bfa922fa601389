import type { JsonObject, ThinkingState, Tool } from '../render/index.ts';

export interface ParsedCall {
  name: string;
  arguments: JsonObject;
  /** Only the native path gives its calls an id. */
  id?: string;
}

/** What a piece of generated text means. Empty parts say nothing. */
export interface Parsed {
  content: string;
  thinking: string;
  calls: ParsedCall[];
}

/** Generated text that Ollama cannot read; its message is the error a client gets. */
export class ParseFailure extends Error {}

/** Turns generated text into thinking, content and tool calls as Ollama's parser of the family does. */
export interface ReplyParser {
  /** `isLast` = the runner's final event: whatever is held back comes out or is lost. */
  add(text: string, isLast: boolean): Parsed;
}

export interface ParserContext {
  tools: readonly Tool[];
  /** How the prompt ends. */
  thinking: ThinkingState;
}

export const nothingParsed = (): Parsed => ({ content: '', thinking: '', calls: [] });

/** Length of the longest end of `text` that could begin `tag`. */
export function overlap(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length--) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}

/** The text up to which nothing can change any more: without a partial `tag` and the whitespace before it. */
export function settledBefore(text: string, tag: string): string {
  return text.slice(0, text.length - overlap(text, tag)).trimEnd();
}
