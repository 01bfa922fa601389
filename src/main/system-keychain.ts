/** Electron's `safeStorage` as the keychain of the host. */
import type { SafeStorage } from 'electron';
import type { Keychain, KeychainName } from '../platform/keychain.ts';

export type KeychainApi = Pick<
  SafeStorage,
  'decryptStringAsync' | 'encryptStringAsync' | 'getSelectedStorageBackend' | 'isAsyncEncryptionAvailable'
>;

/**
 * After the app is ready: before, Linux does not say what it has. Asks for nothing yet, as the system may ask the person. null =
 * there is none: without a keyring Electron would hide a key behind a password that stands in its source.
 */
export function openSystemKeychain(api: KeychainApi, platform: NodeJS.Platform): Keychain | null {
  const name = nameOf(api, platform);
  if (name === null) return null;
  const ready = async (): Promise<void> => {
    if (!(await api.isAsyncEncryptionAvailable())) throw new Error('The system does not open its keychain.');
  };
  return {
    name,
    async seal(text) {
      await ready();
      return (await api.encryptStringAsync(text)).toString('base64');
    },
    async open(sealed) {
      await ready();
      return (await api.decryptStringAsync(Buffer.from(sealed, 'base64'))).result;
    },
  };
}

function nameOf(api: KeychainApi, platform: NodeJS.Platform): KeychainName | null {
  if (platform === 'darwin') return 'macos';
  if (platform === 'win32') return 'windows';
  const backend = api.getSelectedStorageBackend();
  if (backend === 'gnome_libsecret') return 'gnome';
  return backend.startsWith('kwallet') ? 'kwallet' : null;
}
