/**
 * Reads Markdown that grows at its end: a block that later text cannot change is parsed once and keeps its identity,
 * so a long answer costs as much per token as a short one.
 */
import type { Links, Token, Tokens } from 'marked';
import { lexMarkdown, type Lexed, type LexedBlock, type LexRequest } from './lex.ts';
import { PlainText } from './plain-text.ts';

export interface Block {
  /** Place in the text; also its key. */
  start: number;
  token: Token;
  /** False while later text may still change it. */
  settled: boolean;
}

/** Who parses, and when. */
export interface MarkdownLexer {
  /** How much of the beginning of `source` may be parsed at once, in characters; 0 = nothing now. */
  reach: (source: string) => number;
  now: (request: LexRequest) => Lexed;
  /** In another thread; null = it took too long there. */
  later: (request: LexRequest) => Promise<Lexed | null>;
  after: (ms: number, callback: () => void) => () => void;
}

/** Parses everything at once: for tests, and wherever a page has no other thread. */
export const directLexer: MarkdownLexer = {
  reach: (source) => source.length,
  now: lexMarkdown,
  later: (request) => Promise.resolve(lexMarkdown(request)),
  after: () => () => undefined,
};

/** Blocks are handed on in parts of about this many characters, so that a long answer need not be in the page as a whole. */
const partLength = 2000;
/** Of a long text that much is parsed elsewhere at a time, and more where a single block is longer. */
const laterLength = 32_000;
/** After so many requests that took too long the rest of the text is plain for good. */
const maxFailures = 3;
/** For so long what is parsed already is shown alone; then what has come since stands below it as plain text. */
const patienceMs = 100;
/** A definition of a link counts for all of the text, also for what comes before it. */
const definition = /^ {0,3}\[[^\]\n]+\]:/m;

export class MarkdownReader {
  readonly #lexer: MarkdownLexer;
  readonly #onChange: () => void;
  #text = '';
  #complete = false;
  /** Full parts: each array and each block in it stays the same object. */
  #parts: Block[][] = [];
  /** Settled blocks of the part that is being filled. */
  #filling: Block[] = [];
  /** Where the first open block begins. */
  #offset = 0;
  #links: Links = {};
  /** Blocks that later text may change, as they were parsed last, when the text ended there. */
  #open: Block[] = [];
  #parsedTo = 0;
  /** Text that is parsed elsewhere; another one is begun when its answer has come. */
  #request: object | null = null;
  /** Where a block begins that is longer than what is parsed at a time, on this thread and elsewhere. */
  #longHere: number | null = null;
  #longThere: number | null = null;
  /** The newest text has waited for too long to be shown. */
  #isLate = false;
  #failures = 0;
  /** What is not parsed yet. */
  #tail: PlainText | null = null;

  /** `onChange` is called when what was read last reads differently now, without more text. */
  constructor(lexer: MarkdownLexer = directLexer, onChange: () => void = () => undefined) {
    this.#lexer = lexer;
    this.#onChange = onChange;
  }

  /** Parsing took too long too often: the rest of the text is plain for good. */
  get hasGivenUp(): boolean {
    return this.#failures >= maxFailures;
  }

  /** All blocks of `text`, which normally is the text of the last call and more. `complete`: nothing will follow. */
  read(text: string, complete: boolean): Block[] {
    return this.readParts(text, complete).flat();
  }

  /** The same in parts; only the last part differs from call to call. */
  readParts(text: string, complete: boolean): Block[][] {
    // The lexer folds carriage returns and would lose count of its place.
    const clean = text.includes('\r') ? text.replaceAll('\r', '') : text;
    if (!clean.startsWith(this.#text)) this.#reset();
    this.#text = clean;
    this.#complete = complete;
    this.#advance();
    return this.#shown();
  }

  #reset(): void {
    this.#parts = [];
    this.#filling = [];
    this.#offset = 0;
    this.#links = {};
    this.#open = [];
    this.#parsedTo = 0;
    // Its answer is about another text.
    this.#request = null;
    this.#longHere = null;
    this.#longThere = null;
    this.#isLate = false;
    this.#failures = 0;
    this.#tail = null;
  }

  /** Parses as much as may be parsed now, and has the rest parsed elsewhere. */
  #advance(): void {
    while (!this.hasGivenUp && !this.#request) {
      if (this.#isUpToDate()) {
        this.#isLate = false;
        return;
      }
      const before = this.#offset;
      const source = this.#text.slice(before);
      const reach = this.#lexer.reach(source);
      const isWhole = reach >= source.length;
      // A step that ends within what is parsed already would take back what is shown.
      const isStep = before + reach > this.#parsedTo && this.#longHere !== before;
      if (!isWhole && (!isStep || definition.test(source))) {
        void this.#askElsewhere(source);
        continue;
      }
      this.#take(this.#lexer.now(this.#requestFor(source, reach)), reach);
      if (!isWhole && this.#offset === before) this.#longHere = before;
    }
  }

  #isUpToDate(): boolean {
    const end = this.#text.length;
    return this.#offset === end || (this.#parsedTo === end && !this.#complete);
  }

  #requestFor(source: string, length: number): LexRequest {
    const isWhole = length >= source.length;
    return {
      source: isWhole ? source : source.slice(0, length),
      links: this.#links,
      complete: this.#complete && isWhole,
    };
  }

  async #askElsewhere(source: string): Promise<void> {
    const before = this.#offset;
    const isLong =
      source.length > laterLength &&
      before + laterLength > this.#parsedTo &&
      this.#longThere !== before &&
      !definition.test(source);
    const length = isLong ? laterLength : source.length;
    const request = {};
    this.#request = request;
    const callOff = this.#lexer.after(patienceMs, () => {
      if (this.#request !== request || this.#isLate) return;
      this.#isLate = true;
      this.#onChange();
    });
    const lexed = await this.#lexer.later(this.#requestFor(source, length));
    callOff();
    if (this.#request !== request) return;
    this.#request = null;
    if (lexed) this.#take(lexed, length);
    else this.#failures += 1;
    if (isLong && lexed && this.#offset === before) this.#longThere = before;
    this.#onChange();
  }

  /** Of `length` characters after the settled ones. */
  #take(lexed: Lexed, length: number): void {
    const from = this.#offset;
    const open = lexed.blocks.slice(lexed.settled);
    for (const block of lexed.blocks.slice(0, lexed.settled)) {
      for (const piece of drawable(block, from)) this.#settle(piece);
    }
    this.#parsedTo = from + lexed.end;
    const isCut = lexed.end < length;
    const [first] = open;
    // Nothing but a definition is no end yet: half of it must not be left behind.
    this.#offset = lexed.isComplete || isCut ? this.#parsedTo : from + (first?.at ?? 0);
    for (const { at, token } of lexed.definitions) if (from + at < this.#offset) this.#define(token);
    this.#open = open.flatMap((block, at) => {
      const mended = at === open.length - 1 && lexed.mended;
      return drawable(mended ? { ...block, pieces: mended } : block, from);
    });
    this.#tail = null;
  }

  #settle(block: Block): void {
    const first = this.#filling[0];
    if (first && block.start - first.start >= partLength) {
      this.#parts = [...this.#parts, this.#filling];
      this.#filling = [];
    }
    this.#filling = [...this.#filling, { ...block, settled: true }];
  }

  /** A definition counts from where it is settled: half an address must not stay. The first one of a name wins. */
  #define({ tag, href, title }: Tokens.Def): void {
    this.#links[tag] ??= { href, title };
  }

  /** Settled and open blocks, and below them as plain text what nobody has parsed yet. */
  #shown(): Block[][] {
    const open = this.hasGivenUp ? [] : this.#open;
    const parts = [...this.#parts];
    let part = [...this.#filling, ...open];
    for (const block of this.#plainTail()) {
      const first = part[0];
      if (first && block.start - first.start >= partLength) {
        parts.push(part);
        part = [];
      }
      part.push(block);
    }
    if (part.length > 0) parts.push(part);
    return parts;
  }

  #plainTail(): Block[] {
    const start = this.hasGivenUp ? this.#offset : this.#parsedTo;
    const text = this.#text.slice(start);
    // A few words more wait for a moment: they would jump when they are parsed.
    const waits = start > 0 && text.length < partLength && !this.#isLate && !this.hasGivenUp;
    if (waits || text.trim() === '') return [];
    if (this.#tail?.start !== start) this.#tail = new PlainText(start);
    return this.#tail.read(text).map((piece) => ({ ...piece, settled: false }));
  }
}

/** What is drawn of a block in a source that begins at `from`; one that is too large for Markdown is the text it is. */
function drawable({ pieces, isPlain }: LexedBlock, from: number): Block[] {
  const blocks = pieces.flatMap(({ at, token }) =>
    isPlain ? new PlainText(from + at).read(token.raw) : [{ start: from + at, token }],
  );
  return blocks.map((block) => ({ ...block, settled: false }));
}
