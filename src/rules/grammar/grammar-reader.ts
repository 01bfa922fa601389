/**
 * Reads grammar rules as llama.cpp's grammar reader does, and says what it would refuse. Only what the conversion of a
 * pattern can contain: literals, classes, references, groups, alternatives and repetitions.
 */

/** What a repetition makes of an item: so many rules are too many. */
const maxRules = 2_000;
/** A larger bound counts as none. */
const maxCount = 2_000;

const escapes = new Set('trn\\"[]');
const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** The items at the end of a sequence that a repetition would cover. */
interface Last {
  /** Characters and references; 0 = nothing that could be repeated. */
  items: number;
  /** It is one reference to a rule with an empty alternative. */
  mayBeEmpty: boolean;
  /** How many rules it stands for. */
  rules: number;
}

const nothing: Last = { items: 0, mayBeEmpty: false, rules: 1 };
const one: Last = { items: 1, mayBeEmpty: false, rules: 1 };

/**
 * Null = it is taken. Each rule may refer to those before it and to the `known` ones, which are defined elsewhere and are
 * never empty.
 */
export function readRules(rules: ReadonlyMap<string, string>, known: readonly string[]): string | null {
  const emptiness = new Map(known.map((name) => [name, false]));
  const seen = new Set<string>();
  for (const [name, body] of rules) {
    const read = new Reader(body, emptiness, seen).read();
    if (typeof read === 'string') return read;
    emptiness.set(name, read.mayBeEmpty);
  }
  return null;
}

class Refused extends Error {}

class Reader {
  readonly #text: string;
  /** Whether a rule has an empty alternative, by its name. */
  readonly #emptiness: ReadonlyMap<string, boolean>;
  /** References count as rules the first time that they are seen. */
  readonly #seen: Set<string>;
  #at = 0;
  #rules = 0;

  constructor(text: string, emptiness: ReadonlyMap<string, boolean>, seen: Set<string>) {
    this.#text = text;
    this.#emptiness = emptiness;
    this.#seen = seen;
  }

  /** A text says what is wrong with it. */
  read(): string | { mayBeEmpty: boolean } {
    try {
      const mayBeEmpty = this.#alternatives();
      return this.#char === '' ? { mayBeEmpty } : this.#problem('unexpected text');
    } catch (error) {
      if (error instanceof Refused) return error.message;
      throw error;
    }
  }

  get #char(): string {
    return this.#text.charAt(this.#at);
  }

  #problem(what: string): string {
    return `${what} at ${this.#text.slice(this.#at, this.#at + 40)}`;
  }

  #refuse(what: string): never {
    throw new Refused(this.#problem(what));
  }

  #skipSpace(): void {
    while (/[ \t\r\n]/.test(this.#char)) this.#at += 1;
  }

  /** Returns whether one of them is empty. */
  #alternatives(): boolean {
    let hasEmpty = this.#sequence() === 0;
    while (this.#char === '|') {
      this.#at += 1;
      this.#skipSpace();
      hasEmpty = this.#sequence() === 0 || hasEmpty;
    }
    return hasEmpty;
  }

  /** Returns how many items it has. */
  #sequence(): number {
    let count = 0;
    let last = nothing;
    for (;;) {
      const item = this.#item();
      if (item !== null) {
        count += item.items;
        last = item;
      } else if (/[*+?{]/.test(this.#char)) {
        const before = last.items;
        last = this.#repetition(last);
        count += last.items - before;
      } else {
        return count;
      }
      this.#skipSpace();
    }
  }

  #item(): Last | null {
    if (this.#char === '"') return this.#literal();
    if (this.#char === '[') return this.#class();
    if (this.#char === '(') return this.#group();
    return /[a-zA-Z0-9-]/.test(this.#char) ? this.#reference() : null;
  }

  #literal(): Last {
    this.#at += 1;
    let items = 0;
    for (; this.#char !== '"'; items += 1) this.#oneChar();
    this.#at += 1;
    return { ...one, items };
  }

  #class(): Last {
    this.#at += 1;
    if (this.#char === '^') this.#at += 1;
    let items = 0;
    for (; this.#char !== ']'; items += 1) {
      this.#oneChar();
      if (this.#char !== '-' || this.#text.charAt(this.#at + 1) === ']') continue;
      this.#at += 1;
      this.#oneChar();
    }
    this.#at += 1;
    return { ...one, items };
  }

  #group(): Last {
    this.#at += 1;
    this.#skipSpace();
    const before = this.#rules;
    this.#rules += 1;
    const mayBeEmpty = this.#alternatives();
    if (this.#char !== ')') this.#refuse('expecting ")"');
    this.#at += 1;
    return { items: 1, mayBeEmpty, rules: this.#rules - before };
  }

  #reference(): Last {
    const [name = ''] = /^[a-zA-Z0-9-]+/.exec(this.#text.slice(this.#at)) ?? [];
    const mayBeEmpty = this.#emptiness.get(name);
    if (mayBeEmpty === undefined) this.#refuse('undefined rule');
    if (!this.#seen.has(name)) this.#rules += 1;
    this.#seen.add(name);
    this.#at += name.length;
    return { ...one, mayBeEmpty };
  }

  #oneChar(): void {
    if (this.#char === '') this.#refuse('unexpected end of input');
    const code = this.#text.codePointAt(this.#at) ?? 0;
    if (code === 0) this.#refuse('unexpected end of input');
    if (this.#char !== '\\') {
      this.#at += code > 0xff_ff ? 2 : 1;
      return;
    }
    const letter = this.#text.charAt(this.#at + 1);
    const digits = hexDigits[letter];
    const rest = this.#text.slice(this.#at + 2);
    if (digits !== undefined && !new RegExp(`^[0-9a-fA-F]{${String(digits)}}`).test(rest))
      this.#refuse(`expecting ${String(digits)} hex chars`);
    if (digits === undefined && !escapes.has(letter)) this.#refuse('unknown escape');
    this.#at += 2 + (digits ?? 0);
  }

  #repetition(last: Last): Last {
    const [sign = '', from, , to] = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})/.exec(this.#text.slice(this.#at)) ?? [];
    if (sign === '') this.#refuse('expecting an int');
    if (last.items === 0) this.#refuse('expecting preceding item');
    const [min, bound] = countsOf(sign, from, to);
    if (min > maxCount) this.#refuse('number of repetitions exceeds sane defaults');
    const max = bound > maxCount ? Infinity : bound;
    const times = max !== Infinity && max > 0 ? max : Math.max(min, 1);
    if (last.rules * times >= maxRules) this.#refuse('number of rules exceeds sane defaults');
    if (min > max) this.#refuse('repetitions without an end');
    if (max === Infinity && last.mayBeEmpty) this.#refuse('left recursion');
    this.#at += sign.length;
    this.#rules += max === Infinity ? 1 : max - min;
    const optional = max > min ? 1 : 0;
    return {
      items: last.items * min + optional,
      mayBeEmpty: min === 0,
      rules: last.rules * times,
    };
  }
}

function countsOf(sign: string, from: string | undefined, to: string | undefined): [number, number] {
  if (sign === '?') return [0, 1];
  if (sign === '*') return [0, Infinity];
  if (sign === '+') return [1, Infinity];
  const min = Number(from);
  return [min, sign.includes(',') ? (to ? Number(to) : Infinity) : min];
}
