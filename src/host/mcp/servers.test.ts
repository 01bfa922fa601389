import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../platform/clock.ts';
import { systemFiles } from '../../platform/files.ts';
import { silentLog } from '../../platform/log.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { AllowedTool } from '../store/mcp-store.ts';
import type { OpenedTransport } from './server-link.ts';
import { McpServers } from './servers.ts';

let dataDir: string;
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'andiron-mcp-servers-'))));
afterEach(() => rmSync(dataDir, { recursive: true }));

const nothing = (): void => undefined;

/** None of them can be started unless `open` is given, and each try is counted. */
function known(open?: () => Promise<OpenedTransport>, allowed: AllowedTool[] = []) {
  const started: string[] = [];
  const servers = new McpServers({
    store: {
      allowedServers: () => [],
      allowedTools: () => allowed,
      allowTools: nothing,
      forgetMcpTool: nothing,
      setMcpToolOn: nothing,
      removeMcpServer: nothing,
    },
    files: systemFiles,
    dataDir,
    clock: systemClock,
    log: silentLog,
    version: '1',
    open: ({ name }) => {
      started.push(name);
      return open?.() ?? Promise.reject(new AndironError('not_allowed', 'Not here.'));
    },
    signIns: {
      standing: () => Promise.resolve({ state: 'none', problem: null }),
      begin: () => Promise.resolve(''),
      cancel: nothing,
      signOut: () => Promise.resolve(),
    },
    onChange: nothing,
  });
  return { servers, started };
}
const entry = (more: object = {}): string =>
  JSON.stringify({ mcpServers: { one: { command: 'node', ...more } } });

test('A server that is off is started by nothing: not as it is added, turned off, refreshed or wanted', async () => {
  const { servers, started } = known();
  await servers.add(entry({ disabled: true }));
  await servers.change('one', { isOn: false });
  await servers.refresh();
  await servers.wakeAll(new AbortController().signal);
  expect(started).toEqual([]);
  await servers.change('one', { isOn: true });
  expect(started).toEqual(['one']);
  await servers.close();
});

test('A server that is turned on once more is tried anew', async () => {
  const { servers, started } = known();
  await servers.add(entry());
  await servers.change('one', { isOn: false });
  await servers.change('one', { isOn: true });
  expect(started).toEqual(['one', 'one']);
  await servers.close();
});

test('Where nobody is connected nothing can be confirmed', async () => {
  const { servers } = known();
  await servers.add(entry());
  await expect(servers.confirm('one', [])).rejects.toThrow('not connected');
  await expect(servers.refresh('two')).rejects.toThrow('There is no server two');
  await servers.close();
});

test('A tool that was kept with its arguments in another order takes them in the one of its server', async () => {
  const inputSchema = z.object({ start: z.string(), end: z.string() });
  const kept: AllowedTool[] = [];
  const { servers } = known(async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = new McpServer({ name: 'ways', version: '1' });
    server.registerTool('route', { inputSchema }, () => ({ content: [] }));
    await server.connect(far);
    return { transport: near, probeMs: 5_000, endsIfOld: true, lastWords: () => '' };
  }, kept);
  await servers.add(entry());
  const [live] = (await servers.list()).servers.find(({ name }) => name === 'one')?.tools ?? [];
  const { hash } = live ?? { hash: '' };
  const definition = JSON.stringify({ inputSchema: { properties: { end: {}, start: {} } } });
  kept.push({ server: 'one', name: 'route', definition, hash, isOn: true });
  const [call] = servers.usable();
  expect(call?.tool.definition.indexOf('start')).toBeLessThan(call?.tool.definition.indexOf('end') ?? 0);
  await servers.close();
});
