/*
 * What becomes of a `pattern` in the engine: its converter turns the regular expression into grammar text, and its grammar
 * reader reads that. Judged here on the pattern itself, in one pass; recorded against a real engine
 * (test/contract/grammars.test.ts).
 */

/**
 * `refused`: the grammar cannot be read. `errors`: the converter's own sentences. `stuck`: the runner never answers again.
 * `crash`: it ends.
 */
export type Verdict =
  | { kind: 'taken' }
  | { kind: 'refused' }
  | { kind: 'errors'; errors: string[] }
  | { kind: 'stuck' }
  | { kind: 'crash' };

/** A repetition that would make so many rules is refused, and a bound above it is none. */
export const TOO_MANY = 2_000;

/** One entry of a sequence, as far as a repetition behind it cares. */
interface Entry {
  /** Stands for nothing that could be repeated. */
  isVoid: boolean;
  /** As the grammar reader gets it, with its neighbours; null = no literal. */
  literal: string | null;
  isBar: boolean;
  /** A rule with an empty alternative: repeated without end, it would recurse into itself. */
  isNullable: boolean;
  /** Rules that it stands for. */
  weight: number;
}

const PLAIN: Entry = {
  isVoid: false,
  literal: null,
  isBar: false,
  isNullable: false,
  weight: 1,
};

/** Characters and escapes that the grammar reader knows. */
const READABLE = /^(?:[^\\]|\\[trn\\"[\]]|\\x[\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\U[\da-fA-F]{8})*$/;

class Ended extends Error {
  readonly verdict: Verdict;

  constructor(verdict: Verdict) {
    super(verdict.kind);
    this.verdict = verdict;
  }
}

export function judgePattern(pattern: string): Verdict {
  if (pattern.length === 0 || pattern.at(0) !== '^' || pattern.at(-1) !== '$') {
    return { kind: 'errors', errors: ["Pattern must start with '^' and end with '$'"] };
  }
  try {
    return new PatternJudge(pattern.slice(1, -1)).judge();
  } catch (error) {
    if (error instanceof Ended) return error.verdict;
    throw error;
  }
}

class PatternJudge {
  readonly #text: string;
  readonly #errors: string[] = [];
  #at = 0;
  #rules = 0;
  /** The grammar reader would stumble; the converter goes on and may still find errors of its own. */
  #isUnreadable = false;

  constructor(text: string) {
    this.#text = text;
  }

  judge(): Verdict {
    this.#sequence();
    if (this.#errors.length > 0) return { kind: 'errors', errors: this.#errors };
    return { kind: this.#isUnreadable ? 'refused' : 'taken' };
  }

  /** Up to the closing bracket, which it takes, or to the end; whether one of its alternatives is empty. */
  #sequence(): boolean {
    const entries: Entry[] = [];
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at);
      if (char === ')') {
        this.#at += 1;
        break;
      }
      if (char === ']' || char === '}') throw new Ended({ kind: 'stuck' });
      if (char === '(') this.#group(entries);
      else if (char === '[') entries.push(this.#class());
      else if (char === '.') entries.push(this.#take(PLAIN));
      else if (char === '|') entries.push(this.#take({ ...PLAIN, isVoid: true, isBar: true }));
      else if (char === '{') this.#counted(entries);
      else if ('*+?'.includes(char)) this.#signed(entries, char);
      else entries.push(this.#literal());
    }
    this.#checkLiterals(entries);
    return hasEmptyAlternative(entries);
  }

  #take(entry: Entry): Entry {
    this.#at += 1;
    return entry;
  }

  #group(entries: Entry[]): void {
    const opening = this.#text.slice(this.#at, this.#at + 3);
    if (opening.startsWith('(?') && opening !== '(?:') {
      this.#skipLookAround();
      return;
    }
    this.#at += opening === '(?:' ? 3 : 1;
    const before = this.#rules;
    this.#rules += 1;
    const isNullable = this.#sequence();
    entries.push({ ...PLAIN, isNullable, weight: this.#rules - before });
  }

  /** It is ignored with all that is in it. */
  #skipLookAround(): void {
    let depth = 1;
    for (this.#at += 1; this.#at < this.#text.length && depth > 0; this.#at += 1) {
      const char = this.#text.charAt(this.#at);
      if (char === '\\') this.#at += 1;
      else if (char === '(') depth += 1;
      else if (char === ')') depth -= 1;
    }
  }

  #class(): Entry {
    const inside = /^\[((?:\\[^]|[^\]\\])*)(\]?)/.exec(this.#text.slice(this.#at));
    const [whole = '[', content = '', end = ''] = inside ?? [];
    this.#at += whole.length;
    if (end === '') {
      this.#errors.push('Unbalanced square brackets');
      this.#at = this.#text.length;
    }
    const chars = content.replace(/^\^/, '');
    this.#checkChars(chars);
    return { ...PLAIN, isVoid: chars === '' };
  }

  #literal(): Entry {
    let taken = '';
    while (this.#at < this.#text.length) {
      const [char, next] = [this.#text.charAt(this.#at), this.#text.charAt(this.#at + 1)];
      if (char === '\\' && next !== '') {
        // Signs of a pattern lose their backslash on the way to the grammar.
        if (!'^$.[](){}|*+?'.includes(next)) taken += char + next;
        else taken += 'x';
        this.#at += 2;
      } else if (char === '\\') {
        this.#isUnreadable = true;
        this.#at += 1;
      } else if (char === '"' || (!isOperator(char) && (taken === '' || next === '.' || !isOperator(next)))) {
        taken += char;
        this.#at += 1;
      } else {
        break;
      }
    }
    return { ...PLAIN, literal: taken };
  }

  /** Neighbours are one text by then. */
  #checkLiterals(entries: readonly Entry[]): void {
    let text = '';
    for (const { literal } of [...entries, PLAIN]) {
      if (literal === null) this.#checkChars(text);
      text = literal === null ? '' : text + literal;
    }
  }

  /** As the grammar reader takes them, in a literal or in a class. */
  #checkChars(chars: string): void {
    const isReadable = READABLE.test(chars) && !chars.includes('\0');
    if (!isReadable) this.#isUnreadable = true;
  }

  #signed(entries: Entry[], sign: string): void {
    const last = entries.pop();
    if (last === undefined) throw new Ended({ kind: 'crash' });
    this.#at += 1;
    entries.push(this.#repeated(last, sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity));
  }

  #counted(entries: Entry[]): void {
    const inside = /^\{([^}]*)(\}?)/.exec(this.#text.slice(this.#at));
    const [whole = '{', content = '', end = ''] = inside ?? [];
    this.#at += whole.length;
    if (end === '') this.#errors.push('Unbalanced curly brackets');
    const [from = '', to, ...more] = content.split(',');
    if (more.length > 0) {
      this.#errors.push('Wrong number of values in curly brackets');
    } else if (
      to === undefined ? !isNumber(from) : [from, to].some((text) => text !== '' && !isNumber(text))
    ) {
      this.#errors.push('Invalid number in curly brackets');
      throw new Ended({ kind: 'errors', errors: this.#errors });
    }
    const min = from === '' || more.length > 0 ? 0 : Number.parseInt(from, 10);
    const max = to === undefined ? min : to === '' || more.length > 0 ? Infinity : Number.parseInt(to, 10);
    const last = entries.pop();
    if (last === undefined) throw new Ended({ kind: 'crash' });
    if (max === 0) return;
    // What is no literal gets a rule of its own, which may be empty only where it is nothing but a bar.
    const alone = last.literal !== null ? last : { ...PLAIN, isNullable: last.isBar };
    entries.push(this.#repeated(alone, min, max));
  }

  #repeated(entry: Entry, min: number, bound: number): Entry {
    const { literal, isVoid } = entry;
    // Of a character beyond ASCII only the last byte would be repeated.
    const isTorn = literal !== null && literal.charCodeAt(literal.length - 1) > 0x7f;
    if (isVoid || isTorn) this.#isUnreadable = true;
    this.#checkChars(literal ?? '');
    const weight = repeatedWeight(entry.weight, min, bound);
    if (weight === 'endless') throw new Ended({ kind: 'stuck' });
    const max = bound > TOO_MANY ? Infinity : bound;
    if (weight === 'refused' || (max === Infinity && entry.isNullable)) this.#isUnreadable = true;
    this.#rules += max === Infinity ? 1 : max - min;
    return { ...PLAIN, isNullable: min === 0, weight: typeof weight === 'number' ? weight : 1 };
  }
}

function hasEmptyAlternative(entries: readonly Entry[]): boolean {
  let isEmpty = true;
  for (const { isBar, isVoid } of entries) {
    if (isBar && isEmpty) return true;
    if (isBar) isEmpty = true;
    else if (!isVoid) isEmpty = false;
  }
  return isEmpty;
}

const isNumber = (text: string): boolean => /^\s*[+-]?\d/.test(text);

const isOperator = (char: string): boolean => char !== '' && '|.()[]{}*+?'.includes(char);

/** How many rules an item of that weight stands for once it is repeated; `endless`: the runner never gets through. */
export function repeatedWeight(weight: number, min: number, bound: number): number | 'refused' | 'endless' {
  const max = bound > TOO_MANY ? Infinity : bound;
  const times = max === Infinity || max <= 0 ? Math.max(min, 1) : max;
  if (min > TOO_MANY || weight * times >= TOO_MANY) return 'refused';
  return min > max ? 'endless' : weight * times;
}
