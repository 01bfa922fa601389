/** How far a prompt is read, from what was expected of it and what the runner says of itself. */
import type { Prefill, RunnerSlot } from '../../../protocol/model.ts';
import type { ReadingSpeed } from './reading-speed.ts';

export interface Expectation {
  /** Milliseconds since the Unix epoch, when the request was sent. */
  since: number;
  promptTokens: number | null;
  /** null = unknown; then all of it may have to be read. */
  cachedTokens: number | null;
  speed: Pick<ReadingSpeed, 'predictMs'>;
}

/** Where the runner was when it was first seen at work on this prompt, or last seen to have gone on. */
export interface Sight {
  at: number;
  processedTokens: number;
}

/** Too little has been read since to say how fast this prompt goes. */
const minTokens = 64;
/** A prediction is no better than this: so long after its end it is not yet called wrong. */
const gracePeriodMs = 1_000;

/** By the clock alone: as far as it should be by now. */
export function predictedProgress(
  { since, promptTokens, cachedTokens, speed }: Expectation,
  now: number,
): Prefill {
  const depth = cachedTokens ?? 0;
  const tokens = promptTokens === null ? null : Math.max(1, promptTokens - depth);
  const expectedMs = tokens === null ? null : speed.predictMs({ tokens, depth });
  const elapsedMs = now - since;
  const common = { since, promptTokens, cachedTokens, source: 'predicted' } as const;
  if (tokens === null || expectedMs === null)
    return { ...common, readTokens: 0, secondsLeft: null, overrun: false };
  if (elapsedMs >= expectedMs) return { ...common, readTokens: tokens, secondsLeft: null, overrun: true };
  return {
    ...common,
    readTokens: Math.floor((tokens * elapsedMs) / expectedMs),
    secondsLeft: (expectedMs - elapsedMs) / 1000,
    overrun: false,
  };
}

/**
 * By the runner's own count. The size of the whole prompt is not in it, so that stays as expected.
 * @param last where it was when its count last changed: from there on the seconds run down, and while nothing more is
 * read no new ones are promised
 */
export function measuredProgress(
  expected: Expectation,
  slot: RunnerSlot,
  { first, last }: { first: Sight; last: Sight },
  now: number,
): Prefill {
  const { since, promptTokens, speed } = expected;
  const { cachedTokens, processedTokens } = slot;
  const leftTokens = promptTokens === null ? null : promptTokens - cachedTokens - processedTokens;
  const common = { since, cachedTokens, readTokens: processedTokens, source: 'measured' } as const;
  // The expectation was too small: at least what is there belongs to the prompt.
  if (leftTokens === null || leftTokens <= 0) {
    const known = promptTokens === null ? null : Math.max(promptTokens, cachedTokens + processedTokens);
    return { ...common, promptTokens: known, secondsLeft: null, overrun: leftTokens !== null };
  }
  const expectedMs = speed.predictMs({ tokens: leftTokens, depth: cachedTokens + processedTokens });
  const readTokens = processedTokens - first.processedTokens;
  const tookMs = last.at - first.at;
  const promisedMs = msLeft();
  const leftMs = promisedMs === null ? null : promisedMs - (now - last.at);
  if (leftMs !== null && leftMs < -gracePeriodMs)
    return { ...common, promptTokens, secondsLeft: null, overrun: true };
  const secondsLeft = leftMs === null ? null : Math.max(0, leftMs) / 1000;
  return { ...common, promptTokens, secondsLeft, overrun: false };

  /** This prompt's own pace says more than that of earlier ones. */
  function msLeft(): number | null {
    if (leftTokens === null) return null;
    const seen = readTokens >= minTokens && tookMs > 0;
    if (expectedMs === null) return seen ? (leftTokens * tookMs) / readTokens : null;
    const depth = cachedTokens + first.processedTokens;
    const should = seen ? speed.predictMs({ tokens: readTokens, depth }) : null;
    return expectedMs * (should === null ? 1 : tookMs / should);
  }
}
