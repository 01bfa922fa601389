/** How a model's template arranges a request, as far as its card and policy tell. */
import type { TemplateCard } from '../card/card.ts';
import type { ContextMessage, HistoryPolicy, PromptHead } from '../../providers/provider.ts';
import {
  emptyThought,
  replyOpen,
  userOpen,
  wordPiece,
  type MessagePieces,
  type Piece,
  type PieceCache,
} from './pieces.ts';

/** What goes out, as far as it becomes part of the prompt. */
export interface PromptSource {
  head: PromptHead;
  messages: readonly ContextMessage[];
  history: HistoryPolicy;
  /** undefined = the model's own default. */
  think: boolean | string | undefined;
  /** The machine's own day, as 2026-11-22. */
  day: string;
}

/** Pieces in the order of the prompt; `at` is the message that each belongs to, -1 = the head. */
export interface Arranged {
  readonly pieces: readonly Piece[];
  readonly at: readonly number[];
}

export interface Manner {
  /** `reply` = the prompt waits for one; `user` = a raw warm-up that ends where the next user text would begin. */
  ending: 'reply' | 'user';
  /** Within a turn a reply without a thought has an empty one. */
  emptyThoughts: boolean;
}

export function arrange(
  source: PromptSource,
  card: TemplateCard | undefined,
  cache: PieceCache,
  { ending, emptyThoughts }: Manner,
): Arranged {
  const { messages, history } = source;
  const arranged: { pieces: Piece[]; at: number[] } = { pieces: [], at: [] };
  const add = (pieces: readonly Piece[], at: number): void => {
    for (const piece of pieces) {
      arranged.pieces.push(piece);
      arranged.at.push(at);
    }
  };
  const toolsMove = card?.tools.place === 'last user message' && !history.toolsInSystem;
  const tools = cache.head(source.head).tools;
  addHead(source, card, cache, toolsMove, add);

  const lastUser = ending === 'user' ? messages.length : messages.findLastIndex(isQuestion(history));
  const addTools = (at: number): void => {
    if (toolsMove && at === lastUser) for (const tool of tools) add(tool, -1);
  };
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (message === undefined) continue;
    const pieces = cache.message(message);
    if (message.role === 'assistant') {
      const shown = thinkingIsShown(source, card, at > lastUser) ? pieces.thinking : [];
      const isEmpty = emptyThoughts && shown.length === 0 && at > lastUser && source.think !== false;
      add(isEmpty ? [replyOpen, emptyThought] : [replyOpen, ...shown], at);
      if (pieces.calls.length === 0 || history.textBesideCall) add(pieces.content, at);
      at = addCalls(messages, at, pieces, history, cache, add);
      continue;
    }
    addTools(at);
    if (message.role === 'user') add([userOpen], at);
    add(pieces.content, at);
  }
  addTools(messages.length);
  add([ending === 'user' ? userOpen : replyOpen], messages.length);
  return arranged;
}

type Add = (pieces: readonly Piece[], at: number) => void;

function addHead(
  source: PromptSource,
  card: TemplateCard | undefined,
  cache: PieceCache,
  toolsMove: boolean,
  add: Add,
): void {
  const { head, history, day } = source;
  const { system, tools } = cache.head(head);
  const flag = flagInHead(source, card);
  if (flag !== null) add([wordPiece('flag', flag)], -1);
  if (card?.date === 'always' || (card?.date === 'without system text' && head.system === ''))
    add([wordPiece('date', day)], -1);
  const toolsFirst =
    !history.toolsInSystem &&
    card !== undefined &&
    card.order.indexOf('tools') < card.order.indexOf('system');
  if (!toolsFirst) add(system, -1);
  if (!toolsMove) for (const tool of tools) add(tool, -1);
  if (toolsFirst) add(system, -1);
}

/** Results follow their own call where a message may make only one. Returns the last message that was added. */
function addCalls(
  messages: readonly ContextMessage[],
  at: number,
  { calls }: MessagePieces,
  history: HistoryPolicy,
  cache: PieceCache,
  add: Add,
): number {
  if (history.oneCallPerMessage !== true || history.callsAsText === true || calls.length < 2) {
    for (const call of calls) add(call, at);
    return at;
  }
  for (const [index, call] of calls.entries()) {
    if (index > 0) add([replyOpen], at);
    add(call, at);
    const result = messages[at + 1 + index];
    if (result?.role === 'tool') add(cache.message(result).content, at + 1 + index);
  }
  let last = at + calls.length;
  while (last > at && messages[last]?.role !== 'tool') last -= 1;
  return last;
}

/** Where calls are written as text, their results are the user's. */
const isQuestion =
  (history: HistoryPolicy) =>
  ({ role }: ContextMessage): boolean =>
    role === 'user' || (role === 'tool' && history.callsAsText === true);

function thinkingIsShown(
  { history, think }: PromptSource,
  card: TemplateCard | undefined,
  inLoop: boolean,
): boolean {
  if (!history.echoThinking) return false;
  if (card === undefined) return true;
  const kept = think === false ? (card.thinking.off ?? card.thinking.byDefault) : card.thinking.byDefault;
  return (inLoop ? kept.inLoop : kept.afterNextUser) ?? true;
}

/** What of `think` stands in the head; null = nothing. */
function flagInHead({ think }: PromptSource, card: TemplateCard | undefined): string | null {
  if (card === undefined) return null;
  const { switchAtUser, switchInLoop } = card.thinking;
  if (switchAtUser === 'head' || switchInLoop === 'head') return thinkWord(think, card);
  const isLevel = typeof think === 'string' && thinkWord(think, card) !== 'on';
  return isLevel ? think : null;
}

/** `think` left out, the middle level and `true` are the same on a model that thinks by itself (renders, rule 1). */
export function thinkWord(think: boolean | string | undefined, card: TemplateCard | undefined): string {
  if (think === undefined) return card?.thinking.defaultIsOff === true ? 'off' : 'on';
  if (typeof think === 'string') return think === 'medium' ? 'on' : think;
  return think ? 'on' : 'off';
}
