/**
 * Whether a model can be relied on for something, by counts of what it did. Counts fade, so what a model did long ago
 * decides less than what it does now, and no single event changes anything.
 */
import type { Ability } from '../protocol/abilities.ts';

export interface Evidence {
  good: number;
  bad: number;
  /** The ability was relied on after the newest observation. */
  held: boolean;
  /** Of the newest observation; ms. */
  at: number;
}

/** What is expected before anything was seen, as if it had been observed so often: good, bad. */
const expected: Readonly<Record<Ability, readonly [good: number, bad: number]>> = {
  opens: [1, 1],
  native: [1, 1],
  text: [1, 1],
  grammar: [2, 1],
  pattern: [2, 1],
  values: [2, 1],
  settles: [1, 1],
  picks: [1, 1],
  restraint: [1, 1],
  planning: [1, 1],
  notes: [1, 1],
};

/** The gap keeps a model from flickering between two ways. */
const gainedAt = 0.6;
const lostBelow = 0.45;
export const maxEvidence = 20;
const halfLifeMs = 30 * 24 * 60 * 60 * 1_000;
/** With fewer, a single new one could tip what is left of old evidence either way. */
const minObservations = 3;
/** Of so many observations, this share is left when they are some days old. */
const stillFresh = 0.9;

export const scoreOf = (ability: Ability, { good, bad }: Pick<Evidence, 'good' | 'bad'>): number => {
  const [p, q] = expected[ability];
  return (good + p) / (good + bad + p + q);
};

/** Held before anything was observed. */
export const isExpected = (ability: Ability): boolean => scoreOf(ability, { good: 0, bad: 0 }) >= gainedAt;

/** It was not seen to fail more often than not: worth a try, though not to be relied on. */
export const isHopeful = (ability: Ability, evidence: Evidence, now: number): boolean => {
  const left = fadeEvidence(evidence, now);
  return !isTelling(left) || scoreOf(ability, left) >= lostBelow;
};

/** There is enough of it to decide. @param observations that it takes */
export const isTelling = (
  { good, bad }: Pick<Evidence, 'good' | 'bad'>,
  observations = minObservations,
): boolean => good + bad >= observations * stillFresh;

/** As much of it as still counts at `now`. A clock that went back fades nothing. */
export function fadeEvidence(evidence: Evidence, now: number): Evidence {
  const left = 0.5 ** (Math.max(0, now - evidence.at) / halfLifeMs);
  return { ...evidence, good: evidence.good * left, bad: evidence.bad * left };
}

/** `before`: as it was stored. */
export function addObservation(ability: Ability, before: Evidence, isGood: boolean, now: number): Evidence {
  const isHeld = holds(ability, before, now);
  // What is tried again gets as many tries as at first: what is left of old evidence does not count against it.
  const left = isHeld && !before.held ? { good: 0, bad: 0 } : fadeEvidence(before, now);
  const good = left.good + (isGood ? 1 : 0);
  const bad = left.bad + (isGood ? 0 : 1);
  const scale = Math.min(1, maxEvidence / (good + bad));
  const counted = { good: good * scale, bad: bad * scale };
  return { ...counted, held: holdsBy(ability, counted, isHeld), at: now };
}

/** What was lost is tried again once the evidence has faded, if it is expected of every model. */
export function holds(ability: Ability, evidence: Evidence, now: number): boolean {
  return evidence.held || (isExpected(ability) && !isTelling(fadeEvidence(evidence, now)));
}

function holdsBy(ability: Ability, counts: Pick<Evidence, 'good' | 'bad'>, before: boolean): boolean {
  if (!isTelling(counts)) return before;
  const score = scoreOf(ability, counts);
  return before ? score >= lostBelow : score >= gainedAt;
}
