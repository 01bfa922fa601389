/** When another model may answer instead, and what is left alone for how long (F9, N3). Pure: time comes in. */
import { AndironError, type ErrorCode } from '../../protocol/errors.ts';
import { HostRefusal } from './openai-failures.ts';

/** A dead host is asked again soon: starting one takes a minute. A model does not appear by itself. */
export const hostAsideMs = 60_000;
export const modelAsideMs = 600_000;

export interface Answerer {
  host: string;
  model: string;
}

/** What is asked behind the others for a while: where nobody else answers, it may. */
export interface BreakerEntry {
  host: string;
  /** null = the whole host. */
  model: string | null;
  /** Milliseconds since the Unix epoch. */
  since: number;
  until: number;
}

/** Whose fault a failure is. `request`: nobody's for long, another may try; `final`: it would fail anywhere, or must be seen. */
export type Blame = 'host' | 'model' | 'request' | 'final';

const blames: Partial<Record<ErrorCode, Blame>> = {
  engine_unavailable: 'host',
  stream_cut: 'host',
  model_missing: 'model',
  load_failed: 'request',
};

/** Of a failure before the first token. A refusal of the request itself (4xx) is final (P: never retried, never failed over). */
export function classifyFailure(error: unknown): Blame {
  if (!(error instanceof AndironError)) return 'final';
  const passing = error instanceof HostRefusal && error.status >= 500 ? 'request' : 'final';
  return blames[error.code] ?? passing;
}

/** The list with one more left aside; what has expired, or is said anew, is gone from it. */
export function withEntry(
  entries: readonly BreakerEntry[],
  { host, model }: Answerer,
  error: AndironError,
  now: number,
): BreakerEntry[] {
  const blame = classifyFailure(error);
  const kept = activeEntries(entries, now);
  if (blame !== 'host' && blame !== 'model') return kept;
  const subject = blame === 'host' ? null : model;
  const until = now + (blame === 'host' ? hostAsideMs : modelAsideMs);
  const others = kept.filter((entry) => entry.host !== host || entry.model !== subject);
  return [...others, { host, model: subject, since: now, until }];
}

/** Retry: whatever was said of that host is forgotten. */
export function withoutHost(entries: readonly BreakerEntry[], host: string): BreakerEntry[] {
  return entries.filter((entry) => entry.host !== host);
}

export function activeEntries(entries: readonly BreakerEntry[], now: number): BreakerEntry[] {
  return entries.filter(({ until }) => until > now);
}

/** The one whose model has just answered is left aside no more; what was said of its other models is kept. */
export function withoutAnswerer(entries: readonly BreakerEntry[], { host, model }: Answerer): BreakerEntry[] {
  return entries.filter((entry) => entry.host !== host || (entry.model !== null && entry.model !== model));
}

/** Who is asked next: in their order, but whatever is left aside behind all others. */
export function nextOf<T extends Answerer>(
  candidates: readonly T[],
  entries: readonly BreakerEntry[],
  now: number,
): T | undefined {
  return candidates.find((each) => !entryOf(entries, each, now)) ?? candidates[0];
}

/** Why it is left aside now; undefined = it is not. */
export function entryOf(
  entries: readonly BreakerEntry[],
  { host, model }: Answerer,
  now: number,
): BreakerEntry | undefined {
  return activeEntries(entries, now).find(
    (entry) => entry.host === host && (entry.model === null || entry.model === model),
  );
}
