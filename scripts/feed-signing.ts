/** Signs feeds of updates with Andiron's own key. The app verifies them with src/main/updates/feed.ts. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signedText } from '../src/main/updates/signed-text.ts';

/** Both halves as base64 of DER: one line each, for a secret and for the source. */
export function makeKeyPair(): { privateKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}

/** @param privateKey base64 of an Ed25519 key (PKCS #8, DER). Throws in words when it is none. */
export function readPrivateKey(privateKey: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: Buffer.from(privateKey.trim(), 'base64'), format: 'der', type: 'pkcs8' });
  } catch (error) {
    throw new Error('The private key cannot be read. Make one with scripts/make-update-key.mjs.', {
      cause: error,
    });
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The private key is not an Ed25519 key.');
  return key;
}

/** The public half, as the source has it. */
export function publicKeyOf(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64');
}

/** The text of the file beside a feed. */
export function signFeed(file: string, feed: Uint8Array, privateKey: KeyObject, now: Date): string {
  const issuedAt = now.toISOString();
  const signature = sign(null, signedText(file, issuedAt, feed), privateKey).toString('base64');
  return `${JSON.stringify({ file, issuedAt, signature })}\n`;
}

/** Signs every feed of a folder and returns their names. Throws when there is none: a release without updates is a fault. */
export function signFeeds(folder: string, privateKey: KeyObject, now: Date): string[] {
  const feeds = readdirSync(folder).filter((name) => name.endsWith('.yml'));
  if (feeds.length === 0) throw new Error(`${folder} has no feed (*.yml) to sign.`);
  for (const name of feeds) {
    const text = signFeed(name, readFileSync(join(folder, name)), privateKey, now);
    writeFileSync(join(folder, `${name}.sig`), text);
  }
  return feeds;
}
