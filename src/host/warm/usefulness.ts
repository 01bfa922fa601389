/**
 * Does a warm-up pay? What it evaluated must be found by the next request. Where it is not, that kind of warm-up is
 * switched off for that template until a trial proves it.
 */
import { z } from 'zod';
import type { RequestUsage } from '../../protocol/model.ts';
import { lazyObject } from '../../protocol/lazy-object.ts';

/** `head`: the beginning of a new session; `history`: a conversation as it will render. */
export type WarmKind = 'head' | 'history';

const standingSchema = lazyObject(() => ({
  /** Kinds that are off, and how often each was passed over since. */
  off: z.partialRecord(z.enum(['head', 'history']), z.number().int()),
}));
type Standing = z.infer<typeof standingSchema>;

/** What was learnt, by the digest of the model's bytes; survives a restart. */
export interface WarmFacts {
  read(digest: string): unknown;
  write(digest: string, standing: unknown): void;
}

interface Evaluated {
  sessionId: string;
  model: string;
  digest: string;
  kind: WarmKind;
  /** Of the whole prefix; null = the engine did not count. */
  tokens: number | null;
}

export interface Wasted extends Evaluated {
  tokens: number;
  /** Of the request that should have found them. */
  cachedTokens: number;
  promptMs: number | null;
}

export type Usefulness = ReturnType<typeof createUsefulness>;

const trialEvery = 8;
/** The last piece may join the text behind it, and some memories read a few tokens again. */
const toleratedTokens = 64;
const toleratedShare = 0.03;
/** As long as this no model that is in memory takes: it was loaded for this request, and its cache was lost. */
const reloadMs = 1_000;

export function createUsefulness(facts: WarmFacts, onWasted: (wasted: Wasted) => void) {
  let last: Evaluated | undefined;

  const standingOf = (digest: string): Standing => {
    const read = standingSchema.safeParse(facts.read(digest));
    return read.success ? read.data : { off: {} };
  };
  const note = (digest: string, kind: WarmKind, passedOver: number | undefined): void => {
    const { [kind]: before, ...others } = standingOf(digest).off;
    if (before === passedOver) return;
    facts.write(digest, { off: { ...others, ...(passedOver !== undefined && { [kind]: passedOver }) } });
  };

  return {
    /** Passed over; every eighth time it is let through, as a trial. */
    isOff(digest: string, kind: WarmKind): boolean {
      const passedOver = standingOf(digest).off[kind];
      if (passedOver === undefined) return false;
      note(digest, kind, passedOver + 1);
      return (passedOver + 1) % trialEvery !== 0;
    },
    evaluated: (what: Evaluated): void => void (last = what),
    /** The engine lost what it held: what the next request finds says nothing about the warm-up. */
    disturbed: (): void => void (last = undefined),
    /** The prompt of that session is another one now: the same holds. */
    changed(sessionId: string): void {
      if (last?.sessionId === sessionId) last = undefined;
    },
    /** A request of that session was answered: the first one behind a warm-up judges it. */
    measured(sessionId: string, { model, cachedTokens, promptMs, loadMs, parentCallId }: RequestUsage): void {
      if (last?.model !== model || parentCallId !== undefined) return;
      const what = last;
      last = undefined;
      const { tokens, digest, kind } = what;
      if (what.sessionId !== sessionId || tokens === null || cachedTokens === null) return;
      if ((loadMs ?? 0) >= reloadMs) return;
      const missing = tokens - cachedTokens;
      const isWasted = missing > Math.max(toleratedTokens, tokens * toleratedShare);
      note(digest, kind, isWasted ? 0 : undefined);
      if (isWasted) onWasted({ ...what, tokens, cachedTokens, promptMs });
    },
  };
}
