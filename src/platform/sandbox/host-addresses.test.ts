import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { addressKind, parseAuthority } from './host-addresses.ts';

describe('what an address leads to', () => {
  test.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a9fe:a9fe',
    '',
    'localhost',
    '1.2.3',
    '127.1',
  ])('%s is this computer, or nothing that is reached', (address) => {
    expect(addressKind(address)).toBe('own');
  });

  test('each address that this computer has now is its own', () => {
    const mine = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    expect(mine.length).toBeGreaterThan(0);
    for (const { address } of mine) expect(addressKind(address)).toBe('own');
    for (const { address } of mine.filter(({ family }) => family === 'IPv4'))
      expect(addressKind(`::ffff:${address}`)).toBe('own');
  });

  test.each([
    '10.1.2.3',
    '172.16.0.9',
    '172.31.255.255',
    '192.168.178.1',
    '100.64.0.1',
    '198.19.0.1',
    'fd12::1',
    'fc00::1',
    '::ffff:10.1.2.3',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:1::',
  ])('%s is in the own network', (address) => {
    expect(addressKind(address)).toBe('private');
  });

  test.each(['1.1.1.1', '172.32.0.1', '172.15.0.1', '192.169.0.1', '9.255.255.255', '2606:4700::1111'])(
    '%s is elsewhere',
    (address) => {
      expect(addressKind(address)).toBe('public');
    },
  );
});

describe('the host of a tunnel', () => {
  test.each([
    ['example.com:443', 'example.com', 443],
    ['EXAMPLE.com.:8443', 'example.com', 8443],
    ['bücher.example:443', 'xn--bcher-kva.example', 443],
    ['2130706433:80', '127.0.0.1', 80],
    ['0x7f.1:80', '127.0.0.1', 80],
    ['[::ffff:127.0.0.1]:80', '::ffff:7f00:1', 80],
    ['[::1]:65535', '::1', 65_535],
  ])('%s is read in its one spelling', (authority, host, port) => {
    expect(parseAuthority(authority)).toEqual({ host, port });
  });

  test.each([
    'example.com',
    'example.com:',
    ':443',
    'example.com:0',
    'example.com:65536',
    'example.com:443/x',
    'user@example.com:443',
    'a b:443',
    '::1:443',
    '[::1:443',
    'example.com:443:443',
    '%00:443',
    '.:80',
    '',
  ])('%j names none', (authority) => {
    expect(parseAuthority(authority)).toBeNull();
  });
});
