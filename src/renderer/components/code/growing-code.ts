/** Colours code that grows at its end: a finished line is tokenised once, the last one each time. */
import type { CodeLine, LineState, Tokenizer } from './highlighter.ts';

/** Lines are handed on in fixed groups, so that a finished group is never rendered again. */
export const groupSize = 40;

export class GrowingCode {
  readonly #tokenizer: Tokenizer;
  #groups: CodeLine[][] = [];
  /** Text up to here is tokenised; always the start of a line. */
  #offset = 0;
  #done = '';
  #state: LineState | undefined;

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
  }

  /** Groups of lines; a full group keeps its identity from call to call. */
  read(code: string): CodeLine[][] {
    if (!code.startsWith(this.#done)) this.#reset();
    const end = code.lastIndexOf('\n') + 1;
    if (end > this.#offset) {
      const { lines, state } = this.#tokenizer.lines(code.slice(this.#offset, end - 1), this.#state);
      this.#append(lines);
      this.#state = state;
      this.#offset = end;
      this.#done = code.slice(0, end);
    }
    const last = this.#tokenizer.lines(code.slice(this.#offset), this.#state).lines;
    const open = this.#groups.at(-1);
    if (!open || open.length >= groupSize) return [...this.#groups, last];
    return [...this.#groups.slice(0, -1), [...open, ...last]];
  }

  #append(lines: CodeLine[]): void {
    for (const line of lines) {
      const open = this.#groups.at(-1);
      if (!open || open.length >= groupSize) this.#groups.push([line]);
      // A group that is still open gets a new identity, because it reads differently now.
      else this.#groups[this.#groups.length - 1] = [...open, line];
    }
  }

  #reset(): void {
    this.#groups = [];
    this.#offset = 0;
    this.#done = '';
    this.#state = undefined;
  }
}

/** The same groups without colours, for code of no known language or before its grammar is there. */
export function plainGroups(code: string): CodeLine[][] {
  const lines = code.split('\n').map((text): CodeLine => [{ text, tone: null }]);
  const groups: CodeLine[][] = [];
  for (let at = 0; at < lines.length; at += groupSize) groups.push(lines.slice(at, at + groupSize));
  return groups;
}
