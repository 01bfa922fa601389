/** What requests made the engine read: cached, strictly new, read again and why. Pure. */
import type { Reading, RequestUsage, RereadCause, Turn } from '../../protocol/model.ts';

/** Tokens; null = a request did not say, so the sum is unknown. */
export interface ReadingTotals {
  cached: number | null;
  fresh: number | null;
  /** 0 where nothing is known to have been read again. */
  reread: number;
  /** What the part read again took, by its share of what was evaluated; null = unknown. */
  rereadMs: number | null;
  /** What the strictly new part took. */
  freshMs: number | null;
}

/** Without an account of its own all that was evaluated counts as new: nothing is blamed. */
export function readingOf(request: RequestUsage): ReadingTotals {
  const reported = request.reading?.rereadTokens ?? 0;
  const cached = request.cachedTokens ?? request.reading?.cachedTokens ?? null;
  const evaluated = request.evaluatedTokens ?? newOf(request.reading, reported);
  // A few tokens that every engine evaluates again have no cause: without one nothing is called read again.
  const reread = request.reading?.cause == null ? 0 : Math.min(reported, evaluated ?? reported);
  const fresh = evaluated === null ? null : evaluated - reread;
  const share = evaluated !== null && evaluated > 0 ? Math.min(1, reread / evaluated) : 0;
  const { promptMs } = request;
  return {
    cached,
    fresh,
    reread,
    rereadMs: promptMs === null ? null : promptMs * share,
    freshMs: promptMs === null ? null : promptMs * (1 - share),
  };
}

function newOf(reading: Reading | undefined, reread: number): number | null {
  const fresh = reading?.newTokens ?? null;
  return fresh === null ? null : fresh + reread;
}

export function totalReading(usage: RequestUsage[]): ReadingTotals {
  const each = usage.map(readingOf);
  const sum = (pick: (totals: ReadingTotals) => number | null): number | null =>
    each.length === 0
      ? null
      : each.map(pick).reduce((all, value) => (all === null || value === null ? null : all + value), 0);
  return {
    cached: sum(({ cached }) => cached),
    fresh: sum(({ fresh }) => fresh),
    reread: sum(({ reread }) => reread) ?? 0,
    rereadMs: sum(({ rereadMs }) => rereadMs),
    freshMs: sum(({ freshMs }) => freshMs),
  };
}

/** Tokens a second that the engine read and wrote; null = a request did not say, or there was nothing. */
export function speedsOf(usage: RequestUsage[]): { read: number | null; write: number | null } {
  return {
    read: speed(usage.map(({ evaluatedTokens, promptMs }) => [evaluatedTokens, promptMs])),
    write: speed(usage.map(({ outputTokens, outputMs }) => [outputTokens, outputMs])),
  };
}

function speed(parts: [tokens: number | null, ms: number | null][]): number | null {
  let [tokens, time] = [0, 0];
  for (const [count, ms] of parts) {
    if (count === null || ms === null) return null;
    tokens += count;
    time += ms;
  }
  return tokens === 0 || time === 0 ? null : (tokens * 1000) / time;
}

/** One cause of what was read again in some requests. */
export interface Reread {
  cause: RereadCause;
  owner: Reading['owner'];
  tokens: number;
  /** null = unknown. */
  ms: number | null;
  requests: number;
  /** In words, as the newest request tells it; may be empty. */
  detail: string;
  parting: Reading['parting'];
}

/** The dearest first. */
export function rereadsOf(usage: RequestUsage[]): Reread[] {
  const found = new Map<string, Reread>();
  for (const request of usage) {
    const { reading } = request;
    const { reread, rereadMs } = readingOf(request);
    if (!reading || reading.cause === null || reread === 0) continue;
    const key = `${reading.cause}:${reading.owner ?? ''}`;
    const before = found.get(key);
    found.set(key, {
      cause: reading.cause,
      owner: reading.owner,
      tokens: (before?.tokens ?? 0) + reread,
      ms: before && (before.ms === null || rereadMs === null) ? null : (before?.ms ?? 0) + (rereadMs ?? 0),
      requests: (before?.requests ?? 0) + 1,
      detail: reading.detail || (before?.detail ?? ''),
      parting: reading.parting ?? before?.parting ?? null,
    });
  }
  return [...found.values()].toSorted((a, b) => b.tokens - a.tokens);
}

const costlyMs = 3000;
const costlyShare = 0.2;

/**
 * What was read again cost enough to warn of: more than three seconds, or a fifth of the turn. Where no time is known,
 * tokens stand for it. `workedMs` null = the turn still runs, so no share of its time is known.
 */
export function isCostly(
  { cached, fresh, reread, rereadMs }: ReadingTotals,
  workedMs: number | null,
): boolean {
  if (rereadMs === null) return reread > ((cached ?? 0) + (fresh ?? 0) + reread) * costlyShare;
  return rereadMs > costlyMs || (workedMs !== null && rereadMs > workedMs * costlyShare);
}

const longWaitMs = 10_000;
const longLoadMs = 1_000;
const tellingReread = 500;

/** Worth asking why: it read a good deal again, loaded the model, or waited long for a first word. */
export function wasSlow({ usage }: Pick<Turn, 'usage'>, workedMs: number): boolean {
  const reading = totalReading(usage);
  return (
    (reading.reread >= tellingReread && isCostly(reading, workedMs)) ||
    usage.some(({ loadMs, waitedMs }) => (loadMs ?? 0) >= longLoadMs || waitedMs >= longWaitMs)
  );
}
