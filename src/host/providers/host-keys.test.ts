import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { systemFiles } from '../../platform/files.ts';
import type { Keychain } from '../../platform/keychain.ts';
import type { HostConfig } from './host-kind.ts';
import { createHostKeys, type HostKeysDeps } from './host-keys.ts';

const secret = 'sk-lab-0123456789';
const lab: HostConfig = {
  id: 'lab',
  name: 'Lab',
  kind: 'openai',
  url: 'https://lab.example/v1',
  apiKeyEnv: 'LAB_KEY',
};
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'andiron-keys-'));
});
const file = (): string => join(dataDir, 'keys.json');
const text = (): string => readFileSync(file(), 'utf8');

const turn = (words: string): string => Buffer.from(words).toString('hex');
const back = (words: string): string => Buffer.from(words, 'hex').toString();

/** It writes in another way, which is enough to see that what lies on the disk is not the key. */
function hexKeychain(): Keychain & { asked: string[]; refuses: boolean } {
  const keychain = {
    name: 'macos' as const,
    asked: [] as string[],
    refuses: false,
    seal: (words: string) => answer('seal', turn(words)),
    open: (words: string) => answer('open', back(words)),
  };
  const answer = (act: string, words: string): Promise<string> => {
    keychain.asked.push(act);
    return keychain.refuses ? Promise.reject(new Error('User denied access')) : Promise.resolve(words);
  };
  return keychain;
}

const open = (more: Partial<HostKeysDeps> = {}) =>
  createHostKeys({ files: systemFiles, dataDir, keychain: null, env: {}, ...more });

describe('Where there is a keychain', () => {
  test('only what it has sealed lies on the disk, and a later start reads it', async () => {
    const keychain = hexKeychain();
    const keys = open({ keychain });
    expect(keys.place).toEqual({ kind: 'keychain', name: 'macos' });
    await keys.set(lab, ` ${secret}\n`);
    expect(text()).not.toContain(secret);
    expect(await open({ keychain }).keyOf(lab)).toBe(secret);
  });

  test('it is asked for a key once, and not before the key is needed', async () => {
    const keychain = hexKeychain();
    await open({ keychain }).set(lab, secret);
    keychain.asked.length = 0;
    const keys = open({ keychain });
    expect(await keys.standingOf(lab)).toBe('kept');
    expect(keychain.asked).toEqual([]);
    await Promise.all([keys.keyOf(lab), keys.keyOf(lab)]);
    await keys.keyOf(lab);
    expect(keychain.asked).toEqual(['open']);
  });

  test('a key that it does not give is told of, and asked for again with the next request', async () => {
    const keychain = hexKeychain();
    await open({ keychain }).set(lab, secret);
    const keys = open({ keychain });
    keychain.refuses = true;
    await expect(keys.keyOf(lab)).rejects.toMatchObject({
      message: 'The system keychain did not return the key for Lab: User denied access.',
    });
    keychain.refuses = false;
    expect(await keys.keyOf(lab)).toBe(secret);
  });

  test('a key that it does not take is kept nowhere, and the older one stays', async () => {
    const keychain = hexKeychain();
    const keys = open({ keychain });
    await keys.set(lab, secret);
    const before = text();
    keychain.refuses = true;
    await expect(keys.set(lab, 'another')).rejects.toMatchObject({ code: 'invalid_params' });
    expect(text()).toBe(before);
  });

  test('what it sealed cannot be used where it is not', async () => {
    await open({ keychain: hexKeychain() }).set(lab, secret);
    await expect(open().keyOf(lab)).rejects.toMatchObject({ code: 'engine_refused' });
  });
});

describe('Where there is none', () => {
  test.skipIf(process.platform === 'win32')('the keys lie in a file that nobody else reads', async () => {
    const keys = open();
    await keys.set(lab, secret);
    expect(keys.place).toEqual({ kind: 'file', path: file() });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(await open().keyOf(lab)).toBe(secret);
  });
});

test('A key goes to the address it was set for, and to no other', async () => {
  await open().set(lab, secret);
  const moved = { ...lab, url: 'https://elsewhere.example/v1' };
  const keys = open();
  expect(await keys.keyOf(moved)).toBeUndefined();
  expect(await keys.standingOf(moved)).toBe('elsewhere');
  expect(await keys.keyOf({ ...lab, url: 'https://lab.example/v2' })).toBe(secret);
});

test('A key that was set wins over the variable, which counts again once it is removed', async () => {
  const keys = open({ env: { LAB_KEY: ' from-the-shell ' } });
  expect([await keys.keyOf(lab), await keys.standingOf(lab)]).toEqual(['from-the-shell', 'environment']);
  await keys.set(lab, secret);
  expect([await keys.keyOf(lab), await keys.standingOf(lab)]).toEqual([secret, 'kept']);
  await keys.set(lab, null);
  expect([await keys.keyOf(lab), await keys.standingOf(lab)]).toEqual(['from-the-shell', 'environment']);
  expect(text()).not.toContain(secret);
});

test('Without any there is none', async () => {
  expect([await open().keyOf(lab), await open().standingOf(lab)]).toEqual([undefined, 'none']);
  expect(existsSync(file())).toBe(false);
});

test('Two keys that are set at once are both kept', async () => {
  const keys = open();
  const attic = { ...lab, id: 'attic', apiKeyEnv: undefined };
  await Promise.all([keys.set(lab, 'one'), keys.set(attic, 'two')]);
  expect([await keys.keyOf(lab), await keys.keyOf(attic)]).toEqual(['one', 'two']);
});

test.each(['', '  ', 'two words', 'line\nbreak', 'schlüssel'])(
  'What no header can carry is no key: %j',
  async (key) => {
    await expect(open().set(lab, key)).rejects.toMatchObject({ code: 'invalid_params' });
    expect(existsSync(file())).toBe(false);
  },
);

test('A file that cannot be read is never written over', async () => {
  writeFileSync(file(), '{ "hosts": ');
  const keys = open();
  await expect(keys.keyOf(lab)).rejects.toMatchObject({ code: 'engine_refused' });
  await expect(keys.set(lab, secret)).rejects.toThrow(file());
  expect(text()).toBe('{ "hosts": ');
});

test('What a later Andiron wrote beside the keys stays', async () => {
  writeFileSync(file(), JSON.stringify({ hosts: {}, bridges: { chat: { sealed: 'x' } } }));
  await open().set(lab, secret);
  expect(JSON.parse(text())).toMatchObject({ bridges: { chat: { sealed: 'x' } } });
});
