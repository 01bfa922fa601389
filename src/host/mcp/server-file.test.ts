import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemFiles } from '../../platform/files.ts';
import { addServers, changeServer, readServerList } from './server-file.ts';

let dataDir: string;
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'andiron-mcp-file-'))));
afterEach(() => rmSync(dataDir, { recursive: true }));

const write = (content: string): void => writeFileSync(join(dataDir, 'mcp.json'), content);
const read = () => readServerList(systemFiles, dataDir);
const add = (content: unknown) => addServers(systemFiles, dataDir, JSON.stringify(content));
const plain = { command: 'node', args: ['a.js'], env: { KEY: 'secret' } };

test('Without a file there is no server and no problem', async () => {
  expect(await read()).toEqual({ servers: [], problem: null });
});

test('Servers of both kinds are read in the form of other clients, sorted by name', async () => {
  write(
    JSON.stringify({ mcpServers: { web: { type: 'http', url: 'https://example.com/mcp' }, local: plain } }),
  );
  const { servers, problem } = await read();
  expect(problem).toBeNull();
  expect(servers).toMatchObject([
    { name: 'local', ...plain },
    { name: 'web', headers: {}, disabled: false },
  ]);
});

test.each([
  ['no JSON', '{"mcpServers": {"a": secret', 'it cannot be read as JSON'],
  ['no command and no address', '{"mcpServers": {"a": {}}}', 'a: command'],
  ['the older transport', '{"mcpServers": {"a": {"type": "sse", "url": "https://a"}}}', 'a: type'],
  [
    'a key in its address',
    '{"mcpServers": {"a": {"url": "https://me:secret@a"}}}',
    'without user and password',
  ],
  ['a name with other signs', '{"mcpServers": {"a.b": {"command": "x"}}}', 'the name "a.b"'],
  [
    'a folder that is no whole path',
    '{"mcpServers": {"a": {"command": "x", "folders": ["b"]}}}',
    'whole paths',
  ],
])('An entry with %s is named, and no secret of it', async (_, content, words) => {
  write(content);
  const { servers, problem } = await read();
  expect(servers).toEqual([]);
  expect(problem).toContain(words);
  expect(problem).not.toContain('secret');
});

test('One wrong entry leaves the others', async () => {
  write(JSON.stringify({ mcpServers: { bad: { command: 7 }, good: plain } }));
  expect((await read()).servers.map(({ name }) => name)).toEqual(['good']);
});

test.each([
  ['a whole file', { mcpServers: { one: plain } }],
  ['a file of an editor', { servers: { one: plain } }],
  ['a part of a file', { one: plain }],
])('%s is taken up as it was pasted', async (_, content) => {
  expect(await add(content)).toEqual(['one']);
  expect((await read()).servers).toMatchObject([{ name: 'one', ...plain }]);
});

test('Whatever else stands in the file and in an entry is kept, and nobody else may read it', async () => {
  write(JSON.stringify({ mcpServers: { old: { ...plain, cwd: '/x' } }, theme: 'dark' }));
  await add({ one: plain });
  await changeServer(systemFiles, dataDir, 'old', { disabled: true });
  expect(JSON.parse(readFileSync(join(dataDir, 'mcp.json'), 'utf8'))).toEqual({
    mcpServers: { old: { ...plain, cwd: '/x', disabled: true }, one: plain },
    theme: 'dark',
  });
  expect(statSync(join(dataDir, 'mcp.json')).mode & 0o077).toBe(0);
});

test('Names that other clients allow become names that tools can have', async () => {
  expect(await add({ 'My Server (1)': plain })).toEqual(['My-Server-1-']);
});

test('What is pasted never says that it needs no sandbox', async () => {
  await add({ one: { ...plain, unsandboxed: true } });
  expect((await read()).servers).toMatchObject([{ unsandboxed: false }]);
});

test.each([
  ['a name that is there', { one: plain }, 'There is a server one already.'],
  ['nothing', {}, 'This names no server.'],
  ['a list', [1], 'This names no server.'],
  ['an entry that is none', { two: { command: '' } }, 'This cannot be used'],
])('%s is refused as a whole', async (_, content, words) => {
  await add({ one: plain });
  await expect(add(content)).rejects.toThrow(words);
  expect((await read()).servers.map(({ name }) => name)).toEqual(['one']);
});

test('A server that is not there can neither be changed nor removed', async () => {
  await expect(changeServer(systemFiles, dataDir, 'toString', null)).rejects.toThrow('There is no server');
});
