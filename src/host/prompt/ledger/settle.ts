/** What a request really read: by the engine's count, the runner's status, the duration, or as predicted. */
import type { Reading } from '../../../protocol/engine-room.ts';
import type { ContextMessage } from '../../providers/provider.ts';
import type { Book, ModelBook, Remembered } from './book.ts';
import { explain, type Cause } from './explain.ts';
import { afterPrompt, afterRestoring, type Reach } from './cache-reach.ts';
import { headSums, wholeOf } from './parting.ts';
import { foreignPiece, userOpen, type Piece } from './pieces.ts';
import { describeReread, slack, splitBeyond, type Pending, type Split } from './predict.ts';
import type { Held } from './runner-memory.ts';
import { thinkWord } from './shape.ts';
import { isNearby, surpriseOf, type Count } from './surprise.ts';
import {
  commonPieces,
  cutAt,
  endOf,
  fit,
  withReply,
  type Anchor,
  type ReplyForm,
  type RequestHistory,
} from './request-history.ts';
import type { LedgerRequest, Measured, ModelFacts, Settled } from './types.ts';

/** A stop; `opened` = a first line had come, so the whole prompt was evaluated. */
interface Cut {
  opened: boolean;
}

/** Tokens that may merge where two texts meet; tokens by which a reply may be shorter in its rendering. */
const [mergedTokens, respeltTokens] = [4, 48];
/** A duration tells the evaluated tokens no better than this. */
const durationShare = 0.25;
/** However few tokens are read, it takes some time that no rate knows (measured: 8 to 20 ms for ten tokens). */
const fixedMs = 50;

/** What a count says of the prompt. */
interface Finding {
  count: Count;
  split: Split;
  cause: Cause | null;
}

export function settle(pending: Pending, measured: Measured, book: Book, cut: Cut | null = null): Settled {
  const { request } = pending;
  const model = book.model(request.model);
  const isCut = isCutShort(pending, measured.counters.promptTokens);
  const counted = countOf(pending, measured, model, cut);
  const trail = fittedTrail(pending, measured, counted, model);
  learn(pending, counted, measured, model);
  const finding = findingOf(pending, { trail, count: counted, measured, model });
  const isSlow = cut === null && isSlowMoment(finding, measured, model);
  const count = isSlow ? asPredicted(pending, counted) : counted;
  const { split, cause } = isSlow ? findingOf(pending, { trail, count, measured, model }) : finding;
  const isKnown = !isSlow && (count.by !== 'prediction' || cut === null || cut.opened);
  const reading: Reading = {
    predictedCached: pending.prediction.cached,
    cachedTokens: isKnown ? count.cached : null,
    newTokens: isKnown ? split.new : null,
    rereadTokens: isKnown ? split.reread : null,
    ...describeReread(cause, { ...pending, trail }, model),
    settledBy: count.by,
  };
  const wastedWarmUp = judgeWarmUp(pending, count, cause, book, model);
  // What is gone without a reason is gone as a whole.
  const isLost = cause?.cause === 'unknown' && count.cached <= slack;
  remember({ ...pending, trail }, count, measured, book, { isCut, isLost });
  return { reading, wastedWarmUp };
}

/** The pieces of the prompt, as long as it was counted; learns how long they are. */
function fittedTrail(
  pending: Pending,
  { counters: { promptTokens } }: Measured,
  count: Count,
  { sizes }: ModelBook,
): RequestHistory {
  const { trail } = pending;
  // A stopped prompt has at least as many tokens as were evaluated of it.
  const least = count.evaluatedTo > trail.promptTokens ? count.evaluatedTo : null;
  const length = isCutShort(pending, promptTokens) ? null : (promptTokens ?? least);
  return length === null ? trail : fit(trail, length, partingAnchor(pending, count), sizes);
}

function findingOf(
  pending: Pending,
  {
    trail,
    count,
    measured,
    model,
  }: { trail: RequestHistory; count: Count; measured: Measured; model: ModelBook },
): Finding {
  const { found, evidence, prediction } = pending;
  const counted = measured.counters.promptTokens;
  const isCut = isCutShort(pending, counted);
  const surprise = surpriseOf(pending, count, model);
  const split = isCut
    ? splitOfCut(pending, count, counted ?? 0, model)
    : splitOf({ ...pending, trail }, count, model);
  if (split.reread <= slack && !isCut) return { count, split, cause: null };
  const isLess = count.cached < found.cached - slack;
  const isMostlyLost =
    isLess &&
    surprise === null &&
    split.reread > 2 * prediction.reread + slack &&
    !isNearby(pending, count.cached);
  const cause = explain({
    ...evidence,
    loadedNow: hasLoaded(measured, model),
    isCut,
    respelt: surprise ?? (isLess ? null : evidence.respelt),
    isLess: evidence.isLess || (isLess && surprise === null),
    isMostlyLost: evidence.isMostlyLost || isMostlyLost,
    cannotGoBack: evidence.cannotGoBack && !isLess,
    foundSome: count.cached > (count.by === 'duration' ? prediction.promptTokens / 10 : 0),
  });
  return { count, split, cause };
}

const asPredicted = ({ found }: Pending, { evaluatedTo }: Count): Count => ({
  cached: Math.min(evaluatedTo, Math.round(found.cached)),
  evaluatedTo,
  by: 'prediction',
});

/**
 * Whether it took longer although everything was found: a busy machine reads slowly. What an engine loses without a reason
 * is the whole prompt, so a time that tells of any other loss tells of none.
 */
function isSlowMoment({ count, cause }: Finding, { counters }: Measured, { rate }: ModelBook): boolean {
  if (count.by !== 'duration' || cause?.cause !== 'unknown') return false;
  const evaluated = rate.tokensIn(counters.promptMs ?? 0) ?? 0;
  return Math.abs(evaluated - count.evaluatedTo) > count.evaluatedTo * durationShare;
}

/** A memory that can go anywhere finds exactly what is in common: the count tells where the prompts part. */
function partingAnchor({ facts, found, prediction }: Pending, count: Count): Anchor | null {
  const isCounted = count.by === 'engine' || count.by === 'runner';
  if (!isCounted || facts.memory.kind !== 'full' || found.held === null) return null;
  const off = Math.abs(count.cached - found.tokens);
  // Without the texts the place within a piece is a guess, and better than a wrong position.
  if (found.within === null && (off < slack || found.pieces >= found.held.trail.rawFrom)) return null;
  const tokens = count.cached - (found.within ?? 0);
  const isNear = off < prediction.promptTokens * 0.1;
  return isNear && tokens > slack ? { pieces: found.pieces, tokens } : null;
}

const splitOf = (
  { trail, seenPieces }: Pending,
  { cached, evaluatedTo }: Count,
  { sizes }: ModelBook,
): Split => splitBeyond(trail, cached, evaluatedTo, sizes, seenPieces);

/** The engine counted fewer tokens than a part of the prompt has that it had counted before. */
function isCutShort({ trail, found, facts }: Pending, counted: number | null): boolean {
  if (facts.card === undefined || counted === null) return false;
  const held = found.held?.trail.anchors.findLast(({ pieces }) => pieces <= found.pieces);
  const known = trail.anchors.at(-1);
  return counted < (held?.tokens ?? 0) - mergedTokens || counted < (known?.tokens ?? 0) - respeltTokens;
}

/** Nobody knows what the engine left of the prompt: the new pieces are the likeliest. */
function splitOfCut({ trail }: Pending, { cached }: Count, counted: number, { sizes }: ModelBook): Split {
  const fresh = trail.pieces.reduce((sum, piece) => sum + (sizes.knows(piece) ? 0 : sizes.of(piece)), 0);
  const whole = Math.max(0, counted - cached);
  const reread = Math.max(0, whole - Math.round(fresh));
  return { new: whole - reread, reread };
}

/** A model that is in memory needs a tenth of this (loop, ask-model). */
const reloadMs = 1000;

/** The first request that this ledger sees may well have loaded the model; a told reload is the engine room's. */
function hasLoaded({ counters: { loadMs } }: Measured, { newest }: ModelBook): boolean {
  return newest !== null && loadMs !== null && loadMs >= reloadMs;
}

function countOf(
  { found, trail, hasReply }: Pending,
  { counters, slot }: Measured,
  model: ModelBook,
  cut: Cut | null,
): Count {
  const prompt = counters.promptTokens ?? Math.round(trail.promptTokens);
  const whole = (cached: number, by: Count['by']): Count => ({
    cached: Math.max(0, Math.min(prompt, Math.round(cached))),
    evaluatedTo: prompt,
    by,
  });
  const isStopped = cut !== null && !cut.opened;
  if (counters.cachedTokens !== null) return whole(counters.cachedTokens, 'engine');
  // While the first batch is computed it says what it found, and nothing is read yet.
  if (slot && slot.processedTokens + slot.cachedTokens > 0) {
    const isCounted = slot.isProcessing || slot.cachedTokens > 0;
    if (isStopped && isCounted) {
      const evaluatedTo = slot.cachedTokens + slot.processedTokens;
      return { cached: slot.cachedTokens, evaluatedTo, by: 'runner' };
    }
    if (isCounted) return whole(slot.cachedTokens, 'runner');
    if (counters.promptTokens !== null) return whole(prompt - slot.processedTokens, 'runner');
  }
  const evaluated = counters.promptMs === null ? null : model.rate.tokensIn(counters.promptMs);
  if (evaluated === null) {
    const count = whole(found.cached, 'prediction');
    return isStopped ? { ...count, evaluatedTo: count.cached } : count;
  }
  if (isStopped) {
    const evaluatedTo = Math.min(prompt, Math.round(found.cached + evaluated));
    return { cached: found.cached, evaluatedTo, by: 'duration' };
  }
  const offTokens = Math.abs(prompt - evaluated - found.cached);
  if (offTokens <= (model.rate.tokensIn(fixedMs) ?? 0)) return whole(found.cached, 'duration');
  const agrees = offTokens <= Math.max(64, evaluated * durationShare);
  if (!agrees) return whole(prompt - evaluated, 'duration');
  // Whether the reply was found as it was written, or not, is a matter of a few tokens: the nearer one counts.
  const written = hasReply ? (found.held?.trail.tokens ?? found.cached) : found.cached;
  const isWritten = Math.abs(prompt - evaluated - written) < offTokens;
  return whole(isWritten ? written : found.cached, 'duration');
}

function learn(pending: Pending, count: Count, { counters }: Measured, model: ModelBook): void {
  const { promptTokens, promptMs, loadMs } = counters;
  if (promptTokens === null || promptMs === null) return;
  const isCounted = count.by === 'engine' || count.by === 'runner';
  if (isCounted) model.rate.learn(promptTokens - count.cached, promptMs);
  // Before the first load that was seen, the engine may hold anything.
  const isEmpty = model.runner.generation > 0 || (loadMs ?? 0) >= reloadMs;
  if (isEmpty && pending.found.held === null && count.by === 'prediction')
    model.rate.learn(promptTokens, promptMs);
}

/** null = there was none, or something else got in its way. */
function judgeWarmUp(
  { request, trail }: Pending,
  { cached, by }: Count,
  cause: Cause | null,
  book: Book,
  model: ModelBook,
): number | null {
  const warm = book.warm(request.session);
  if (request.purpose !== 'main' || warm === null || warm.model !== request.model) return null;
  book.endWarm(request.session);
  if (by === 'prediction') return null;
  const isOthers =
    cause !== null && cause.owner !== 'template' && cause.cause !== 'checkpoint' && cause.cause !== 'unknown';
  const common = commonPieces(warm.trail, trail.pieces);
  if (isOthers || (common < warm.trail.pieces.length && cause?.owner !== 'template')) return null;
  const wasted = Math.round(warm.trail.tokens) - cached;
  const tokens = wasted > 2 * slack ? wasted : 0;
  model.warmUps.proved(tokens);
  return tokens;
}

/** The slot holds it now, as far as it was evaluated. */
function remember(
  pending: Pending,
  count: Count,
  measured: Measured,
  book: Book,
  { isCut, isLost }: { isCut: boolean; isLost: boolean },
): void {
  const { request, facts, found, trail } = pending;
  const model = book.model(request.model);
  const number = book.nextRequest();
  const { reply } = measured;
  const isWhole = count.evaluatedTo >= Math.round(trail.promptTokens);
  const read = isWhole ? trail : cutAt(trail, count.evaluatedTo);
  const full = isWhole ? answered(read, pending, measured, book) : read;
  model.sizes.remember(full.pieces);
  const reach = afterPrompt(
    reachFrom(pending, count.cached),
    count.cached,
    Math.round(read.promptTokens),
    Math.round(full.tokens - read.promptTokens),
    facts,
    facts.native ? startsOfUsers(read) : [],
  );
  const held: Held = { request: number, session: request.session, trail: full, reach };
  const isLoaded = hasLoaded(measured, model);
  if (isLoaded) model.runner.clear();
  model.runner.take(
    isLoaded || isLost ? [] : found.beside,
    isCut ? { ...held, trail: cutAt(full, count.cached) } : held,
  );
  const source = { ...request, messages: reply ? [...request.messages, reply] : request.messages };
  model.keepTexts(number, source);
  const { cache } = book;
  const remembered: Remembered = {
    request: number,
    model: request.model,
    generation: model.runner.generation,
    foreigners: model.foreigners,
    trail: full,
    head: headSums(cache.head(request.head)),
    think: thinkWord(request.think, facts.card),
    messages: request.messages.length,
    unfinished: cutShort(pending, isWhole),
    log: source.messages.map((message) => wholeOf(cache.message(message))),
  };
  model.newest = remembered;
  if (request.purpose === 'warm') book.setWarm(request.session, remembered);
  if (request.purpose !== 'main') return;
  book.setMain(request.session, remembered);
  book.announced.delete(request.session);
}

/** What the slot could go back to when the evaluation began. */
function reachFrom({ found, facts }: Pending, cached: number): Reach {
  if (Math.abs(found.cached - cached) <= 2) return found.reach;
  const checkpoints = found.before.checkpoints.filter(({ tokens }) => tokens <= cached + 1);
  return { lowest: afterRestoring(facts, cached), checkpoints };
}

/** A request that was stopped leaves the rest of its re-read to the next one. */
function cutShort({ prediction }: Pending, isWhole: boolean): Cause | null {
  const { cause, owner, detail } = prediction;
  return isWhole || cause === null ? null : { cause, owner, detail };
}

/** With the reply as the model wrote it; the token that was sampled last is never evaluated. */
function answered(
  read: RequestHistory,
  { request, facts }: Pending,
  measured: Measured,
  book: Book,
): RequestHistory {
  const output = measured.counters.outputTokens ?? 0;
  const { reply } = measured;
  if (output <= 1) return read;
  const { cache } = book;
  const model = book.model(request.model);
  // What is not kept is found nowhere again.
  const pieces = reply ? rawPieces(reply, cache) : [foreignPiece(output)];
  const form = reply?.role === 'assistant' ? formOf(reply, request, facts, cache) : null;
  return withReply(read, pieces, request.messages.length, output - 1, form, model.sizes);
}

function rawPieces(reply: ContextMessage, cache: Book['cache']): readonly Piece[] {
  const { thinking, content, calls } = cache.message(reply);
  return [...thinking, ...content, ...calls.flat()];
}

function formOf(
  reply: Extract<ContextMessage, { role: 'assistant' }>,
  request: LedgerRequest,
  { card }: ModelFacts,
  cache: Book['cache'],
): ReplyForm {
  return {
    after: request.messages.at(-1)?.role ?? '',
    think: thinkWord(request.think, card),
    underGrammar: request.underGrammar === true,
    hasThinking: reply.thinking !== '',
    hasText: reply.content !== '',
    calls: reply.calls.length,
    spelling: cache.message(reply).spelling,
  };
}

function startsOfUsers(trail: RequestHistory): number[] {
  return trail.pieces.flatMap((piece, at) => (piece === userOpen ? [Math.round(endOf(trail, at))] : []));
}
