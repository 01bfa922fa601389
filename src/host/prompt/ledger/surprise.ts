/** A count that shows how the template renders what the card could not tell: the place of it is learnt. */
import type { Reading, RereadCause } from '../../../protocol/engine-room.ts';
import type { ModelBook } from './book.ts';
import { goBack } from './cache-reach.ts';
import { replyOpen } from './pieces.ts';
import { followedBy, slack, type Pending } from './predict.ts';
import { partedAt, type PartsAt } from './replies.ts';
import { endOf } from './request-history.ts';

/** What was found, and up to where the prompt was evaluated. */
export interface Count {
  cached: number;
  /** Of the prompt; less than its length when it was stopped. */
  evaluatedTo: number;
  by: Reading['settledBy'];
}

/** Tokens by which the opening of a reply may be lost with it. */
const openings = [0, -1, -3, -4, -6, -10, -16];
const tolerance = 2;

/** Why the prompt parted where the template renders the past otherwise; null = it did not, or nothing tells. */
export function surpriseOf(pending: Pending, count: Count, model: ModelBook): RereadCause | null {
  const { found, change, evidence } = pending;
  const isCounted = count.by === 'engine' || count.by === 'runner';
  if (!isCounted || found.held === null || change !== null || evidence.isLess || count.cached === 0)
    return null;
  // A switch of thinking shows in how the past is rendered, where the card does not tell it.
  if (evidence.thinkChanged) return count.cached < found.cached - slack ? 'flag_changed' : evidence.respelt;
  return emptyThoughts(pending, count, model) ?? respelt(pending, count, model);
}

/** At a new user message a template that drops thoughts drops the empty ones too that it wrote within the turn. */
function emptyThoughts(pending: Pending, { cached }: Count, model: ModelBook): RereadCause | null {
  const { request, facts, found, trail, earlier } = pending;
  const kept = facts.card?.thinking.byDefault;
  if (model.emptyThoughts || kept?.inLoop !== true || kept.afterNextUser !== false) return null;
  if (earlier === null || cached >= found.cached - slack || request.think === false) return null;
  const before = request.messages.slice(0, earlier.messages);
  if (!request.messages.slice(earlier.messages).some(({ role }) => role === 'user')) return null;
  const firstReply = before.findLastIndex(({ role }) => role === 'user') + 1;
  const piece = trail.pieces.findIndex((each, at) => each === replyOpen && trail.at[at] === firstReply);
  if (piece === -1 || !leadsTo(pending, endOf(trail, piece + 1), cached)) return null;
  model.emptyThoughts = true;
  return 'thinking_dropped';
}

/** Where the last reply parted from its own rendering. */
function respelt(pending: Pending, { cached }: Count, model: ModelBook): RereadCause | null {
  const { found, hasReply, trail, facts, evidence } = pending;
  const before = found.held?.trail;
  if (!hasReply || before?.reply == null) return null;
  // A conversation that came back from beside the slot may be short of what it needs to go on.
  if (facts.memory.kind !== 'full' && found.held !== model.runner.slot) return evidence.respelt;
  const { reply } = before;
  const take = (partsAt: PartsAt, offset: number): RereadCause | null => {
    model.replies.learn(reply, followedBy(before, trail.pieces, pending.request, facts), { partsAt, offset });
    return partsAt === 'nowhere' ? null : 'rendering';
  };
  if (cached >= before.tokens - tolerance) return take('nowhere', 0);
  // As expected: it is no news, and may have other reasons than the reply.
  if (Math.abs(cached - found.cached) <= tolerance) return evidence.respelt;
  const parted = facts.memory.kind === 'recurrent' ? null : partedAt(before, cached);
  if (parted) return take(parted.partsAt, parted.offset);
  // The memory went back to a checkpoint: to which one tells how far before the reply they part.
  const opening = openings.find((each) => leadsTo(pending, before.promptTokens + each, cached));
  return opening === undefined ? null : take('start', opening);
}

/** Whether the prompt's own change leads there, if its place is known only so well. */
export function isNearby({ found, trail, facts, change }: Pending, cached: number): boolean {
  if (change === null) return false;
  if (facts.memory.kind === 'full') return cached > found.tokens * 0.85;
  return [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].some((less) => {
    const common = Math.round(found.tokens * (1.04 - 0.02 * less));
    return (
      Math.abs(goBack(found.before, common, Math.round(trail.promptTokens), facts).cached - cached) <=
      tolerance
    );
  });
}

/** Whether a memory that parts there goes back to that very place. */
function leadsTo({ found, trail, facts }: Pending, common: number, cached: number): boolean {
  if (found.held === null) return false;
  return openings.some((each) => {
    const back = goBack(found.before, Math.round(common + each), Math.round(trail.promptTokens), facts);
    return Math.abs(back.cached - cached) <= tolerance;
  });
}
