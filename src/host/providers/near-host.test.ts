import { expect, test } from 'vitest';
import { isNearHost } from './near-host.ts';

test.each([
  'http://127.0.0.1:8080',
  'http://[::1]:1234/v1',
  'http://localhost:1234',
  'http://192.168.1.20:8080',
  'http://10.0.0.5',
  'http://[fd00::7]:8000',
  'http://attic:11434',
  'http://attic.local:11434',
  'https://gpu.home.arpa',
  'http://pc.fritz.box:11434',
])('The server at %s is the person’s own', (url) => {
  expect(isNearHost({ url })).toBe(true);
});

test.each([
  'https://api.openai.com/v1',
  'https://8.8.8.8/v1',
  'http://local.example.com',
  'http://127.0.0.1.example.com',
  'https://attic.localhost.example',
])('The server at %s is somebody else’s', (url) => {
  expect(isNearHost({ url })).toBe(false);
});

test('A server whose tokens have a price is a service, wherever it is', () => {
  const price = { input: 1, output: 1 };
  const prices = { currency: 'EUR', models: { '*': price } };
  expect(isNearHost({ url: 'http://127.0.0.1:8080', prices })).toBe(false);
});
