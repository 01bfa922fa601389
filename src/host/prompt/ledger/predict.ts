/** What a request will find in the cache, read anew and read again, and why: before it is sent. */
import type { Book, ModelBook, Remembered } from './book.ts';
import { explain, type Cause, type Evidence } from './explain.ts';
import { changeOf, commonCharacters, partingTexts, type Change } from './parting.ts';
import type { Piece } from './pieces.ts';
import { partingOf } from './replies.ts';
import type { Found, Held, Match } from './runner-memory.ts';
import { arrange, thinkWord, type Arranged } from './shape.ts';
import type { Sizes } from './sizes.ts';
import { commonPieces, endNow, endOf, layOut, type RequestHistory } from './request-history.ts';
import type { LedgerRequest, ModelFacts, Prediction } from './types.ts';

/** Fewer tokens than this are no re-read worth a cause: every memory kind evaluates a few of them again. */
export const slack = 20;

/** A request on its way. */
export interface Pending {
  request: LedgerRequest;
  facts: ModelFacts;
  trail: RequestHistory;
  /** So many pieces were ever evaluated in this very order; Infinity = any text that ever was counts. */
  seenPieces: number;
  found: Found;
  earlier: Remembered | null;
  change: Change | null;
  /** The whole of the last reply is in the prompt, as far as its words go. */
  hasReply: boolean;
  evidence: Evidence;
  prediction: Prediction;
}

export function predict(request: LedgerRequest, facts: ModelFacts, book: Book): Pending {
  const model = book.model(request.model);
  const { cache } = book;
  const arranged = arrange(request, facts.card, cache, {
    ending: request.purpose === 'warm' ? 'user' : 'reply',
    emptyThoughts: model.emptyThoughts,
  });
  const earlier = earlierOf(request, book);
  const base = longest(arranged.pieces, model, earlier);
  const trail = layOut(arranged, base.trail, base.common, model.sizes);
  const { runner } = model;
  const match = (held: Held): Match => matchOf(held, arranged, request, facts, model);
  const found = runner.find(trail.promptTokens, match, facts, facts.besideTokens);
  const grown = earlier ? commonPieces(earlier.trail, arranged.pieces) : 0;
  const change = earlier && changeOf(earlier, trail, request, grown, facts.card, cache);
  const hasReply = isWhole(found.held, arranged.pieces);
  const evidence: Evidence = {
    reload: earlier && earlier.generation < runner.generation ? model.reload : null,
    loadedNow: false,
    isCut: false,
    change,
    unfinished: earlier?.unfinished ?? null,
    announced: book.announced.get(request.session) ?? null,
    thinkChanged: earlier !== null && earlier.think !== thinkWord(request.think, facts.card),
    respelt: hasReply && found.tokens < (found.held?.trail.tokens ?? 0) - slack / 2 ? 'rendering' : null,
    foreign: earlier !== null && earlier.foreigners < model.foreigners,
    others: runner.slot !== null && runner.slot.session !== request.session,
    asked: runner.slot !== null && book.ownSessions.has(runner.slot.session),
    ...displacement(found, earlier, endOf(earlier?.trail ?? trail, grown), trail.promptTokens),
    canRewind: facts.memory.kind === 'full',
    cannotGoBack: found.tokens - found.cached > slack,
    foundSome: found.cached > 0,
  };
  const seenPieces = earlier ? Infinity : base.common;
  const split = splitBeyond(trail, found.cached, trail.promptTokens, model.sizes, seenPieces);
  const cause = split.reread > slack ? explain(evidence) : null;
  const prediction: Prediction = {
    promptTokens: Math.round(trail.promptTokens),
    cached: found.cached,
    new: split.new,
    reread: split.reread,
    ...describeReread(cause, { request, trail, earlier, change }, model),
  };
  const about = { request, facts, trail, seenPieces, found, earlier, change };
  return { ...about, hasReply, evidence, prediction };
}

/** The session's last prompt on this model, a warm-up where there was none. */
function earlierOf({ session, model }: LedgerRequest, book: Book): Remembered | null {
  const main = book.main(session) ?? book.warm(session);
  return main?.model === model ? main : null;
}

/** Of all that was ever counted, what goes furthest with this prompt. */
function longest(
  pieces: readonly Piece[],
  { runner, newest }: ModelBook,
  earlier: Remembered | null,
): { trail: RequestHistory | null; common: number } {
  let best: { trail: RequestHistory | null; common: number } = { trail: null, common: 0 };
  for (const known of [earlier, runner.slot, ...runner.beside, newest]) {
    if (known === null) continue;
    const common = commonPieces(known.trail, pieces);
    if (common > best.common) best = { trail: known.trail, common };
  }
  return best;
}

function matchOf(
  held: Held,
  arranged: Arranged,
  request: LedgerRequest,
  facts: ModelFacts,
  model: ModelBook,
): Match {
  const { trail } = held;
  const common = commonPieces(trail, arranged.pieces);
  const parting =
    trail.reply && common > trail.rawFrom
      ? partingOf(
          trail,
          model.replies.expect(trail.reply, followedBy(trail, arranged.pieces, request, facts), facts.card),
        )
      : null;
  if (parting && parting.piece <= common)
    return { pieces: parting.piece, tokens: parting.tokens, within: null };
  if (common === trail.pieces.length) return { pieces: common, tokens: trail.tokens, within: null };
  const within = tokensWithin(held, arranged, request, common, model);
  return {
    pieces: common,
    tokens: endNow(trail, common, model.sizes) + within.tokens,
    within: within.isKnown ? within.tokens : null,
  };
}

/** Of the piece in which they part. */
function tokensWithin(
  held: Held,
  arranged: Arranged,
  request: LedgerRequest,
  at: number,
  model: ModelBook,
): { tokens: number; isKnown: boolean } {
  const [before, after] = [held.trail.pieces[at], arranged.pieces[at]];
  if (!before || !after || before.kind !== after.kind || before.characters === 0)
    return { tokens: 0, isKnown: true };
  const source = model.textsOf(held.request);
  const common = commonCharacters(
    source && { trail: held.trail, source },
    { trail: arranged, source: request },
    at,
  );
  const share = (common ?? before.characters / 2) / before.characters;
  const tokens = share * (endNow(held.trail, at + 1, model.sizes) - endNow(held.trail, at, model.sizes));
  return { tokens, isKnown: common !== null };
}

/** What comes behind a reply, and whether thinking is on then: both decide how it is rendered. */
export function followedBy(
  trail: RequestHistory,
  pieces: readonly Piece[],
  { think }: LedgerRequest,
  { card }: ModelFacts,
): string {
  return `${pieces[trail.pieces.length]?.kind ?? 'open'} ${thinkWord(think, card)}`;
}

function isWhole(held: Held | null, pieces: readonly Piece[]): boolean {
  if (held?.trail.reply == null) return false;
  return commonPieces(held.trail, pieces) === held.trail.pieces.length;
}

/** Whether what the session's last prompt left is no longer there, and what is there does not make up for it. */
function displacement(
  found: Found,
  earlier: Remembered | null,
  common: number,
  promptTokens: number,
): Pick<Evidence, 'isLess' | 'isMostlyLost'> {
  const lost = common - found.tokens;
  const isLess = earlier !== null && found.held?.request !== earlier.request && lost > slack;
  return { isLess, isMostlyLost: isLess && lost > (promptTokens - found.cached) / 2 };
}

export interface Split {
  new: number;
  reread: number;
}

/** Tokens behind `cached` and before `end`: strictly new ones, and such as were evaluated before. */
export function splitBeyond(
  trail: RequestHistory,
  cached: number,
  end: number,
  sizes: Sizes,
  seenPieces: number,
): Split {
  let reread = 0;
  let wasKnown = false;
  for (let at = trail.pieces.length - 1; at >= 0; at -= 1) {
    const [start, stop] = [Math.max(cached, endOf(trail, at)), Math.min(end, trail.ends[at] ?? 0)];
    if ((trail.ends[at] ?? 0) <= cached) break;
    const piece = trail.pieces[at];
    if (piece === undefined || stop <= start) continue;
    // What opens a message goes with what it opens.
    if (piece.kind !== 'open') wasKnown = at < seenPieces && sizes.knows(piece);
    if (wasKnown) reread += stop - start;
  }
  const whole = Math.max(0, Math.round(end) - cached);
  reread = Math.min(whole, Math.round(reread));
  return { new: whole - reread, reread };
}

/** Cause, words and texts of a re-read. */
export function describeReread(
  cause: Cause | null,
  about: Pick<Pending, 'request' | 'trail' | 'earlier' | 'change'>,
  model: ModelBook,
): Pick<Prediction, 'cause' | 'owner' | 'detail' | 'parting'> {
  if (cause === null) return { cause: null, owner: null, detail: '', parting: null };
  const { request, trail, earlier, change } = about;
  const source = earlier && model.textsOf(earlier.request);
  const parting =
    change && earlier && source
      ? partingTexts({ trail: earlier.trail, source }, { trail, source: request }, change.piece)
      : null;
  return { ...cause, parting };
}
