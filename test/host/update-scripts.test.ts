import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeKeyPair, readPrivateKey, signFeeds } from '../../scripts/feed-signing.ts';
import { whatsNewLines } from '../../scripts/whats-new.ts';
import { verifyFeed } from '../../src/main/updates/feed.ts';
import { projectRoot } from '../helpers/server-process.ts';

const run = promisify(execFile);
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'andiron-feeds-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const script = (name: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, [join(projectRoot, 'scripts', name), ...args], { env: { ...process.env, ...env } });

test('every feed of a folder is signed so that the app believes it', () => {
  const { privateKey, publicKey } = makeKeyPair();
  for (const name of ['latest.yml', 'latest-mac.yml', 'notes.txt']) writeFileSync(join(folder, name), name);
  const now = new Date('2026-11-23T10:00:00Z');
  const signed = signFeeds(folder, readPrivateKey(privateKey), now);
  expect(signed.toSorted()).toEqual(['latest-mac.yml', 'latest.yml']);
  for (const name of signed) {
    const feed = readFileSync(join(folder, name));
    const signature = readFileSync(join(folder, `${name}.sig`));
    expect(verifyFeed({ feed, signature }, name, publicKey)).toBe(now.toISOString());
  }
});

test('a release without feeds is not signed in silence', () => {
  const { privateKey } = makeKeyPair();
  expect(() => signFeeds(folder, readPrivateKey(privateKey), new Date())).toThrow(/has no feed/);
});

test('a key is made once, readable by its owner alone, and never over another', async () => {
  const file = join(folder, 'key');
  const { stdout } = await script('make-update-key.mjs', [file]);
  const key = readFileSync(file, 'utf8');
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(stdout).not.toContain(key.trim());
  await expect(script('make-update-key.mjs', [file])).rejects.toThrow('exists already');
  expect(readFileSync(file, 'utf8')).toBe(key);
});

test('signing refuses a key that the app does not know, a text that is none, and no key', async () => {
  writeFileSync(join(folder, 'latest.yml'), 'x');
  const sign = (env: NodeJS.ProcessEnv) =>
    script('sign-feed.mjs', [folder], { ANDIRON_UPDATE_KEY: '', ANDIRON_UPDATE_KEY_FILE: '', ...env });
  await expect(sign({})).rejects.toThrow('Set ANDIRON_UPDATE_KEY');
  await expect(sign({ ANDIRON_UPDATE_KEY: 'nonsense' })).rejects.toThrow('cannot be read');
  const { privateKey } = makeKeyPair();
  await expect(sign({ ANDIRON_UPDATE_KEY: privateKey })).rejects.toThrow('does not belong to updateKey');
});

const changelog = `# Changelog

## Unreleased

- Later.

## 0.2.0 (2026-12-01)

- The first point, over
  two lines. And a second sentence.
- The \`second\` one
- ${'Many words '.repeat(30)}and no end.
- A fourth.

## 0.1.0

- Old.
`;

test('what is new is the first sentence of three points of the version', () => {
  const lines = whatsNewLines(changelog, '0.2.0');
  expect(lines.slice(0, 2)).toEqual(['The first point, over two lines.', 'The second one']);
  expect(lines).toHaveLength(3);
  expect(lines[2]?.length).toBeLessThanOrEqual(161);
  expect(lines[2]).toMatch(/Many…$|words…$/);
});

test('what is new in a version that has no section is what is not released yet', () => {
  expect(whatsNewLines(changelog, '0.3.0')).toEqual(['Later.']);
  expect(whatsNewLines('# Changelog\n', '0.3.0')).toEqual([]);
});
