/** Foreign texts for a terminal, which obeys control characters: every hidden one is written out. */
import { visibleText } from '../rules/visible-text/visible-text.ts';

/** Characters of one word that are held back; longer ones are written in pieces. */
const maxHeld = 1_000;

/**
 * A text that arrives in pieces. What a sign is can depend on the signs beside it, so a word is written once it is whole,
 * and of a writing without blanks each sign once the next one is there.
 */
export class TerminalStream {
  readonly #write: (text: string) => void;
  #held = '';

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  add(text: string): void {
    this.#held += text;
    const whole = this.#held.length > maxHeld ? this.#held.length - 1 : lastBreak(this.#held);
    // The other half of a character may still come.
    const end = isHighSurrogate(this.#held.charCodeAt(whole - 1)) ? whole - 1 : whole;
    if (end <= 0) return;
    this.#write(visibleText(this.#held.slice(0, end)));
    this.#held = this.#held.slice(end);
  }

  /** Writes what was held back. */
  end(): void {
    const rest = this.#held;
    this.#held = '';
    if (rest !== '') this.#write(visibleText(rest));
  }
}

/** Chinese and Japanese are written without blanks. None of these changes what stands before it. */
const unspaced = /[[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]&&\p{Lo}]/gv;

/** Behind the last plain blank or line end, or before the last sign of a writing without blanks; 0 = there is none. */
function lastBreak(text: string): number {
  const blank = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1;
  let sign = 0;
  for (const { index } of text.matchAll(unspaced)) sign = index;
  return Math.max(blank, sign);
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;

/** Several lines, each behind a mark that no text can draw itself: nothing in it passes for words of Andiron. */
export function quoted(text: string): string {
  return visibleText(text)
    .split('\n')
    .map((line) => `  | ${line}`)
    .join('\n');
}

/** The same JSON in plain ASCII, where a terminal would obey or hide some of its characters. */
export function plainJson(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
