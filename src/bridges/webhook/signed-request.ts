/**
 * Which requests come from whoever knows the secret: an HMAC-SHA-256 over time and body, not old, and each only once. What
 * was signed before this process began is refused, because nobody knows whether it was used then.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../platform/clock.ts';

export const timeHeader = 'x-andiron-time';
export const signatureHeader = 'x-andiron-signature';
/** Clocks of two machines differ, in either direction. */
const maxAgeMs = 5 * 60 * 1000;

/** @param time Unix seconds, as written in the header */
export function signatureOf(secret: string, time: string, body: Buffer | string): string {
  return `sha256=${createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')}`;
}

export type SignatureFault = 'unsigned' | 'wrong_signature' | 'too_old' | 'replayed';

/** Returns null for a request that may be served; it may not be served again. */
export function createSignatureCheck(secret: string, clock: Pick<Clock, 'now'>) {
  const startedAt = clock.now();
  /** With the time at which each is too old anyway. In the order in which they came. */
  const used = new Map<string, number>();

  return (headers: IncomingHttpHeaders, body: Buffer): SignatureFault | null => {
    const { [timeHeader]: time, [signatureHeader]: signature } = headers;
    if (typeof time !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(time))
      return 'unsigned';
    const expected = signatureOf(secret, time, body);
    if (!isSame(signature, expected)) return 'wrong_signature';
    const [now, signedAt] = [clock.now(), Number(time) * 1000];
    if (Math.abs(now - signedAt) > maxAgeMs || signedAt < startedAt - (startedAt % 1000)) return 'too_old';
    for (const [each, forgettable] of used) if (forgettable < now) used.delete(each);
    if (used.has(expected)) return 'replayed';
    used.set(expected, signedAt + maxAgeMs);
    return null;
  };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
