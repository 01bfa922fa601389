/**
 * `node scripts/sign-feed.mjs FOLDER`: signs the feeds (latest*.yml) of a release. The private key comes from
 * ANDIRON_UPDATE_KEY, or from the file that ANDIRON_UPDATE_KEY_FILE names. It must belong to the key of the source.
 */
import { readFileSync } from 'node:fs';
import { updateKey } from '../src/main/updates/release-source.ts';
import { publicKeyOf, readPrivateKey, signFeeds } from './feed-signing.ts';

const [folder] = process.argv.slice(2);
const { ANDIRON_UPDATE_KEY: given, ANDIRON_UPDATE_KEY_FILE: file } = process.env;
try {
  if (!folder) throw new Error('Name the folder of the feeds: node scripts/sign-feed.mjs FOLDER');
  const text = given || (file && readFileSync(file, 'utf8'));
  if (!text) throw new Error('Set ANDIRON_UPDATE_KEY or ANDIRON_UPDATE_KEY_FILE.');
  const key = readPrivateKey(text);
  if (publicKeyOf(key) !== updateKey) {
    throw new Error('This key does not belong to updateKey in src/main/updates/release-source.ts.');
  }
  for (const name of signFeeds(folder, key, new Date())) console.log(`Signed ${name}.`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
