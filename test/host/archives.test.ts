/** The host's own process, started from its source, as far as Electron's file system is concerned. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectLocally } from '../../src/platform/local-socket.ts';
import type { HostMethods } from '../../src/protocol/host-methods.ts';
import { createRpcClient } from '../../src/protocol/rpc-client.ts';
import { newerPath } from '../helpers/mcp/mcp-world.ts';
import { skillFile } from '../helpers/skill-world.ts';

/** Says, whenever the host tells its parent something, how it sees archives at that moment. */
const spy = `const send = process.send.bind(process);
process.send = (message) => send({ ...message, noAsar: process.noAsar === true });`;

/**
 * Andiron's own code is in an archive, which Electron opens only while the flag is not set (its
 * `lib/node/asar-fs-wrapper.ts`). Registered first, this hook is asked last, as Electron's file system is. The process
 * ends where the flag is cleared for longer than one step: a tool would take somebody's archive for a folder meanwhile.
 */
const ownArchive = `import { registerHooks } from 'node:module';
let noAsar = false;
Object.defineProperty(process, 'noAsar', {
  get: () => noAsar,
  set(value) {
    noAsar = value;
    queueMicrotask(() => noAsar || process.exit(70));
  },
});
const archive = ${JSON.stringify(pathToFileURL(`${resolve('.')}/`).href)};
const read = (url) => {
  if (process.noAsar && url.startsWith(archive)) throw new Error('Cannot find module ' + url);
};
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    read(found.url);
    return found;
  },
  load(url, context, next) {
    read(url);
    return next(url, context);
  },
});`;

let root: string;
let dataDir: string;
let child: ChildProcess;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'andiron-archives-'));
  dataDir = join(root, 'data');
  mkdirSync(dataDir);
});
afterEach(() => {
  child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

/** Resolves with the message that says so once it is ready. */
async function startHost(preloaded: string): Promise<unknown> {
  child = fork(resolve('src/host/entry.ts'), [], {
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(preloaded)}`],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.send({ type: 'init', init: { dataDir, workspace: null, resourcesDir: resolve('resources') } });
  return await new Promise((resolved) => {
    child.on('message', (message: { type: string }) => {
      if (message.type === 'ready') resolved(message);
    });
  });
}

async function openWindow() {
  const pipe = await vi.waitFor(async () => {
    const found = await connectLocally(dataDir, 1e8);
    if (!found) throw new Error('Nobody listens.');
    return found;
  });
  return createRpcClient<HostMethods>(pipe);
}

test('Once the host serves, an archive in a workspace is the file that it is (desk-F11)', async () => {
  expect(await startHost(spy)).toMatchObject({ noAsar: true });
  const exit = once(child, 'exit');
  child.send({ type: 'stop' });
  expect(await exit).toEqual([0, null]);
});

test('A packed host reads a skill, whose parser comes from its own archive while archives are files', async () => {
  const folder = join(dataDir, 'skills', 'greet');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'SKILL.md'), skillFile('greet', 'Say hello.'));
  await startHost(ownArchive);
  const rpc = await openWindow();
  const { skills } = await rpc.call('skill/list', { workspace: root });
  expect(skills).toMatchObject([{ name: 'greet', problem: '' }]);
  rpc.close();
});

test('A packed host greets a server of tools with the client from its own archive while archives are files', async () => {
  const newer = { command: process.execPath, args: [newerPath], unsandboxed: true };
  writeFileSync(join(dataDir, 'mcp.json'), JSON.stringify({ mcpServers: { newer } }));
  await startHost(ownArchive);
  const rpc = await openWindow();
  const { servers } = await rpc.call('mcp/refresh', {});
  expect(servers).toMatchObject([{ name: 'newer', state: { state: 'ready' } }]);
  rpc.close();
});
