/**
 * A pattern as llama.cpp's converter turns it into grammar rules, in the text that its grammar reader gets. Known of that
 * converter: it reads byte by byte and knows groups, classes, alternatives, repetitions and literals. It drops look-arounds,
 * hands everything in brackets and most escapes on unread, and never comes back from a bracket that closes nothing.
 */

/** `rules`: the bodies by name, each behind those that it refers to. */
export type Converted = { rules: ReadonlyMap<string, string> } | { problem: string };

/** An item of a sequence: literals next to each other become one text in quotes. */
interface Item {
  text: string;
  isLiteral: boolean;
}

/** Escaped in a pattern, and plain in the text of a literal. */
const signs = new Set('^$.[](){}|*+?');
/** They end a literal. */
const operators = new Set('|.()[]{}*+?');

export function convertPattern(pattern: string, name: string): Converted {
  if (pattern.length < 2 || !pattern.startsWith('^') || !pattern.endsWith('$'))
    return { problem: `the pattern ${pattern} does not begin with ^ and end with $` };
  const converter = new Converter(pattern.slice(1, -1), name);
  try {
    return { rules: converter.convert() };
  } catch (error) {
    if (error instanceof Unconvertible) return { problem: `${error.message} in the pattern ${pattern}` };
    throw error;
  }
}

class Unconvertible extends Error {}

class Converter {
  readonly #pattern: string;
  readonly #name: string;
  readonly #rules = new Map<string, string>();
  /** Names of what was repeated before, by its body. */
  readonly #repeated = new Map<string, string>();
  #at = 0;

  constructor(pattern: string, name: string) {
    this.#pattern = pattern;
    this.#name = name;
  }

  convert(): ReadonlyMap<string, string> {
    const body = this.#alternatives();
    return new Map([...this.#rules, [this.#name, `"\\"" (${body}) "\\"" space`]]);
  }

  get #char(): string {
    return this.#pattern.charAt(this.#at);
  }

  get #isOver(): boolean {
    return this.#at >= this.#pattern.length;
  }

  /** Up to the bracket that closes them, or to the end. */
  #alternatives(): string {
    const items: Item[] = [];
    while (!this.#isOver) {
      switch (this.#char) {
        case ')':
          this.#at += 1;
          return joined(items);
        case '(':
          this.#group(items);
          break;
        case '[':
          items.push(this.#class());
          break;
        case ']':
        case '}':
          throw new Unconvertible(`nothing is closed by ${this.#char}, and an engine hangs on it`);
        case '.':
          this.#at += 1;
          this.#rules.set('dot', String.raw`[^\x0A\x0D]`);
          items.push({ text: 'dot', isLiteral: false });
          break;
        case '|':
          this.#at += 1;
          items.push({ text: '|', isLiteral: false });
          break;
        case '*':
        case '+':
        case '?':
          this.#repeat(items, this.#char);
          break;
        case '{':
          this.#count(items);
          break;
        default:
          items.push(this.#literal());
      }
    }
    return joined(items);
  }

  #group(items: Item[]): void {
    if (this.#pattern.startsWith('(?:', this.#at)) this.#at += 3;
    else if (this.#pattern.startsWith('(?', this.#at)) throw new Unconvertible('a look-around is ignored');
    else this.#at += 1;
    items.push({ text: `(${this.#alternatives()})`, isLiteral: false });
  }

  #class(): Item {
    const from = this.#at;
    this.#at += 1;
    while (!this.#isOver && this.#char !== ']') this.#at += this.#char === '\\' ? 2 : 1;
    if (this.#isOver) throw new Unconvertible('a class has no end');
    this.#at += 1;
    return { text: this.#pattern.slice(from, this.#at), isLiteral: false };
  }

  #repeat(items: Item[], sign: string): void {
    const last = items.pop();
    if (!last) throw new Unconvertible(`nothing stands before ${sign}`);
    checkWhole(last);
    this.#at += 1;
    items.push({ text: written(last) + sign, isLiteral: false });
  }

  /** What is repeated a number of times gets a rule of its own, unless it is a literal. */
  #count(items: Item[]): void {
    const last = items.pop();
    const [whole = '', from = '', comma = '', to = ''] =
      /^\{(\d*)(,?)(\d*)\}/.exec(this.#pattern.slice(this.#at)) ?? [];
    if (!last || whole === '' || (from === '' && to === ''))
      throw new Unconvertible(`the count at ${this.#pattern.slice(this.#at)} cannot be read`);
    checkWhole(last);
    this.#at += whole.length;
    const min = Number(from);
    const max = comma === '' ? min : to === '' ? Infinity : Number(to);
    if (max === 0 || min > max) throw new Unconvertible(`the count ${whole} makes no sense`);
    const item = last.isLiteral ? written(last) : this.#ruleOf(last.text);
    items.push({ text: item + counted(min, max), isLiteral: false });
  }

  #ruleOf(body: string): string {
    const name = this.#repeated.get(body) ?? `${this.#name}-${String(this.#repeated.size + 1)}`;
    this.#repeated.set(body, name);
    this.#rules.set(name, body);
    return name;
  }

  #literal(): Item {
    let text = '';
    while (!this.#isOver) {
      const char = this.#char;
      const next = this.#pattern.charAt(this.#at + 1);
      if (char === '\\') {
        if (next === '') throw new Unconvertible('the last backslash escapes nothing');
        text += signs.has(next) ? next : char + next;
        this.#at += 2;
      } else if (char === '"') {
        text += String.raw`\"`;
        this.#at += 1;
      } else if (operators.has(char)) {
        break;
      } else if (text !== '' && next !== '' && next !== '.' && operators.has(next)) {
        // The next sign may be meant for this character alone.
        break;
      } else {
        text += char;
        this.#at += 1;
      }
    }
    return { text, isLiteral: true };
  }
}

/** A repetition covers the last byte of a literal, which is only a part of any character beyond ASCII. */
function checkWhole({ text, isLiteral }: Item): void {
  if (isLiteral && text.charCodeAt(text.length - 1) > 0x7f)
    throw new Unconvertible(`a repetition tears the last character of ${text}`);
}

const written = ({ text, isLiteral }: Item): string => (isLiteral ? `"${text}"` : text);

function joined(items: readonly Item[]): string {
  const merged: Item[] = [];
  for (const item of items) {
    const last = merged.at(-1);
    if (item.isLiteral && last?.isLiteral) last.text += item.text;
    else merged.push({ ...item });
  }
  return merged.map(written).join(' ');
}

function counted(min: number, max: number): string {
  if (min === 0 && max === 1) return '?';
  if (max === Infinity) return ['*', '+'][min] ?? `{${String(min)},}`;
  return `{${String(min)},${String(max)}}`;
}
