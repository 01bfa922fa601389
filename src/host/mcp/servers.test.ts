import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { systemFiles } from '../../platform/files.ts';
import { silentLog } from '../../platform/log.ts';
import { AndironError } from '../../protocol/errors.ts';
import { McpServers } from './servers.ts';

let dataDir: string;
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'andiron-mcp-servers-'))));
afterEach(() => rmSync(dataDir, { recursive: true }));

const nothing = (): void => undefined;

/** None of them can be started, and each try is counted. */
function known() {
  const started: string[] = [];
  const servers = new McpServers({
    store: {
      allowedServers: () => [],
      allowedTools: () => [],
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
      return Promise.reject(new AndironError('not_allowed', 'Not here.'));
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
