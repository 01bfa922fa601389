/** Reads Markdown into blocks that can be drawn. Pure: the page and its worker both use it. */
import { Lexer, type Links, type Token, type Tokens } from 'marked';
import { isMath, mathOptions, mayHaveMath } from './math-marks.ts';
import { mend } from './mend.ts';

export interface LexRequest {
  source: string;
  /** Definitions of links that come before `source`. */
  links: Links;
  /** Nothing follows `source`. */
  complete: boolean;
}

interface Placed<T> {
  /** Characters of the source before it. */
  at: number;
  token: T;
}

export interface LexedBlock {
  /** Characters of the source before it. */
  at: number;
  /** A long list or table comes in pieces that are drawn apart. */
  pieces: Placed<Token>[];
  /** It is too large to be drawn as Markdown. */
  isPlain: boolean;
}

export interface Lexed {
  /** Blocks that show something. */
  blocks: LexedBlock[];
  definitions: Placed<Tokens.Def>[];
  /** So many of the blocks read the same whatever follows. */
  settled: number;
  /** The last block with what is half-written at its end closed; null = it is drawn as it is. */
  mended: Placed<Token>[] | null;
  /** The blocks cover the source up to here: its length, or less where it makes too many of them at a time. */
  end: number;
  /** Nothing follows what they cover. */
  isComplete: boolean;
}

/** How many of the last blocks stay open: a list or table can still swallow what looks like the block after it. */
const openBlocks = 2;
/** Deeper than anybody writes; what draws and removes elements goes down into each of them. */
const maxDepth = 40;
/** What is drawn at a time has no more tokens, and outside of code no more characters: it would hold the page up. */
const maxPieceTokens = 500;
const maxPieceLength = 16_000;
/** More than that is not handed over at a time: taking it in would hold the page up. */
const maxTokens = 6_000;

export function lexMarkdown({ source, links, complete }: LexRequest): Lexed {
  const blocks: LexedBlock[] = [];
  const definitions: Lexed['definitions'] = [];
  let [at, tokens] = [0, 0];
  for (const token of lexTokens(source, links, complete) ?? [bare(source)]) {
    if (tokens > maxTokens)
      return { blocks, definitions, settled: blocks.length, mended: null, end: at, isComplete: false };
    if (token.type === 'def') definitions.push({ at, token: token as Tokens.Def });
    else if (token.type !== 'space') {
      const pieces = piecesOf(token, at);
      // What nests beyond measure is not handed on: taking it in goes as deep.
      blocks.push({ at, pieces: pieces ?? [{ at, token: bare(token.raw) }], isPlain: pieces === null });
      tokens += pieces === null ? 0 : countTokens(token);
    }
    tokens += 1;
    at += token.raw.length;
  }
  const settled = complete ? blocks.length : Math.max(0, blocks.length - openBlocks);
  const mended = complete ? null : mendLast(blocks, links);
  return { blocks, definitions, settled, mended, end: source.length, isComplete: complete };
}

/** Half-written emphasis, code and links at the very end are shown as what they are about to be. */
function mendLast(blocks: LexedBlock[], links: Links): Placed<Token>[] | null {
  const last = blocks.at(-1);
  const piece = last?.pieces.at(-1);
  if (!last || !piece || last.isPlain || piece.token.type === 'code' || isMath(piece.token)) return null;
  // Rows without their head would read as words.
  if (last.pieces.length > 1 && piece.token.type === 'table') return null;
  const mended = mend(piece.token.raw);
  if (mended === piece.token.raw) return null;
  const token = lexTokens(mended, links, true)?.find(({ type }) => type !== 'def' && type !== 'space');
  const pieces = token ? piecesOf(token, piece.at) : null;
  return pieces && [...last.pieces.slice(0, -1), ...pieces];
}

/** null = what nests without end cannot be followed: such a text is the text it is. */
function lexTokens(source: string, links: Links, isWhole: boolean): Token[] | null {
  const lexer = new Lexer({ gfm: true, ...(mayHaveMath(source) && mathOptions(source, isWhole)) });
  Object.assign(lexer.tokens.links, links);
  try {
    return lexer.lex(source);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

/** Of a block that is not drawn as Markdown. */
const bare = (raw: string): Tokens.Generic => ({ type: 'plain', raw });

/** A block in the pieces that it is drawn in; null = it cannot be drawn. */
function piecesOf(block: Token, at: number): Placed<Token>[] | null {
  if (isDrawable(block)) return [{ at, token: block }];
  const pieces =
    block.type === 'list'
      ? listPieces(block as Tokens.List)
      : block.type === 'table'
        ? tablePieces(block as Tokens.Table)
        : [];
  if (pieces.length === 0 || !pieces.every(isDrawable)) return null;
  const placed: Placed<Token>[] = [];
  let start = at;
  for (const token of pieces) {
    placed.push({ at: start, token });
    start += token.raw.length;
  }
  return placed;
}

function isDrawable(block: Token): boolean {
  return (
    block.type !== 'plain' &&
    (block.type === 'code' || block.raw.length <= maxPieceLength) &&
    !nestsTooDeep(block) &&
    countTokens(block) <= maxPieceTokens
  );
}

function listPieces(list: Tokens.List): Tokens.List[] {
  let number = list.start === '' ? 1 : list.start;
  return grouped(list.items).map((items) => {
    const start = list.ordered ? number : list.start;
    number += items.length;
    return { ...list, start, items, raw: items.map(({ raw }) => raw).join('') };
  });
}

/** Of a table in pieces the first has all of it, for whoever copies it. */
export interface TablePiece {
  whole?: Pick<Tokens.Table, 'rows' | 'raw'>;
}

/** Its head stands above the first rows only. */
function tablePieces(table: Tokens.Table): (Tokens.Table & TablePiece)[] {
  const lines = table.raw.split(/(?<=\n)/);
  let line = 2;
  return grouped(table.rows, table.header.length).map((rows, place) => {
    const from = place === 0 ? 0 : line;
    line += rows.length;
    const piece = { ...table, rows, raw: lines.slice(from, line).join('') };
    return place === 0 ? { ...piece, whole: table } : { ...piece, header: [] };
  });
}

/** Items or rows, in groups of so many tokens as may be drawn at a time. */
function grouped<T extends Tokens.ListItem | Tokens.TableCell[]>(all: T[], first = 0): T[][] {
  const groups: T[][] = [];
  let size = Infinity;
  for (const one of all) {
    const own = Array.isArray(one) ? countAll(one.flatMap(cellTokens)) : countTokens(one);
    if (size + own > maxPieceTokens - 2) {
      size = groups.length === 0 ? first * 2 : 0;
      groups.push([]);
    }
    size += own;
    groups.at(-1)?.push(one);
  }
  return groups;
}

/** So many characters of mathematics become about as many elements as a token of text. */
const mathPerToken = 5;

const countTokens = (token: Token): number => countAll([token]);

/** All of these and what is in them, as far down as is drawn. */
function countAll(tokens: Token[]): number {
  let count = 0;
  let level = tokens;
  for (let depth = 0; level.length > 0 && depth <= maxDepth; depth += 1) {
    for (const token of level) count += isMath(token) ? Math.ceil(token.raw.length / mathPerToken) : 1;
    level = level.flatMap(childrenOf);
  }
  return count;
}

function nestsTooDeep(token: Token): boolean {
  let level = [token];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap(childrenOf);
  }
  return false;
}

function childrenOf(token: Token): Token[] {
  if (token.type === 'list') return (token as Tokens.List).items;
  if (token.type !== 'table') return ('tokens' in token ? token.tokens : undefined) ?? [];
  const { header, rows } = token as Tokens.Table;
  return [header, ...rows].flat().flatMap(cellTokens);
}

/** A cell is an element as well. */
const cellTokens = (cell: Tokens.TableCell): Token[] => [{ type: 'cell', raw: cell.text }, ...cell.tokens];
