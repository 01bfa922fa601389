/**
 * The update feed: a small file per system and channel that names the newest version and the checksums of its files.
 * It is believed only with a signature of Andiron's own key, which lies beside it (`latest-linux.yml.sig`).
 */
import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../protocol/json.ts';
import { UpdateFailure } from './failure.ts';
import { signedText } from './signed-text.ts';

/** What the server may send for a feed and for its signature. */
export const maxFeedBytes = 64 * 1024;
export const maxSignatureBytes = 4 * 1024;
/** An installer is about 120 MB. */
const maxFileBytes = 1024 * 1024 * 1024;
const maxFiles = 20;

const signatureSchema = z.object({
  /** The feed that was signed, without folders. */
  file: z.string().max(100),
  /** When it was signed: a feed never follows a younger one. */
  issuedAt: z.iso.datetime(),
  /** Ed25519, base64. */
  signature: z.base64().max(200),
});

/** No folder, no address, nothing that a shell or a file system reads as more than a name. */
const fileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,150}$/);
const version = z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z.-]{1,40})?$/);
const sha512 = z.base64().length(88);

/** What is not named here is dropped: nothing else of a feed may steer the update. */
const feedSchema = z.object({
  version,
  files: z
    .array(z.object({ url: fileName, sha512, size: z.number().int().positive().max(maxFileBytes) }))
    .min(1)
    .max(maxFiles),
});

export type Feed = z.infer<typeof feedSchema>;

/** As electron-builder names it. Windows and macOS list both architectures in one feed. */
export function feedFileName(channel: string, platform: NodeJS.Platform, arch: string): string {
  if (platform === 'win32') return `${channel}.yml`;
  if (platform === 'darwin') return `${channel}-mac.yml`;
  return arch === 'x64' ? `${channel}-linux.yml` : `${channel}-linux-${arch}.yml`;
}

export interface SignedFeed {
  /** The bytes as they came. */
  feed: Uint8Array;
  signature: Uint8Array;
}

/**
 * Throws UpdateFailure unless the key's owner signed these bytes as this file. Nothing in them is believed before.
 * @param file that was asked for
 * @param publicKey base64 of an Ed25519 key (SPKI, DER)
 * @returns when it was signed
 */
export function verifyFeed({ feed, signature }: SignedFeed, file: string, publicKey: string): string {
  const said = signatureSchema.safeParse(jsonOf(signature));
  if (!said.success) throw new UpdateFailure('bad-signature', { cause: said.error });
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  const text = signedText(said.data.file, said.data.issuedAt, feed);
  const isOurs =
    key.asymmetricKeyType === 'ed25519' &&
    verify(null, text, key, Buffer.from(said.data.signature, 'base64'));
  if (!isOurs) throw new UpdateFailure('bad-signature');
  if (said.data.file !== file) throw new UpdateFailure('other-feed');
  return said.data.issuedAt;
}

/**
 * @param content of a feed that was verified, as its YAML says it
 * @throws UpdateFailure when it lacks something, or names a file elsewhere than beside it
 */
export function readFeed(content: unknown): Feed {
  const feed = feedSchema.safeParse(content);
  if (!feed.success) throw new UpdateFailure('unreadable', { cause: feed.error });
  return feed.data;
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return parseJson(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}
