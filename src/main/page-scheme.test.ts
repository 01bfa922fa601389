import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { electron, resetElectron } from '../../test/helpers/electron-stub.ts';
import { isPage, registerPageScheme, servePage } from './page-scheme.ts';

let dir: string;
beforeEach(() => {
  resetElectron();
  dir = mkdtempSync(join(tmpdir(), 'andiron-scheme-'));
  writeFileSync(join(dir, 'index.html'), '<!doctype html>');
});
afterEach(() => {
  resetElectron();
  rmSync(dir, { recursive: true, force: true });
});

async function load(url: string, method = 'GET'): Promise<Response> {
  servePage(dir);
  const answer = electron.protocols.get('app');
  if (!answer) throw new Error('app:// is not served');
  return answer({ url, method });
}

test('the scheme is a real, secure origin that cannot get around the policy', () => {
  electron.ready = false;
  registerPageScheme();
  expect(electron.schemes).toEqual([
    {
      scheme: 'app',
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
});

test('the page is served with its type and a policy that lets it connect to nothing', async () => {
  const response = await load('app://andiron/');
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('<!doctype html>');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain("connect-src 'self';");
  expect(response.headers.get('content-security-policy')).not.toMatch(/unsafe|http|ws:/);
});

test.each([
  ['app://other/', 'GET'],
  ['app://andiron/missing.js', 'GET'],
  ['app://andiron/%2e%2e%2fsecret.js', 'GET'],
  ['app://andiron/', 'POST'],
])('%s by %s is not served', async (url, method) => {
  const response = await load(url, method);
  expect(response.status).toBe(404);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('only the page is the page', () => {
  expect(['app://andiron/', 'app://andiron/index.html#x'].map(isPage)).toEqual([true, true]);
  expect(['app://andiron.evil/', 'https://andiron/', 'app:andiron', ''].map(isPage)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
