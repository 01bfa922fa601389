import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemFiles } from '../../platform/files.ts';
import type { ProcessRequest } from '../../platform/processes.ts';
import type { WantedHost } from '../../platform/sandbox/host-proxy.ts';
import { noSandbox, type Sandbox, type SandboxPolicy } from '../../platform/sandbox/sandbox.ts';
import { openProcess, serverFolder } from './open-process.ts';
import type { CommandServer } from './server-file.ts';

let root: string;
const at = (path: string): string => join(root, path);
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'andiron-mcp-open-')));
  for (const folder of ['home/.config/data', 'home/work', 'tools/node_modules/server/dist', 'other'])
    mkdirSync(at(folder), { recursive: true });
  writeFileSync(at('tools/node_modules/server/dist/index.js'), '');
  writeFileSync(at('other/run.js'), '');
});
afterEach(() => rmSync(root, { recursive: true }));

const server = (more: Partial<CommandServer> = {}): CommandServer => ({
  name: 'files',
  command: 'node',
  args: [],
  env: {},
  folders: [],
  hosts: [],
  unsandboxed: false,
  disabled: false,
  description: '',
  ...more,
});

/** Starts it in a sandbox that says what it was given. */
async function started(entry: CommandServer, sandbox?: Sandbox) {
  const policies: SandboxPolicy[] = [];
  const requests: ProcessRequest[] = [];
  const ways: ((wanted: WantedHost) => Promise<boolean>)[] = [];
  const kept: Sandbox = {
    status: { kind: 'bwrap', version: '1', hasProxy: true },
    hidden: [],
    keep: (start, policy) => {
      policies.push(policy);
      return Promise.resolve(start);
    },
    openProxy: (mayReach) => {
      ways.push(mayReach);
      return Promise.resolve({ path: '/proxy', close: () => Promise.resolve() });
    },
  };
  const { transport } = await openProcess(entry, {
    sandbox: sandbox ?? kept,
    processes: {
      environment: { PATH: '/bin', SECRET_OF_OURS: 'x' },
      run: (request) => {
        requests.push(request);
        request.onInput?.(new PassThrough());
        return Promise.resolve({ exitCode: 0, signal: null, killed: null, leftovers: false, unended: 0 });
      },
    },
    files: systemFiles,
    platform: 'linux',
    dataDir: at('home/.config/data'),
    dataDirs: [at('home/.config/data')],
    homeDirs: [at('home')],
    programs: () => Promise.resolve(['/usr/bin']),
  });
  await transport.start();
  return { policy: policies[0], request: requests[0], ways };
}

test('A server has a folder of its own, and of the person those that its entry names', async () => {
  const { policy, request } = await started(server({ folders: [at('home/work')], env: { KEY: 'k' } }));
  const own = serverFolder(at('home/.config/data'), 'files');
  expect(policy).toMatchObject({
    writable: [own, at('home/work')],
    hidden: [at('home/.config/data')],
    proxy: null,
  });
  expect(request?.env).toMatchObject({ HOME: own, KEY: 'k' });
  expect(request?.env).not.toHaveProperty('SECRET_OF_OURS');
});

test('What its command line names may be read: a folder, a file with what lies beside it, a whole node_modules', async () => {
  const args = [at('home/work'), at('other/run.js'), at('tools/node_modules/server/dist/index.js'), 'name'];
  const { policy } = await started(server({ args }));
  expect(policy?.readable).toEqual(['/usr/bin', at('home/work'), at('other'), at('tools/node_modules')]);
});

test.each([['home'], ['home/.config'], ['home/.config/data'], ['.']])(
  'A server may not have the folder %s, which holds Andiron’s data or a whole home',
  async (folder) => {
    await expect(started(server({ folders: [at(folder)] }))).rejects.toThrow('may not have the folder');
    const { policy } = await started(server({ args: [at(folder)] }));
    expect(policy?.readable).toEqual(['/usr/bin']);
  },
);

test('A folder that is not there is named', async () => {
  await expect(started(server({ folders: [at('gone')] }))).rejects.toThrow('There is no folder');
});

test('A server reaches the hosts that its entry names, none else, and no address of this network', async () => {
  const { policy, ways } = await started(server({ hosts: ['API.example.com'] }));
  expect(policy?.proxy).toBe('/proxy');
  const reach = (host: string, isPrivate = false) => ways[0]?.({ host, port: 443, isPrivate });
  expect(await reach('api.example.com')).toBe(true);
  expect(await reach('example.com')).toBe(false);
  expect(await reach('api.example.com', true)).toBe(false);
});

test('Without a sandbox nothing starts that nobody allowed to', async () => {
  const none = noSandbox('missing');
  await expect(started(server(), none)).rejects.toMatchObject({ code: 'not_allowed' });
  const { request } = await started(server({ unsandboxed: true }), none);
  expect(request).toMatchObject({ file: 'node' });
});
