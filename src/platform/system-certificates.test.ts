import { expect, test } from 'vitest';
import { trustSystemCertificates } from './system-certificates.ts';

function storeOf(system: string[] | Error) {
  const set: (readonly string[])[] = [];
  const failures: unknown[] = [];
  trustSystemCertificates((error) => failures.push(error), {
    getCACertificates(type) {
      if (type === 'default') return ['node 1', 'both'];
      if (system instanceof Error) throw system;
      return system;
    },
    setDefaultCACertificates: (certificates) => void set.push(certificates),
  });
  return { set, failures };
}

test('What the system trusts is trusted beside what Node brings along, each once (desk-F19)', () => {
  expect(storeOf(['both', 'company']).set).toEqual([['node 1', 'both', 'company']]);
});

test('A system that tells no certificates takes none away (desk-F19)', () => {
  expect(storeOf([]).set).toEqual([]);
});

test('A system whose certificates cannot be read is told to the log and changes nothing (desk-F19)', () => {
  const unreadable = new Error('The keychain is locked.');
  expect(storeOf(unreadable)).toEqual({ set: [], failures: [unreadable] });
});

test('The certificates of this system can be read and set (desk-F19)', () => {
  const failures: unknown[] = [];
  trustSystemCertificates((error) => failures.push(error));
  expect(failures).toEqual([]);
});
