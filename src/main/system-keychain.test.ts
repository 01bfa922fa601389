import { expect, test } from 'vitest';
import { openSystemKeychain, type KeychainApi } from './system-keychain.ts';

type Backend = ReturnType<KeychainApi['getSelectedStorageBackend']>;

const api = (backend: Backend, isAvailable = true): KeychainApi & { asked: string[] } => {
  const asked: string[] = [];
  return {
    asked,
    getSelectedStorageBackend: () => backend,
    isAsyncEncryptionAvailable: () => {
      asked.push('available');
      return Promise.resolve(isAvailable);
    },
    encryptStringAsync: (text) => Promise.resolve(Buffer.from(`\0\u00ff${text}`, 'latin1')),
    decryptStringAsync: (sealed) =>
      Promise.resolve({ result: sealed.toString('latin1').slice(2), shouldReEncrypt: false }),
  };
};

test.each<[NodeJS.Platform, Backend, string | null]>([
  ['darwin', 'unknown', 'macos'],
  ['win32', 'unknown', 'windows'],
  ['linux', 'gnome_libsecret', 'gnome'],
  ['linux', 'kwallet5', 'kwallet'],
  ['linux', 'kwallet6', 'kwallet'],
])('On %s with %s the keychain is %s', (platform, backend, name) => {
  expect(openSystemKeychain(api(backend), platform)?.name).toBe(name);
});

test.each<Backend>(['basic_text', 'unknown'])(
  'A password that everybody knows is no keychain: %s',
  (backend) => {
    expect(openSystemKeychain(api(backend), 'linux')).toBeNull();
  },
);

test('What is sealed is opened again, byte for byte', async () => {
  const keychain = openSystemKeychain(api('kwallet6'), 'linux');
  const sealed = await keychain?.seal('sk-äöü');
  expect(sealed).not.toContain('sk-');
  expect(await keychain?.open(sealed ?? '')).toBe('sk-äöü');
});

test('The system is asked for nothing before there is something to keep', async () => {
  const system = api('gnome_libsecret');
  const keychain = openSystemKeychain(system, 'linux');
  expect(system.asked).toEqual([]);
  await keychain?.seal('x');
  expect(system.asked).toEqual(['available']);
});

test('A keychain that does not open is told of', async () => {
  const keychain = openSystemKeychain(api('gnome_libsecret', false), 'linux');
  await expect(keychain?.seal('x')).rejects.toThrow('does not open');
  await expect(keychain?.open('eA==')).rejects.toThrow('does not open');
});
