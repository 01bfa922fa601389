/**
 * Reads markdown that grows at its end: a block that later text cannot change is parsed once and keeps its identity,
 * so a long answer costs as much per token as a short one (design 11).
 */
import { Lexer, type Links, type Token } from 'marked';
import { mend } from './mend.ts';

export interface Block {
  /** Place in the text; also its key. */
  start: number;
  token: Token;
  /** False while later text may still change it. */
  settled: boolean;
}

/** How many of the last blocks stay open: a list or table can still swallow what looks like the block after it. */
const openBlocks = 2;

export class MarkdownReader {
  #settled: Block[] = [];
  /** Where the first open block begins. */
  #offset = 0;
  /** The end of the settled text, to notice when another text is read. */
  #seam = '';
  #links: Links = {};

  /** All blocks of `text`, which normally is the text of the last call and more. `complete`: nothing will follow. */
  read(text: string, complete: boolean): Block[] {
    // The lexer folds carriage returns and would lose count of its place.
    const clean = text.includes('\r') ? text.replaceAll('\r', '') : text;
    if (!clean.startsWith(this.#seam, this.#offset - this.#seam.length) || clean.length < this.#offset)
      this.#reset();

    const tail = clean.slice(this.#offset);
    const open = this.#lex(tail, this.#offset);
    const keep = complete ? 0 : openBlocks;
    const settledCount = Math.max(0, open.length - keep);
    for (const block of open.slice(0, settledCount)) this.#settled.push({ ...block, settled: true });

    const rest = open.slice(settledCount);
    const nextOffset = rest[0]?.start ?? clean.length;
    if (nextOffset !== this.#offset) {
      this.#offset = nextOffset;
      this.#seam = clean.slice(Math.max(0, nextOffset - 32), nextOffset);
    }
    return [...this.#settled, ...this.#mendLast(rest, complete)];
  }

  #reset(): void {
    this.#settled = [];
    this.#offset = 0;
    this.#seam = '';
    this.#links = {};
  }

  /** Blocks of `source` that show something, placed by the length of what each token covers. */
  #lex(source: string, offset: number): Block[] {
    const lexer = new Lexer({ gfm: true });
    Object.assign(lexer.tokens.links, this.#links);
    const blocks: Block[] = [];
    let start = offset;
    for (const token of lexer.lex(source)) {
      if (token.type !== 'space' && token.type !== 'def') blocks.push({ start, token, settled: false });
      start += token.raw.length;
    }
    this.#links = lexer.tokens.links;
    return blocks;
  }

  /** Half-written emphasis, code and links at the very end are shown as what they are about to be. */
  #mendLast(blocks: Block[], complete: boolean): Block[] {
    const last = blocks.at(-1);
    if (complete || !last || last.token.type === 'code') return blocks;
    const mended = mend(last.token.raw);
    if (mended === last.token.raw) return blocks;
    const [block] = this.#lex(mended, last.start);
    return block ? [...blocks.slice(0, -1), block] : blocks;
  }
}
