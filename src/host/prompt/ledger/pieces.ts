/** A prompt as the ledger keeps it: pieces of text by hash and length, each in the place where the template renders it. */
import { imagesOf, type ContextMessage, type PromptHead, type SentFile } from '../../providers/provider.ts';
import { imageTokens } from '../token-estimate.ts';

export type PieceKind =
  | 'flag'
  | 'date'
  | 'system'
  | 'tools'
  | 'open'
  | 'user'
  | 'result'
  | 'thinking'
  | 'text'
  | 'call'
  | 'foreign';

export interface Piece {
  readonly kind: PieceKind;
  /** Of the kind and of everything in this text up to the piece's end, so that equal keys mean equal beginnings. */
  readonly key: number;
  readonly characters: number;
  /** Marks of the template around it, in tokens; only its first piece carries those of a text. */
  readonly scaffold: number;
  /** Where it begins in its text, and which of the calls or tools that is. */
  readonly from: number;
  readonly part: number;
}

/** The pieces of one message, hashed once. */
export interface MessagePieces {
  readonly content: readonly Piece[];
  readonly thinking: readonly Piece[];
  readonly calls: readonly (readonly Piece[])[];
  /** Of text and calls: tells whether a message is the reply that was written. */
  readonly whole: number;
  /** What a template might spell otherwise than the model did, one letter each. */
  readonly spelling: string;
}

export interface HeadPieces {
  readonly system: readonly Piece[];
  readonly tools: readonly (readonly Piece[])[];
}

/** Partings within a text are known to this many characters without keeping the text. */
const pieceLength = 192;

const kinds: readonly PieceKind[] = [
  'flag',
  'date',
  'system',
  'tools',
  'open',
  'user',
  'result',
  'thinking',
  'text',
  'call',
  'foreign',
];
const salts = new Map(kinds.map((kind, at) => [kind, at + 1]));

const messageScaffold = 4;
const callScaffold = 8;

/** What opens a message: the reply's opening is also how a prompt ends that waits for one. */
export const userOpen: Piece = constant('open', 1, 4);
export const replyOpen: Piece = constant('open', 2, 3);
/** Of a reply without a thought, where the template writes one all the same. */
export const emptyThought: Piece = constant('thinking', 3, 3);

function constant(kind: PieceKind, key: number, scaffold: number): Piece {
  return { kind, key, characters: 0, scaffold, from: 0, part: 0 };
}

/** A short word that stands in the prompt by the template's own doing: a flag or the date. */
export function wordPiece(kind: 'flag' | 'date', word: string): Piece {
  const [piece] = textPieces(kind, word, 0, 8);
  return piece ?? constant(kind, 0, 8);
}

export function foreignPiece(tokens: number): Piece {
  return constant('foreign', -1, tokens);
}

/** An empty text has no pieces. */
function textPieces(kind: PieceKind, text: string, part = 0, scaffold = messageScaffold): Piece[] {
  const pieces: Piece[] = [];
  const salt = salts.get(kind) ?? 0;
  let [a, b] = [0x9e3779b1 ^ salt, 0x85ebca77 + salt];
  for (let from = 0; from < text.length; from += pieceLength) {
    const end = Math.min(text.length, from + pieceLength);
    for (let at = from; at < end; at += 1) {
      const unit = text.charCodeAt(at);
      a = Math.imul(a ^ unit, 0x01000193);
      b = Math.imul(b ^ unit, 0x5bd1e995) ^ (b >>> 15);
    }
    const key = (b >>> 11) * 2 ** 32 + (a >>> 0);
    pieces.push({ kind, key, characters: end - from, scaffold: from === 0 ? scaffold : 0, from, part });
  }
  return pieces;
}

export function callText(name: string, args: Record<string, unknown>): string {
  return `${name} ${JSON.stringify(args)}`;
}

export function toolText(tool: PromptHead['tools'][number]): string {
  return JSON.stringify([tool.name, tool.description, tool.schema]);
}

/** Hashes every message and head once, as long as the same object comes again. */
export function createPieceCache() {
  const messages = new WeakMap<ContextMessage, MessagePieces>();
  const heads = new WeakMap<PromptHead, HeadPieces>();
  return {
    message(message: ContextMessage): MessagePieces {
      const known = messages.get(message);
      if (known) return known;
      const made = piecesOf(message);
      messages.set(message, made);
      return made;
    },
    head(head: PromptHead): HeadPieces {
      const known = heads.get(head);
      if (known) return known;
      const made = {
        system: textPieces('system', head.system),
        tools: head.tools.map((tool, part) => textPieces('tools', toolText(tool), part)),
      };
      heads.set(head, made);
      return made;
    },
  };
}
export type PieceCache = ReturnType<typeof createPieceCache>;

const nothing: readonly Piece[] = [];

function piecesOf(message: ContextMessage): MessagePieces {
  if (message.role !== 'assistant') {
    const kind = message.role === 'user' ? 'user' : 'result';
    const content = [...imagesOf(message).flatMap(imagePiece), ...textPieces(kind, message.content)];
    return { content, thinking: nothing, calls: [], whole: lastKey(content), spelling: '' };
  }
  const content = textPieces('text', message.content, 0, 1);
  const calls = message.calls.map(({ name, args }, part) =>
    textPieces('call', callText(name, args), part, callScaffold),
  );
  return {
    content,
    thinking: textPieces('thinking', message.thinking),
    calls,
    whole: calls.reduce((sum, call) => (sum * 31 + lastKey(call)) % 2 ** 52, lastKey(content)),
    spelling: spellingOf(message.calls.map(({ args }) => args)),
  };
}

/** The engine puts them before the text. What one takes is not to be had from its bytes. */
const imagePiece = ({ id }: SentFile): Piece[] =>
  textPieces('user', id, 0, imageTokens).map((piece) => ({ ...piece, characters: 0 }));

/** Tells texts apart. */
export const textKey = (text: string): number => lastKey(textPieces('system', text));

const lastKey = (pieces: readonly Piece[]): number => pieces.at(-1)?.key ?? 0;

/** o = keys in no alphabetical order, h = markup, n = a line break, e = a large number, v = a value that is no text. */
function spellingOf(all: readonly Record<string, unknown>[]): string {
  const seen = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value === 'string') {
      if (/[<>&]/.test(value)) seen.add('h');
      if (value.includes('\n')) seen.add('n');
      return;
    }
    seen.add('v');
    if (typeof value === 'number' && Math.abs(value) >= 1e6) seen.add('e');
    if (Array.isArray(value)) for (const item of value) look(item);
    else if (typeof value === 'object' && value !== null) lookInto(value);
  };
  const lookInto = (object: object): void => {
    const names = Object.keys(object);
    if (names.some((name, at) => at > 0 && name < (names[at - 1] ?? ''))) seen.add('o');
    for (const value of Object.values(object)) look(value);
  };
  for (const args of all) {
    if (Object.keys(args).length > 1) seen.add('m');
    lookInto(args);
  }
  return [...seen].toSorted().join('');
}
