import { describe, expect, it } from 'vitest';
import { approvalModeSchema } from '../protocol/profile.ts';
import { hostName, hostReason, hostScopes, isHostName, type HostInput } from './asked-host.ts';

describe('the name of a host in a question', () => {
  it('has a port where that is none of the web’s', () => {
    expect(hostName({ host: 'a.example', port: 443 })).toBe('a.example');
    expect(hostName({ host: 'a.example', port: 80 })).toBe('a.example');
    expect(hostName({ host: 'a.example', port: 22 })).toBe('a.example:22');
    expect(hostName({ host: 'fd12::1', port: 8080 })).toBe('[fd12::1]:8080');
  });

  it.each(['registry.npmjs.org', 'xn--bcher-kva.example', 'a.example:8443'])(
    '%s may be named for good',
    (name) => {
      expect(isHostName(name)).toBe(true);
    },
  );

  it.each([
    '',
    'localhost',
    '127.0.0.1',
    '10.0.0.1',
    'A.example',
    'a.example/',
    '*.example',
    'a b.example',
    '.example',
    '[::1]',
  ])('%j may not', (name) => {
    expect(isHostName(name)).toBe(false);
  });
});

describe('whether a host is asked about', () => {
  const plain: HostInput = { policy: 'auto_read', isPrivate: false, allowed: null, isTainted: false };
  const modes = approvalModeSchema.options;

  it.each(modes)('one that nobody allowed is, in the mode %s', (policy) => {
    expect(hostReason({ ...plain, policy })).not.toBeNull();
    expect(hostReason({ ...plain, policy, isTainted: true })).not.toBeNull();
  });

  it('one that is allowed for the session or the folder is not', () => {
    expect(hostReason({ ...plain, allowed: 'session' })).toBeNull();
    expect(hostReason({ ...plain, allowed: 'folder' })).toBeNull();
  });

  it.each(modes.filter((policy) => policy !== 'ask'))(
    'one that is allowed asks again in the mode %s once the session has read from elsewhere',
    (policy) => {
      for (const allowed of ['folder', 'session'] as const) {
        expect(hostReason({ ...plain, policy, allowed })).toBeNull();
        expect(hostReason({ ...plain, policy, allowed, isTainted: true })).toBe('tainted');
      }
    },
  );

  it('nothing is offered for longer where it is allowed already, or where everything asks', () => {
    for (const allowed of ['folder', 'session'] as const)
      expect(hostScopes({ ...plain, allowed })).toEqual([]);
    expect(hostScopes({ ...plain, policy: 'ask' })).toEqual([]);
  });

  it('every host asks where everything asks', () => {
    expect(hostReason({ ...plain, policy: 'ask', allowed: 'session' })).toBe('policy');
    expect(hostReason({ ...plain, policy: 'ask', allowed: 'folder' })).toBe('policy');
  });

  it('what lies in the own network is allowed for a session at most', () => {
    expect(hostScopes({ ...plain, isPrivate: true })).toEqual(['session']);
    expect(hostScopes({ ...plain, isPrivate: true, allowed: 'folder' })).toEqual(['session']);
    expect(hostScopes(plain)).toEqual(['session', 'folder']);
    expect(hostReason({ ...plain, isPrivate: true, allowed: 'folder' })).toBe('host');
  });
});
