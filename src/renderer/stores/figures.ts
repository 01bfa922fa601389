/**
 * Figures that stand beside each other, made in one place from one source: no part is larger than its whole, and one
 * quantity has one value wherever it is shown. Pure.
 */
import type { ContextUsage, EngineState, ItemOf, LeaseInfo, Prefill, Turn } from '../../protocol/model.ts';

export interface TurnTime {
  /** Without the time in which the turn waited for an answer of the person. */
  workedMs: number;
  askedMs: number;
}

/** @param now what a running turn has lasted until. */
export function turnTime(
  { startedAt, endedAt, phase, phaseSince, askedMs = 0 }: Turn,
  now: number,
): TurnTime {
  if (startedAt === null) return { workedMs: 0, askedMs: 0 };
  const wholeMs = Math.max(0, (endedAt ?? now) - startedAt);
  const isAsking = endedAt === null && phase === 'approval' && phaseSince !== null;
  const asked = Math.min(wholeMs, askedMs + (isAsking ? Math.max(0, now - phaseSince) : 0));
  return { workedMs: wholeMs - asked, askedMs: asked };
}

export interface ContextSplit {
  used: number;
  window: number;
  /** Used share of the window, from 0 to 1. */
  ratio: number;
  /** null = not known; `opening` null = it cannot be told from the conversation. */
  parts: { head: number; opening: number | null; log: number } | null;
}

/** An estimate may come to more than the window holds; what is used of it is then all of it. */
export function splitContext({ usedTokens, windowTokens, estimated, parts }: ContextUsage): ContextSplit {
  const used = Math.min(usedTokens, windowTokens);
  const whole = { used, window: windowTokens, ratio: used / windowTokens };
  // A guess has no parts of its own: those of the count before it would not add up.
  if (estimated || !parts) return { ...whole, parts: null };
  const head = Math.min(parts.headTokens, used);
  const opening = parts.openingTokens === null ? null : Math.min(parts.openingTokens, used - head);
  return { ...whole, parts: { head, opening, log: used - head - (opening ?? 0) } };
}

export interface PrefillSplit {
  /** null = not known. */
  prompt: number | null;
  cached: number | null;
  toRead: number | null;
  read: number;
}

export function splitPrefill({ promptTokens, cachedTokens, readTokens }: Prefill): PrefillSplit {
  if (promptTokens === null) return { prompt: null, cached: cachedTokens, toRead: null, read: readTokens };
  const cached = cachedTokens === null ? null : Math.min(cachedTokens, promptTokens);
  const toRead = promptTokens - (cached ?? 0);
  return { prompt: promptTokens, cached, toRead, read: Math.min(readTokens, toRead) };
}

/** Fewer tokens say nothing of how fast a model reads: a few of them take as long as the fixed part of a step. */
const minForRate = 64;

/** Tokens and the milliseconds in which they were read; null = no speed can be told. */
export function prefillPace(
  { source, readTokens }: Prefill,
  elapsedMs: number,
): { tokens: number; ms: number } | null {
  return source === 'measured' && readTokens >= minForRate ? { tokens: readTokens, ms: elapsedMs } : null;
}

export interface StopTimes {
  /** From the click until the engine was at rest; null = that is not known, or not yet. */
  restMs: number | null;
  /** From the click until the connection was closed; null = there was none. */
  closedMs: number | null;
}

/** A closed connection is no engine at rest, which is what a person means by stopped. */
export function stopTimes({ closedMs, idleMs }: Pick<ItemOf<'stopped'>, 'closedMs' | 'idleMs'>): StopTimes {
  return { closedMs, restMs: closedMs === null || idleMs == null ? null : closedMs + idleMs };
}

/** What is kept of the prompt; null = nothing can be said of it. */
export function keptOf({
  promptTokens,
  keptTokens,
}: Pick<ItemOf<'stopped'>, 'promptTokens' | 'keptTokens'>): { kept: number | null; prompt: number } | null {
  if (promptTokens == null) return null;
  // What is held of a prompt belongs to it: a smaller whole was estimated too small.
  return { kept: keptTokens ?? null, prompt: Math.max(promptTokens, keptTokens ?? 0) };
}

export interface QueueLine {
  holder: LeaseInfo;
  /** Counts from 1; null = it has the GPU. */
  place: number | null;
}

/** Who has the GPU and who waits for it. What is read in advance waits too, and keeps nobody waiting. */
export function gpuQueue({ lease, queue }: Pick<EngineState, 'lease' | 'queue'>): {
  lines: QueueLine[];
  turnsWaiting: number;
} {
  const waiting = queue.filter(({ id }) => id !== lease?.id);
  const lines = waiting.map((holder, index): QueueLine => ({ holder, place: index + 1 }));
  return {
    lines: lease ? [{ holder: lease, place: null }, ...lines] : lines,
    turnsWaiting: waiting.filter(({ purpose }) => purpose === 'turn').length,
  };
}
