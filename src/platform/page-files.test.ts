import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { contentSecurityPolicy, pageFile } from './page-files.ts';

const root = resolve('/app/out/renderer');

test('the root is the page, and files are found under it with their types', () => {
  expect(pageFile(root, '/')).toEqual({
    path: resolve(root, 'index.html'),
    contentType: 'text/html; charset=utf-8',
    immutable: false,
  });
  expect(pageFile(root, '/assets/index-abc.js')).toEqual({
    path: resolve(root, 'assets/index-abc.js'),
    contentType: 'text/javascript; charset=utf-8',
    immutable: true,
  });
});

test.each([
  '/../main/server.js',
  '/%2e%2e/main/server.js',
  '/..%2fmain%2fserver.js',
  '/assets/../../main/host.js',
  '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
  '/../renderer-other/index.html',
  '/index.html%00.js',
  '/%E0%A4%A.js',
  '/assets',
  '/secret',
  '/shell.sh',
])('%s is none of its files', (path) => {
  expect(pageFile(root, path)).toBeNull();
});

test('the policy allows nothing inline, nothing evaluated and nothing from elsewhere', () => {
  const policy = contentSecurityPolicy(['ws://127.0.0.1:1']);
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self' ws://127.0.0.1:1");
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types andiron-workers");
});
