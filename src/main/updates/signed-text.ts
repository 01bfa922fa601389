/** The bytes that are signed for a feed. The release job and the app must agree on them. */
import { createHash } from 'node:crypto';

/**
 * Binds a feed to its name and time, so that a signature serves for no other system, channel or moment.
 * @param file name of the feed, without folders
 * @param issuedAt ISO 8601 in UTC
 */
export function signedText(file: string, issuedAt: string, feed: Uint8Array): Buffer {
  const digest = createHash('sha512').update(feed).digest('hex');
  return Buffer.from(`andiron update feed 1\n${file}\n${issuedAt}\n${digest}\n`, 'utf8');
}
