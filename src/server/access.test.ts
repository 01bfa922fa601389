import { expect, test } from 'vitest';
import { createAccess, type AccessRequest } from './access.ts';

function counter() {
  let made = 0;
  return () => `secret-${String(++made)}`;
}

const get = (changes: Partial<AccessRequest> = {}): AccessRequest => ({
  method: 'GET',
  host: '127.0.0.1:4100',
  origin: undefined,
  cookie: undefined,
  ...changes,
});

const cookieOf = (header: string | null): string => header?.split(';')[0] ?? '';

test('requests for this server are ours, by address or as localhost', () => {
  const access = createAccess(4100, counter());
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
  expect(createAccess(4100, counter()).isOurs(get({ host }))).toBe(false);
});

test.each([
  'https://evil.example',
  'null',
  'http://127.0.0.1:4101',
  'https://127.0.0.1:4100',
  'http://localhost:4100',
])('a request from %s is not ours', (origin) => {
  expect(createAccess(4100, counter()).isOurs(get({ origin }))).toBe(false);
});

test('whatever changes something must say where it comes from', () => {
  const access = createAccess(4100, counter());
  expect(access.isOurs(get({ method: 'POST' }))).toBe(false);
  expect(access.isOurs(get({ method: 'POST', origin: 'http://127.0.0.1:4100' }))).toBe(true);
});

test('the token is exchanged once, for a cookie that scripts and other sites never see', () => {
  const access = createAccess(4100, counter());
  const token = access.token();
  const cookie = access.exchange(token);
  expect(cookie).toBe('andiron_4100=secret-3; Path=/; HttpOnly; SameSite=Strict');
  expect(cookie).not.toContain(token);
  expect(access.exchange(token)).toBeNull();
  expect(access.token()).not.toBe(token);
});

test('only a cookie that was given out opens a session, beside whatever other cookies there are', () => {
  const access = createAccess(4100, counter());
  const first = cookieOf(access.exchange(access.token()));
  const second = cookieOf(access.exchange(access.token()));
  const opens = (cookie: string | undefined): boolean => access.hasSession(get({ cookie }));
  expect([opens(first), opens(`theme=dark; ${second}; x=1`)]).toEqual([true, true]);
  expect(
    [undefined, '', 'andiron_4100=', 'andiron_4100=secret-1', first.replace('4100', '4101')].map(opens),
  ).toEqual([false, false, false, false, false]);
});
