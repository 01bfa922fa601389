/** Texts that prove who a program speaks for. Whoever checks one keeps its hash alone. */
import { randomBytes, timingSafeEqual } from 'node:crypto';

/** Begins with this, so that a text which leaks can be recognised. */
const prefix = 'and_';

/** 256 bits that nobody can guess. */
export const newTokenText = (): string => `${prefix}${randomBytes(32).toString('base64url')}`;

/** Takes as long for a near miss as for a wild guess. */
export function isSameHash(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
