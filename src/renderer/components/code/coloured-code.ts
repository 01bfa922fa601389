/**
 * Code that may still grow, as lines in groups. A finished line is plain at once and coloured when the worker has
 * answered; a full group that did not change is never rendered again.
 */
import type { Highlighter } from './highlighter.ts';
import { plainLines, type CodeLine } from './tones.ts';

/** Lines are handed on in fixed groups, so that a finished group is never rendered again. */
export const groupSize = 40;
/** While code grows it is coloured at most this often. */
const pauseMs = 400;

export class ColouredCode {
  readonly #highlighter: Highlighter | null;
  readonly #language: string | null;
  readonly #after: (ms: number, callback: () => void) => () => void;
  readonly #listeners = new Set<() => void>();
  #groups: CodeLine[][] = [];
  #code = '';
  #growing = false;
  /** Text up to here stands in groups as whole lines. */
  #offset = 0;
  /** Text and lines up to here are coloured. */
  #colouredTo = 0;
  #colouredLines = 0;
  #state: number | null = null;
  #last: CodeLine = [];
  #busy = false;
  #version = 0;
  #callOff: (() => void) | null = null;
  /** Counts texts: an answer about another one is dropped. */
  #text = 0;

  constructor(
    highlighter: Highlighter | null,
    language: string | null,
    after: (ms: number, callback: () => void) => () => void,
  ) {
    this.#highlighter = highlighter;
    this.#language = language;
    this.#after = after;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  };

  readonly version = (): number => this.#version;

  /** Groups of lines; a full group keeps its identity from call to call until it is coloured. */
  read(code: string, growing: boolean): CodeLine[][] {
    this.#growing = growing;
    if (code !== this.#code) this.#take(code);
    const open = this.#groups.at(-1);
    if (!open || open.length >= groupSize) return [...this.#groups, [this.#last]];
    return [...this.#groups.slice(0, -1), [...open, this.#last]];
  }

  /** Asks for the colours that are missing; called after what was read is on screen. */
  readonly colour = (): void => {
    if (!this.#highlighter || this.#language === null || this.#busy || this.#callOff) return;
    const end = this.#growing ? this.#offset - 1 : this.#code.length;
    if (end <= this.#colouredTo || (this.#growing && this.#offset === 0)) return;
    if (this.#growing) {
      this.#callOff = this.#after(pauseMs, () => {
        this.#callOff = null;
        void this.#ask();
      });
    } else void this.#ask();
  };

  #take(code: string): void {
    if (!this.#continues(code)) this.#reset();
    this.#code = code;
    const known = this.#offset === 0 && !this.#growing && this.#language !== null;
    const lines = known ? this.#highlighter?.known(this.#language ?? '', code) : null;
    const end = code.lastIndexOf('\n') + 1;
    if (lines) {
      this.#colouredTo = code.length;
      this.#colouredLines = lines.length;
      for (const line of lines.slice(0, -1)) this.#append(line);
      this.#last = lines.at(-1) ?? [];
      this.#offset = end;
      return;
    }
    if (end > this.#offset) {
      for (const line of plainLines(code.slice(this.#offset, end - 1))) this.#append(line);
      this.#offset = end;
    }
    this.#last = plainLines(code.slice(this.#offset))[0] ?? [];
  }

  #continues(code: string): boolean {
    // The seam is enough: text that grows is the same text.
    const seam = this.#code.slice(Math.max(0, this.#offset - 32), this.#offset);
    return code.length >= this.#code.length && code.startsWith(seam, this.#offset - seam.length);
  }

  #append(line: CodeLine): void {
    const open = this.#groups.at(-1);
    if (!open || open.length >= groupSize) this.#groups.push([line]);
    // A group that is still open gets a new identity, because it reads differently now.
    else this.#groups[this.#groups.length - 1] = [...open, line];
  }

  async #ask(): Promise<void> {
    if (!this.#highlighter || this.#language === null) return;
    const text = this.#text;
    const from = this.#colouredTo;
    const whole = !this.#growing;
    const to = whole ? this.#code.length : this.#offset - 1;
    if (to <= from) return;
    this.#busy = true;
    const piece = this.#code.slice(from, to);
    const begins = from === 0;
    const coloured = await this.#highlighter.colour(this.#language, piece, begins ? null : this.#state);
    this.#busy = false;
    if (text !== this.#text) {
      this.colour();
      return;
    }
    if (!coloured) {
      // The worker no longer knows the lines before: once more from the beginning.
      if (!begins && this.#state !== null) this.#begin();
      return;
    }
    this.#callOff = this.#highlighter.whenIdle(() => {
      this.#callOff = null;
      if (text === this.#text) this.#apply(coloured.lines, coloured.state, to, whole);
    });
  }

  #begin(): void {
    this.#colouredTo = 0;
    this.#colouredLines = 0;
    this.#state = null;
    this.colour();
  }

  #apply(lines: CodeLine[], state: number | null, to: number, whole: boolean): void {
    const touched = new Set<number>();
    for (const [place, line] of lines.entries()) {
      const at = this.#colouredLines + place;
      const group = this.#groups[Math.floor(at / groupSize)];
      if (group && at % groupSize < group.length) {
        const index = Math.floor(at / groupSize);
        if (!touched.has(index)) this.#groups[index] = [...group];
        touched.add(index);
        this.#groups[index]?.splice(at % groupSize, 1, line);
      } else if (whole && to === this.#code.length) this.#last = line;
    }
    this.#state = state;
    // Behind the line break, where the next line begins.
    this.#colouredTo = to === this.#code.length ? to : to + 1;
    this.#colouredLines += lines.length;
    if (whole && to === this.#code.length && this.#language !== null) {
      this.#highlighter?.remember(this.#language, this.#code, [...this.#groups.flat(), this.#last]);
    }
    this.#notify();
    this.colour();
  }

  #notify(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }

  #stop(): void {
    this.#callOff?.();
    this.#callOff = null;
  }

  #reset(): void {
    this.#stop();
    this.#text += 1;
    this.#groups = [];
    this.#code = '';
    this.#offset = 0;
    this.#colouredTo = 0;
    this.#colouredLines = 0;
    this.#state = null;
  }
}
