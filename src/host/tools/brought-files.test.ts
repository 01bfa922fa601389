import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { filesIn } from './brought-files.ts';
import { defineTool } from './define-tool.ts';
import { quietServices } from './testing.ts';
import { resultCap, type ToolContext } from './tool.ts';

const unknown = { path: null, bytes: null, mime: 'application/octet-stream' };

it('A value with an address brings one file out, named "file" where it has no name (C3)', () => {
  expect(filesIn({ url: 'https://files/1' })).toEqual([{ ...unknown, name: 'file', url: 'https://files/1' }]);
  expect(filesIn({ url: 'https://files/1', filename: 'a.pdf', bytes: 12, mime: 'application/pdf' })).toEqual([
    { name: 'a.pdf', path: null, url: 'https://files/1', bytes: 12, mime: 'application/pdf' },
  ]);
});

it('Each entry of files that has an address is brought out, and the others are passed over (C3)', () => {
  const value = {
    files: [{ url: 'a' }, { name: 'no address' }, null, 'text', { url: 7 }, { url: 'b', name: 'b.md' }],
  };
  expect(filesIn(value).map(({ name, url }) => [name, url])).toEqual([
    ['file', 'a'],
    ['b.md', 'b'],
  ]);
});

it('Whatever a tool returns, looking for files in it never throws (P16)', () => {
  const hostile = Object.defineProperty({}, 'url', {
    enumerable: true,
    get: () => {
      throw new Error('no');
    },
  });
  expect(filesIn(hostile)).toEqual([]);
  fc.assert(fc.property(fc.anything(), (value) => void filesIn(value)));
  fc.assert(fc.property(fc.anything(), (files) => void filesIn({ files, url: files })));
});

it('A value cannot bring out endless files, names or addresses (P16)', () => {
  const files = Array.from({ length: 1_000 }, (_, n) => ({ url: String(n), name: 'n'.repeat(10_000) }));
  const found = filesIn({ files });
  expect(found).toHaveLength(50);
  expect(found[0]?.name).toHaveLength(200);
  expect(filesIn({ url: 'u'.repeat(10_000) })).toEqual([]);
});

const context: ToolContext = {
  workspace: '/w',
  callId: 'call',
  sessionId: 'session',
  signal: new AbortController().signal,
  output: () => undefined,
  ...quietServices(),
};

const listing = (ok: boolean) =>
  defineTool({
    name: 'listing',
    description: 'Lists.',
    parameters: z.object({}),
    mutates: false,
    retrySafe: true,
    risk: 'read',
    about: 'outside',
    timeoutMs: null,
    subject: () => '',
    need: () => ({ summary: '', mutates: '', sandboxed: false, scopes: ['once'] }),
    execute: () => {
      const value = { files: [{ url: 'https://files/1', name: 'one.md' }], log: 'x'.repeat(2 * resultCap) };
      return Promise.resolve({ ok, content: JSON.stringify(value), display: null, value });
    },
  }).parse({});

it('Files are read from the value of a result before its words are cut (P16)', async () => {
  const parsed = listing(true);
  if (!parsed.ok) throw new Error(parsed.error);
  const result = await parsed.call.execute(context);
  expect(result.content.length).toBeLessThan(2 * resultCap);
  expect(result.files?.map(({ name }) => name)).toEqual(['one.md']);
  expect(result).not.toHaveProperty('value');
});

it('A result that failed brings no files out (C3)', async () => {
  const parsed = listing(false);
  if (!parsed.ok) throw new Error(parsed.error);
  expect(await parsed.call.execute(context)).not.toHaveProperty('files');
});
