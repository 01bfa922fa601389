/**
 * JSON as small models write it. Mended is only what can have one meaning: a trailing comma, single quotes, Python's
 * words, key names without quotes, raw line breaks and stray backslashes in a text, closing brackets missing at the end.
 * A text that is still open, a number that may go on, a key that comes twice: refused.
 */
const maxDepth = 32;

/** Characters that may still be looked at. Shared by all attempts on one reply, so that a hostile one ends. */
export interface Budget {
  left: number;
}

export type LooseValue =
  { ok: true; value: unknown; end: number; mended: string[] } | { ok: false; why: 'cut' | 'bad' };

/** `endMark`: what may stand where closing brackets are missing, besides the end of the text; a sticky pattern. */
export function readLooseJson(text: string, start: number, budget: Budget, endMark?: RegExp): LooseValue {
  return attempt(text, start, budget, (reader) => reader.value(), endMark);
}

/** Runs a reading that may give up anywhere. */
export function attempt(
  text: string,
  start: number,
  budget: Budget,
  read: (reader: LooseReader) => unknown,
  endMark?: RegExp,
): LooseValue {
  if (budget.left <= 0) return { ok: false, why: 'bad' };
  const reader = new LooseReader(text, start, endMark);
  try {
    const value = read(reader);
    return { ok: true, value, end: reader.at, mended: [...reader.mended] };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, why: reader.at >= text.length ? 'cut' : 'bad' };
    throw error;
  } finally {
    budget.left -= reader.at - start + 1;
  }
}

class Unreadable extends Error {}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const literals: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
]);

export class LooseReader {
  at: number;
  readonly mended = new Set<string>();
  readonly #text: string;
  readonly #endMark: RegExp | undefined;
  /** A number at the very end may have been cut in the middle. */
  #mayGoOn = false;

  constructor(text: string, start: number, endMark?: RegExp) {
    this.#text = text;
    this.at = start;
    this.#endMark = endMark;
  }

  value(depth = 0): unknown {
    if (depth > maxDepth) this.fail();
    this.space();
    this.#mayGoOn = false;
    const char = this.#text[this.at];
    if (char === '{') return this.#object(depth);
    if (char === '[') return this.#array(depth);
    if (char === '"' || char === "'") return this.#string(char);
    return this.#match(/-?\d/y, false) === undefined ? this.#literal() : this.#number();
  }

  /** True and past it, when the text goes on with it after white space. */
  take(mark: string): boolean {
    this.space();
    if (!this.#text.startsWith(mark, this.at)) return false;
    this.at += mark.length;
    return true;
  }

  name(): string {
    this.space();
    return this.#match(/[\p{L}_$][\w$.-]*/uy) ?? this.fail();
  }

  /** `path=` before a value, as in Python. */
  keyword(): string | undefined {
    this.space();
    const key = this.#match(/[A-Za-z_]\w{0,63}\s{0,20}=(?!=)/y);
    return key?.slice(0, -1).trimEnd();
  }

  space(): void {
    this.#match(/\s+/y);
  }

  fail(): never {
    throw new Unreadable();
  }

  #object(depth: number): Record<string, unknown> {
    this.at += 1;
    const entries = new Map<string, unknown>();
    while (!this.#closes('}', entries.size > 0)) {
      this.space();
      const quote = this.#text[this.at];
      const key = quote === '"' || quote === "'" ? this.#string(quote) : this.#bareKey();
      if (entries.has(key) || !this.take(':')) this.fail();
      entries.set(key, this.value(depth + 1));
    }
    // Unlike an assignment this also keeps a key named __proto__ a key.
    return Object.fromEntries(entries);
  }

  #array(depth: number): unknown[] {
    this.at += 1;
    const values: unknown[] = [];
    while (!this.#closes(']', values.length > 0)) values.push(this.value(depth + 1));
    return values;
  }

  /** Past the bracket, or past the comma before the next entry. */
  #closes(bracket: string, afterEntry: boolean): boolean {
    if (this.take(bracket)) {
      this.#mayGoOn = false;
      return true;
    }
    if (!afterEntry) return false;
    if (this.take(',')) {
      if (!this.take(bracket)) return false;
      this.mended.add('dropped a comma too many');
      this.#mayGoOn = false;
      return true;
    }
    if (!this.#isOver()) this.fail();
    this.mended.add('added the missing closing brackets');
    return true;
  }

  #isOver(): boolean {
    this.space();
    if (this.at >= this.#text.length) return !this.#mayGoOn;
    return this.#endMark !== undefined && this.#match(this.#endMark, false) !== undefined;
  }

  #bareKey(): string {
    this.mended.add('put the key names in quotes');
    return this.name();
  }

  #string(quote: string): string {
    const fence = this.#text.startsWith(quote.repeat(3), this.at) ? quote.repeat(3) : quote;
    if (fence !== '"') this.mended.add('read other quotes as JSON quotes');
    this.at += fence.length;
    let value = '';
    while (!this.#text.startsWith(fence, this.at)) {
      const plain = this.#match(/[^\\"'\p{Cc}]+/uy);
      value += plain ?? this.#oddCharacter(fence);
    }
    this.at += fence.length;
    return value;
  }

  #oddCharacter(fence: string): string {
    const char = this.#text[this.at] ?? this.fail();
    if (char === '\\') return this.#escape();
    if (char < ' ' && fence.length === 1) this.mended.add('kept raw line breaks in a text');
    this.at += 1;
    return char;
  }

  #escape(): string {
    const unicode = this.#match(/\\u[\da-fA-F]{4}/y);
    if (unicode !== undefined) return String.fromCharCode(Number.parseInt(unicode.slice(2), 16));
    const letter = this.#text[this.at + 1] ?? this.cut();
    const escaped = escapes[letter];
    // `\x41`, `\0` and the like mean something in other languages; `\d` and `\.` can only be a pattern.
    if (escaped === undefined && /[\w\s]/.test(letter) && !/[dDsSwWBAzZpPkK]/.test(letter)) this.fail();
    this.at += 2;
    if (escaped !== undefined) return escaped;
    this.mended.add('kept a stray backslash');
    return `\\${letter}`;
  }

  #number(): number {
    const written = this.#match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y) ?? this.fail();
    this.#mayGoOn = true;
    return Number(written);
  }

  #literal(): unknown {
    const word = this.#match(/[A-Za-z]+/y);
    if (word === undefined || !literals.has(word)) this.fail();
    if (/^[TFN]/.test(word)) this.mended.add(`read ${word} as JSON`);
    return literals.get(word);
  }

  cut(): never {
    this.at = this.#text.length;
    return this.fail();
  }

  /** The pattern must be sticky. */
  #match(pattern: RegExp, advance = true): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined && advance) this.at += found.length;
    return found;
  }
}
