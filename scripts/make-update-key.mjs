/**
 * `node scripts/make-update-key.mjs FILE`: makes the key pair that signs updates. The private half goes into FILE, which
 * only its owner can read and which never belongs into the repository; the public half is printed.
 */
import { writeFileSync } from 'node:fs';
import { makeKeyPair } from './feed-signing.ts';

const [file] = process.argv.slice(2);
try {
  if (!file) throw new Error('Name a new file: node scripts/make-update-key.mjs FILE');
  const { privateKey, publicKey } = makeKeyPair();
  // Never over an older key: without it no installed Andiron could be updated any more.
  writeFileSync(file, `${privateKey}\n`, { mode: 0o600, flag: 'wx' });
  console.log(
    `The private key is in ${file}. Keep a copy offline, and give it to the release job as a secret.`,
  );
  console.log(`Set updateKey in src/main/updates/release-source.ts to:\n${publicKey}`);
} catch (error) {
  console.error(error.code === 'EEXIST' ? `${file} exists already.` : error.message);
  process.exitCode = 1;
}
