/** Where a prompt leaves the one before it, and what changed there. */
import type { RereadCause } from '../../../protocol/engine-room.ts';
import type { TemplateCard } from '../card/card.ts';
import { callText, toolText, type MessagePieces, type Piece, type PieceCache } from './pieces.ts';
import { thinkWord, type Arranged, type PromptSource } from './shape.ts';
import type { RequestHistory } from './request-history.ts';

/** What a prompt is compared with: the last one of its session. */
export interface Earlier {
  readonly trail: RequestHistory;
  readonly head: { system: number; tools: string };
  readonly think: string;
  readonly messages: number;
  /** Of each message, to tell a change of the log from a change of its rendering. */
  readonly log: readonly number[];
}

export interface Change {
  readonly cause: RereadCause;
  /** The piece at which they part. */
  readonly piece: number;
  /** The new prompt ends there: nothing was put in the place of what followed. */
  readonly isShorter: boolean;
}

export function headSums(pieces: { system: readonly Piece[]; tools: readonly (readonly Piece[])[] }) {
  return {
    system: pieces.system.at(-1)?.key ?? 0,
    tools: pieces.tools.map((tool) => tool.at(-1)?.key ?? 0).join(),
  };
}

/** Of a message's words, thinking apart: that may come and go by rendering alone. */
export function wholeOf(pieces: MessagePieces): number {
  return pieces.whole;
}

/**
 * null = it only grew. `common`: pieces in common with the earlier one, the reply as it was written included.
 * `respelt`: the reply is expected to part from its own rendering at this piece.
 */
export function changeOf(
  earlier: Earlier,
  now: RequestHistory,
  source: PromptSource,
  common: number,
  card: TemplateCard | undefined,
  cache: PieceCache,
): Change | null {
  const before = earlier.trail.pieces[common];
  const after = now.pieces[common];
  if (before === undefined) return null;
  const change = (cause: RereadCause): Change => ({ cause, piece: common, isShorter: after === undefined });
  if (after === undefined) return change('history_rewritten');
  const isHead = (earlier.trail.at[common] ?? 0) === -1 || (now.at[common] ?? 0) === -1;
  if (isHead) return change(headCause(earlier, source, before, after, cache));
  if (logChanged(earlier, source, earlier.trail.at[common] ?? 0, cache)) {
    // A prompt that ends in the opening of a reply ends there; what followed was taken back.
    const isShorter = common === now.pieces.length - 1 && after.kind === 'open';
    return { cause: 'history_rewritten', piece: common, isShorter };
  }
  if (earlier.think !== thinkWord(source.think, card) && (isThought(before) || isThought(after)))
    return change('flag_changed');
  return change(renderingCause(before, after));
}

const isThought = ({ kind }: Piece): boolean => kind === 'thinking';

function headCause(
  earlier: Earlier,
  source: PromptSource,
  before: Piece,
  after: Piece,
  cache: PieceCache,
): RereadCause {
  if (before.kind === 'flag' || after.kind === 'flag') return 'flag_changed';
  if (before.kind === 'date' || after.kind === 'date') return 'date_changed';
  const now = headSums(cache.head(source.head));
  const systemChanged = now.system !== earlier.head.system;
  const toolsChanged = now.tools !== earlier.head.tools;
  if (systemChanged && (!toolsChanged || before.kind === 'system' || after.kind === 'system'))
    return 'head_changed';
  if (toolsChanged) return 'tools_changed';
  return logChanged(earlier, source, Infinity, cache) ? 'history_rewritten' : 'tools_moved';
}

/** Whether a message up to there is not the one that it was; the reply of the earlier request counts as one. */
function logChanged(earlier: Earlier, source: PromptSource, upTo: number, cache: PieceCache): boolean {
  const last = Math.min(upTo, earlier.log.length - 1);
  for (let at = 0; at <= last; at += 1) {
    const message = source.messages[at];
    if (message === undefined || wholeOf(cache.message(message)) !== earlier.log[at]) return true;
  }
  return false;
}

function renderingCause(before: Piece, after: Piece): RereadCause {
  if (before.kind === 'thinking' || after.kind === 'thinking') return 'thinking_dropped';
  if (before.kind === 'text' || after.kind === 'text') return 'text_moved';
  return 'rendering';
}

const shown = 80;

/** The text of both sides from shortly before they part. */
export function partingTexts(
  before: { trail: RequestHistory; source: PromptSource } | null,
  now: { trail: RequestHistory; source: PromptSource },
  piece: number,
): { before: string; after: string } | null {
  if (before === null) return null;
  const old = textFrom(before.trail, before.source, piece);
  const next = textFrom(now.trail, now.source, piece);
  let at = 0;
  while (at < old.length && at < next.length && old[at] === next[at]) at += 1;
  const from = Math.max(0, at - 20);
  return { before: old.slice(from, from + shown), after: next.slice(from, from + shown) };
}

/** Characters that two pieces have in common; null = one of the texts is gone. */
export function commonCharacters(
  before: { trail: Arranged; source: PromptSource } | null,
  now: { trail: Arranged; source: PromptSource },
  piece: number,
): number | null {
  if (before === null) return null;
  const [a, b] = [before.trail.pieces[piece], now.trail.pieces[piece]];
  if (a === undefined || b === undefined || a.kind !== b.kind) return 0;
  const [old, next] = [
    textOf(before.source, a, before.trail.at[piece] ?? -1),
    textOf(now.source, b, now.trail.at[piece] ?? -1),
  ];
  let at = 0;
  while (at < old.length && at < next.length && old[at] === next[at]) at += 1;
  return at;
}

function textFrom(trail: RequestHistory, source: PromptSource, from: number): string {
  let text = '';
  for (let at = from; at < trail.pieces.length && text.length < 400; at += 1) {
    const piece = trail.pieces[at];
    if (piece !== undefined) text += textOf(source, piece, trail.at[at] ?? -1);
  }
  return text;
}

function textOf(source: PromptSource, piece: Piece, at: number): string {
  return wholeText(source, piece, at).slice(piece.from, piece.from + piece.characters);
}

function wholeText({ head, messages, day, think }: PromptSource, piece: Piece, at: number): string {
  if (piece.kind === 'system') return head.system;
  if (piece.kind === 'date') return day;
  if (piece.kind === 'flag') return String(think ?? '');
  if (piece.kind === 'tools') {
    const tool = head.tools[piece.part];
    return tool ? toolText(tool) : '';
  }
  const message = messages[at];
  if (message === undefined) return '';
  if (message.role !== 'assistant' || piece.kind === 'text') return message.content;
  if (piece.kind === 'thinking') return message.thinking;
  const call = message.calls[piece.part];
  return piece.kind === 'call' && call ? callText(call.name, call.args) : '';
}
