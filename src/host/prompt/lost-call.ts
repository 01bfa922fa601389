/**
 * A call that the engine's parser could not read is dropped without a word on several families; a count of written
 * tokens well above what arrived is its only trace.
 */
import type { ReplyCounters } from '../providers/provider.ts';

/** Template scaffolding around a reply: end marks, think tags. */
const scaffoldingTokens = 24;
/** How far a guess may be off before it means something. */
const tolerance = 1.5;

export interface ArrivedReply {
  thinking: string;
  text: string;
  calls: number;
}

/** How many written tokens never arrived; null = nothing is missing, or the engine did not count. */
export function missingTokens(reply: ArrivedReply, counters: ReplyCounters): number | null {
  if (counters.outputTokens === null || reply.calls > 0) return null;
  const arrived = likelyTokens(reply.thinking) + likelyTokens(reply.text);
  return counters.outputTokens > arrived * tolerance + scaffoldingTokens
    ? Math.round(counters.outputTokens - arrived)
    : null;
}

/** Generous on purpose: digits, punctuation and other scripts often are a token each. */
function likelyTokens(text: string): number {
  let tokens = 0;
  for (const character of text) tokens += /[a-z\s]/i.test(character) ? 0.25 : 1;
  return tokens;
}
