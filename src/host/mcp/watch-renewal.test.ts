import { expect, test } from 'vitest';
import { watchRenewal } from './watch-renewal.ts';

const answers = (...statuses: number[]) =>
  watchRenewal(() => Promise.resolve(new Response(null, { status: statuses.shift() ?? 200 })));

test('A network that fails is a fault, and no refusal', async () => {
  const { fetch, isFault } = watchRenewal(() => Promise.reject(new TypeError('fetch failed')));
  await expect(fetch('https://issuer.example/token', { method: 'POST' })).rejects.toThrow('fetch failed');
  expect(isFault()).toBe(true);
});

test.each([500, 503, 408, 429])('A status of %i is a fault, and no refusal', async (status) => {
  const { fetch, isFault } = answers(status);
  await fetch('https://issuer.example/token', { method: 'POST' });
  expect(isFault()).toBe(true);
});

test('A grant that was refused is no fault, whatever else failed on the way', async () => {
  const { fetch, isFault } = answers(503, 400, 503);
  await fetch('https://issuer.example/.well-known/oauth-authorization-server');
  await fetch('https://issuer.example/token', { method: 'POST' });
  await fetch('https://issuer.example/.well-known/oauth-authorization-server');
  expect(isFault()).toBe(false);
});

test('Metadata that is not there is neither a fault nor a refusal', async () => {
  const { fetch, isFault } = answers(404, 503);
  await fetch('https://issuer.example/.well-known/oauth-authorization-server');
  expect(isFault()).toBe(false);
  await fetch('https://issuer.example/token', { method: 'POST' });
  expect(isFault()).toBe(true);
});
