/**
 * A flowchart as people write it, in the one form that the library reads without losing anything: an arrow a line, boxes with
 * names that it cannot mistake, labels without signs. null = something in it would be drawn wrongly, or not at all.
 */
import { hidden } from './label-signs.ts';

interface Box {
  /** What opens and closes its label. */
  shape: readonly [open: string, close: string];
  label: string;
}

interface Statement {
  line?: string;
  boxes: string[];
  arrows: { from: string; to: string; link: string }[];
}

const header = /^(?:graph|flowchart)(?:[ \t]+(TB|TD|BT|RL|LR))?[ \t]*(?:;|\n|$)/i;
/** What only colours, and what only a page with scripts could do. */
const dropped = /^(?:style|linkStyle|classDef|class|click|accTitle|accDescr)\b/;

const plain: Box['shape'] = ['[', ']'];
/** The longer ones first. Each with how it is drawn, where that has another shape. */
const shapes: readonly (readonly [open: string, close: string, drawn?: Box['shape']])[] = [
  ['(((', ')))'],
  ['([', '])'],
  ['((', '))'],
  ['[[', ']]'],
  ['[(', ')]'],
  ['[/', '/]', plain],
  ['[/', '\\]'],
  ['[\\', '\\]', plain],
  ['[\\', '/]'],
  ['{{', '}}'],
  ['[', ']'],
  ['(', ')'],
  ['{', '}'],
  ['>', ']'],
];

export interface Flowchart {
  text: string;
  /** So many are to be seen when it is drawn. */
  boxes: number;
  arrows: number;
  groups: number;
}

export function plainFlowchart(source: string): Flowchart | null {
  const [whole, direction = 'TB'] = header.exec(source) ?? [];
  if (whole === undefined) return null;
  const reader = new FlowchartReader();
  for (const text of statementsOf(source.slice(whole.length))) {
    if (dropped.test(text)) continue;
    if (!reader.read(text)) return null;
  }
  return reader.write(direction.toUpperCase());
}

/** A line may have several, and a label may have what parts them. */
function statementsOf(source: string): string[] {
  const statements: string[] = [];
  let [text, depth, isQuoted] = ['', 0, false];
  for (const sign of `${source}\n`) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && '([{'.includes(sign)) depth += 1;
    else if (!isQuoted && ')]}'.includes(sign)) depth -= 1;
    if (sign === '\n' || (sign === ';' && depth <= 0 && !isQuoted)) {
      if (text.trim() !== '') statements.push(text.trim());
      [text, depth, isQuoted] = ['', 0, false];
    } else text += sign;
  }
  return statements;
}

class FlowchartReader {
  readonly #boxes = new Map<string, Box>();
  readonly #groups = new Set<string>();
  readonly #statements: Statement[] = [];
  #open = 0;

  /** False where it says what cannot be drawn. */
  read(text: string): boolean {
    const group = /^subgraph(?:\s+(.*))?$/.exec(text);
    if (group) return this.#begin(group[1] ?? '');
    if (text === 'end') {
      this.#open -= 1;
      this.#statements.push({ line: 'end', boxes: [], arrows: [] });
      return this.#open >= 0;
    }
    if (/^direction\s+(?:TB|TD|BT|RL|LR)$/.test(text)) {
      this.#statements.push({ line: text, boxes: [], arrows: [] });
      return true;
    }
    const statement = this.#chain(new Cursor(text));
    if (statement) this.#statements.push(statement);
    return statement !== null;
  }

  #begin(rest: string): boolean {
    const [, name = rest, label = rest] = /^([^\s["]+)\s*\[(.*)\]$/.exec(rest) ?? [];
    this.#open += 1;
    const id = unquoted(name);
    this.#groups.add(id);
    this.#statements.push({
      line: `subgraph ${this.#nameOf(id)} [${hidden(unquoted(label))}]`,
      boxes: [],
      arrows: [],
    });
    return true;
  }

  /** "A --> B & C --> D": each of one side leads to each of the other. */
  #chain(cursor: Cursor): Statement | null {
    let before = this.#boxesAt(cursor);
    if (!before) return null;
    const statement: Statement = { boxes: [...before], arrows: [] };
    while (!cursor.isAtEnd) {
      const link = linkAt(cursor);
      const after = link === null ? null : this.#boxesAt(cursor);
      if (link === null || !after) return null;
      for (const from of before) for (const to of after) statement.arrows.push({ from, to, link });
      statement.boxes.push(...after);
      before = after;
    }
    return statement;
  }

  #boxesAt(cursor: Cursor): string[] | null {
    const names: string[] = [];
    do {
      const name = cursor.take(/\s*([\p{L}\p{N}_]+(?:[-.](?=[\p{L}\p{N}_])[\p{L}\p{N}_]+)*)/uy)?.[1];
      if (name === undefined) return null;
      const box = boxAt(cursor);
      if (box === null) return null;
      if (box || !this.#boxes.has(name)) this.#boxes.set(name, box ?? { shape: plain, label: name });
      names.push(name);
      cursor.take(/:::[\w-]+/y);
    } while (cursor.take(/\s*&/y));
    cursor.take(/\s+/y);
    return names;
  }

  #nameOf(name: string): string {
    const known = this.#names.get(name) ?? `n${String(this.#names.size)}`;
    this.#names.set(name, known);
    return known;
  }
  readonly #names = new Map<string, string>();

  write(direction: string): Flowchart | null {
    if (this.#open !== 0 || this.#boxes.size === 0) return null;
    const lines = this.#statements.flatMap(({ line, boxes, arrows }) => [
      ...(line === undefined ? [] : [line]),
      ...boxes.filter((name) => !this.#groups.has(name)).map((name) => this.#write(name)),
      ...arrows.map(({ from, to, link }) => `${this.#nameOf(from)} ${link} ${this.#nameOf(to)}`),
    ]);
    return {
      text: [`flowchart ${direction}`, ...lines].join('\n'),
      boxes: [...this.#boxes.keys()].filter((name) => !this.#groups.has(name)).length,
      groups: this.#groups.size,
      arrows: this.#statements.reduce((sum, { arrows }) => sum + arrows.length, 0),
    };
  }

  #write(name: string): string {
    const { shape, label } = this.#boxes.get(name) ?? { shape: plain, label: name };
    return `${this.#nameOf(name)}${shape[0]}${hidden(label)}${shape[1]}`;
  }
}

/** undefined = it has no label here; null = it has one that cannot be read. */
function boxAt(cursor: Cursor): Box | null | undefined {
  if (cursor.isAt('@{')) return null;
  const mayBe = shapes.filter(([open]) => cursor.isAt(open));
  for (const [open, close, drawn] of mayBe) {
    const label = cursor.between(open, close);
    if (label !== null) return { shape: drawn ?? [open, close], label: unquoted(label) };
  }
  return mayBe.length === 0 ? undefined : null;
}

const bare = /\s*(<?)(?:(-{2,})|(={2,})|(-\.+-))(>?)(?![-=.>]|[ox]\s)\s*(?:\|([^|]*)\|)?/y;
const worded =
  /\s*(<?)(?:(--)|(==)|(-\.))(?![-=.>])\s*("[^"]*"|[^"\n]*?)\s*(?:-{2,}|={2,}|\.+-)(>?)(?![-=.>ox])/y;

/** As the library writes it; how long an arrow is drawn is left to the layout. */
function linkAt(cursor: Cursor): string | null {
  const found = cursor.take(
    bare,
    ([, , dashes, thick, , head]) => !/^(?:--|==)$/.test(dashes ?? thick ?? '') || head === '>',
  );
  const [, back, dashes, thick, , head, label] = found ?? [];
  if (found) return writeLink({ back, head, label, line: thick ? '=' : dashes ? '-' : '.' });
  const [, wordsBack, lines, thickLines, , words, wordsHead] = cursor.take(worded) ?? [];
  if (words === undefined) return null;
  return writeLink({
    back: wordsBack,
    head: wordsHead,
    label: words,
    line: thickLines ? '=' : lines ? '-' : '.',
  });
}

interface Link {
  back: string | undefined;
  head: string | undefined;
  label: string | undefined;
  line: '-' | '=' | '.';
}

const lines = { '-': ['-->', '---'], '=': ['==>', '==='], '.': ['-.->', '-.-'] } as const;

function writeLink({ back, head, label = '', line }: Link): string | null {
  if (back === '<' && head !== '>') return null;
  const [arrow, open] = lines[line];
  const words = unquoted(label.trim());
  return `${back ?? ''}${head === '>' ? arrow : open}${words === '' ? '' : `|${hidden(words)}|`}`;
}

function unquoted(label: string): string {
  const text = label.trim();
  return /^".*"$/s.test(text) ? text.slice(1, -1).trim() : text;
}

class Cursor {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  isAt(sign: string): boolean {
    return this.#text.startsWith(sign, this.#at);
  }

  take(pattern: RegExp, isMeant: (found: RegExpExecArray) => boolean = () => true): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found || !isMeant(found)) return null;
    this.#at += found[0].length;
    return found;
  }

  /** What stands between them; in quotes nothing ends it. */
  between(open: string, close: string): string | null {
    const from = this.#at + open.length;
    const quoted = /\s*"[^"]*"\s*/y;
    quoted.lastIndex = from;
    const inQuotes = quoted.exec(this.#text)?.[0];
    const end = inQuotes === undefined ? this.#text.indexOf(close, from) : from + inQuotes.length;
    if (end === -1 || !this.#text.startsWith(close, end)) return null;
    this.#at = end + close.length;
    return this.#text.slice(from, end);
  }
}
