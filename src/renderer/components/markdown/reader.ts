/**
 * Reads markdown that grows at its end: a block that later text cannot change is parsed once and keeps its identity,
 * so a long answer costs as much per token as a short one (design 11).
 */
import { Lexer, type Links, type Token, type Tokens } from 'marked';
import { mend } from './mend.ts';

export interface Block {
  /** Place in the text; also its key. */
  start: number;
  token: Token;
  /** False while later text may still change it. */
  settled: boolean;
}

interface Definition {
  start: number;
  token: Tokens.Def;
}

/** How many of the last blocks stay open: a list or table can still swallow what looks like the block after it. */
const openBlocks = 2;

/** Blocks are handed on in parts of about this many characters, so that a long answer need not be in the page as a whole. */
const partLength = 2000;

export class MarkdownReader {
  /** Full parts: each array and each block in it stays the same object. */
  #parts: Block[][] = [];
  /** Settled blocks of the part that is being filled. */
  #filling: Block[] = [];
  /** Where the first open block begins. */
  #offset = 0;
  /** The end of the settled text, to notice when another text is read. */
  #seam = '';
  #links: Links = {};

  /** All blocks of `text`, which normally is the text of the last call and more. `complete`: nothing will follow. */
  read(text: string, complete: boolean): Block[] {
    return this.readParts(text, complete).flat();
  }

  /** The same in parts; only the last part differs from call to call. */
  readParts(text: string, complete: boolean): Block[][] {
    // The lexer folds carriage returns and would lose count of its place.
    const clean = text.includes('\r') ? text.replaceAll('\r', '') : text;
    if (!this.#continues(clean)) this.#reset();

    const { blocks, definitions } = this.#lex(clean.slice(this.#offset), this.#offset);
    const open = complete ? [] : blocks.splice(Math.max(0, blocks.length - openBlocks));
    for (const block of blocks) this.#settle(block);
    // Nothing but a definition is no end yet: half of it must not be left behind.
    this.#moveTo(complete ? clean.length : (open[0]?.start ?? this.#offset), clean);
    for (const definition of definitions) if (definition.start < this.#offset) this.#define(definition.token);

    const last = [...this.#filling, ...this.#mendLast(open)];
    return last.length > 0 ? [...this.#parts, last] : this.#parts;
  }

  #continues(text: string): boolean {
    return text.length >= this.#offset && text.startsWith(this.#seam, this.#offset - this.#seam.length);
  }

  #reset(): void {
    this.#parts = [];
    this.#filling = [];
    this.#offset = 0;
    this.#seam = '';
    this.#links = {};
  }

  #settle(block: Block): void {
    const first = this.#filling[0];
    if (first && block.start - first.start >= partLength) {
      this.#parts = [...this.#parts, this.#filling];
      this.#filling = [];
    }
    this.#filling = [...this.#filling, { ...block, settled: true }];
  }

  #moveTo(offset: number, text: string): void {
    if (offset === this.#offset) return;
    this.#offset = offset;
    this.#seam = text.slice(Math.max(0, offset - 32), offset);
  }

  /** A definition counts from where it is settled: half an address must not stay. The first one of a name wins. */
  #define({ tag, href, title }: Tokens.Def): void {
    this.#links[tag] ??= { href, title };
  }

  /** Blocks of `source` that show something, placed by the length of what each token covers. */
  #lex(source: string, offset: number): { blocks: Block[]; definitions: Definition[] } {
    const lexer = new Lexer({ gfm: true });
    Object.assign(lexer.tokens.links, this.#links);
    const blocks: Block[] = [];
    const definitions: Definition[] = [];
    let start = offset;
    for (const token of lexOrPlain(lexer, source)) {
      if (token.type === 'def') definitions.push({ start, token: token as Tokens.Def });
      else if (token.type !== 'space') blocks.push({ start, token, settled: false });
      start += token.raw.length;
    }
    return { blocks, definitions };
  }

  /** Half-written emphasis, code and links at the very end are shown as what they are about to be. */
  #mendLast(open: Block[]): Block[] {
    const last = open.at(-1);
    if (!last || last.token.type === 'code') return open;
    const mended = mend(last.token.raw);
    if (mended === last.token.raw) return open;
    const [block] = this.#lex(mended, last.start).blocks;
    return block ? [...open.slice(0, -1), block] : open;
  }
}

/** Deeper than anybody writes; what draws and removes elements goes down into each of them. */
const deepest = 40;

/** Quotes in quotes without end: what nests deeper than can be followed is the text it is, line by line. */
function lexOrPlain(lexer: Lexer, source: string): Token[] {
  try {
    return lexer.lex(source).map((token) => (nestsDeep(token) ? plain(token.raw) : token));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [plain(source)];
  }
}

function nestsDeep(token: Token): boolean {
  let level: Token[] = [token];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true;
    level = level.flatMap((each) => [
      ...('tokens' in each ? (each.tokens ?? []) : []),
      ...('items' in each ? (each.items as Token[]) : []),
    ]);
  }
  return false;
}

function plain(raw: string): Tokens.Paragraph {
  const lines = raw.trimEnd().split('\n');
  const tokens = lines.flatMap((line, at): (Tokens.Text | Tokens.Br)[] => [
    ...(at > 0 ? [{ type: 'br' as const, raw: '\n' }] : []),
    { type: 'text', raw: line, text: line, escaped: true },
  ]);
  return { type: 'paragraph', raw, text: raw, tokens };
}
