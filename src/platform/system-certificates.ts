/** The certificates of the system beside those that Node brings along. */

/** What is used of `node:tls`. */
export interface CertificateStore {
  getCACertificates(type: 'default' | 'system'): string[];
  setDefaultCACertificates(certificates: readonly string[]): void;
}

/**
 * From now on every request of this process trusts what the system trusts, such as the proxy of a company. A packed app
 * cannot be told by NODE_EXTRA_CA_CERTS (Electron: tutorial/fuses.md). Never throws: a system that does not tell its
 * certificates leaves everything as it was. Reading them may take a moment, so it is no part of the start.
 */
export function trustSystemCertificates(
  onFailure: (error: unknown) => void,
  store: CertificateStore = process.getBuiltinModule('node:tls'),
): void {
  try {
    const system = store.getCACertificates('system');
    if (system.length === 0) return;
    store.setDefaultCACertificates([...new Set([...store.getCACertificates('default'), ...system])]);
  } catch (error) {
    onFailure(error);
  }
}

/** Whoever answers there shows a certificate. */
export const isOverTls = (url: string): boolean => URL.parse(url)?.protocol === 'https:';
