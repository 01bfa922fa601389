import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bridged } from './bridge.ts';
import { openHostProxy, type HostProxy } from './host-proxy.ts';

const python = ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => existsSync(path)) ?? '';
let proxy: HostProxy;
let asked: string[];
beforeEach(async () => {
  asked = [];
  proxy = await openHostProxy({ mayReach: async ({ host }) => asked.push(host) === 0 });
});
afterEach(() => proxy.close());

interface Ran {
  out: string;
  code: number | null;
}

function run(command: string): Promise<Ran> {
  const { file, args } = bridged(python, { file: '/bin/sh', args: ['-c', command] }, proxy.path);
  const child = spawn(file, args, { env: { PATH: process.env['PATH'], PYTHONPATH: '/nowhere' } });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => (out += piece.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ out: out.trim(), code })));
}

const getPage = `${python} -c 'import urllib.request; print(urllib.request.urlopen("http://there.example/").status)'`;

describe.skipIf(python === '')('the way of a command to its proxy', () => {
  test('a program that knows proxies by their variables comes to it, from its first moment on', async () => {
    const { out } = await run(getPage);
    expect(out).toContain('403');
    expect(asked).toEqual(['there.example']);
  });

  test('many come to it at once', async () => {
    await run(Array.from({ length: 20 }, () => `${getPage} 2>/dev/null &`).join('\n') + '\nwait');
    expect(asked).toHaveLength(20);
  });

  test('a command ends with its own code, and nothing holds its output open', async () => {
    expect(await run('echo said; exit 7')).toEqual({ out: 'said', code: 7 });
  });

  test('it has no children that it did not start, and a broken pipe ends it as ever', async () => {
    expect(
      (await run(`${python} -c 'import os\ntry: os.wait()\nexcept ChildProcessError: print("none")'`)).out,
    ).toBe('none');
    expect((await run('yes | head -1')).out).toBe('y');
  });

  test('what is its own computer does not go through it', async () => {
    expect((await run('echo "$no_proxy $NO_PROXY"')).out).toBe(
      'localhost,127.0.0.1,::1 localhost,127.0.0.1,::1',
    );
  });
});
