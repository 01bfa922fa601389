import { expect, test } from 'vitest';
import { maxSessionMs } from '../protocol/limits.ts';
import { createAccess, type AccessRequest } from './access.ts';

function open(now = () => 0) {
  let made = 0;
  return createAccess({ port: 4100, random: () => `secret-${String(++made)}`, now });
}

const get = (changes: Partial<AccessRequest> = {}): AccessRequest => ({
  method: 'GET',
  host: '127.0.0.1:4100',
  origin: undefined,
  ...changes,
});

test('requests for this server are ours, by address or as localhost', () => {
  const access = open();
  expect(access.isOurs(get())).toBe(true);
  expect(access.isOurs(get({ host: 'localhost:4100' }))).toBe(true);
});

test.each([
  'evil.example:4100',
  'evil.example',
  '127.0.0.1',
  '127.0.0.1:4101',
  '127.0.0.1:4100.evil.example',
  undefined,
])('a request for host %s is not ours, so a name that was made to lead here opens nothing', (host) => {
  expect(open().isOurs(get({ host }))).toBe(false);
});

test.each([
  'https://evil.example',
  'null',
  'http://127.0.0.1:4101',
  'https://127.0.0.1:4100',
  'http://localhost:4100',
])('a request from %s is not ours', (origin) => {
  expect(open().isOurs(get({ origin }))).toBe(false);
});

test('whatever changes something must say where it comes from', () => {
  const access = open();
  expect(access.isOurs(get({ method: 'POST' }))).toBe(false);
  expect(access.isOurs(get({ method: 'POST', origin: 'http://127.0.0.1:4100' }))).toBe(true);
});

test('the token is exchanged once, for a secret that is not the token (audit-S3)', () => {
  const access = open();
  const token = access.token();
  const secret = access.exchange(token);
  expect(secret).toBe('secret-3');
  expect(access.exchange(token)).toBeNull();
  expect(access.token()).not.toBe(token);
});

test('only a secret that was given out opens a session (audit-S3)', () => {
  const access = open();
  const secrets = [access.exchange(access.token()), access.exchange(access.token())];
  expect(secrets.map((secret) => access.hasSession(secret ?? ''))).toEqual([true, true]);
  expect(['', 'secret-1', access.token(), `${secrets[0]}x`].map((each) => access.hasSession(each))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('a session ends after 30 days, and not before (audit-S28)', () => {
  let now = 1_000;
  const access = open(() => now);
  const secret = access.exchange(access.token()) ?? '';
  now += maxSessionMs - 1;
  expect(access.hasSession(secret)).toBe(true);
  const later = access.exchange(access.token()) ?? '';
  now += 1;
  expect([access.hasSession(secret), access.hasSession(later)]).toEqual([false, true]);
});

test('signing out everywhere ends every session and changes the address (audit-S28)', () => {
  const access = open();
  const secrets = [access.exchange(access.token()), access.exchange(access.token())];
  const printed = access.token();
  access.signOutEverywhere();
  expect(secrets.map((secret) => access.hasSession(secret ?? ''))).toEqual([false, false]);
  expect(access.exchange(printed)).toBeNull();
  expect(access.exchange(access.token())).not.toBeNull();
});
