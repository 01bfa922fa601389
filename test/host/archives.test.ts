/** The host's own process, started from its source, as far as Electron's file system is concerned. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** Says, whenever the host tells its parent something, how it sees archives at that moment. */
const spy = `const send = process.send.bind(process);
process.send = (message) => send({ ...message, noAsar: process.noAsar === true });`;

test('Once the host serves, an archive in a workspace is the file that it is (desk-F11)', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'andiron-archives-'));
  const child = fork(resolve('src/host/entry.ts'), [], {
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(spy)}`],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    const exit = once(child, 'exit');
    child.send({ type: 'init', init: { dataDir, workspace: null, resourcesDir: resolve('resources') } });
    const ready = await new Promise((resolved) => {
      child.on('message', (message: { type: string }) => {
        if (message.type === 'ready') resolved(message);
      });
    });
    expect(ready).toMatchObject({ noAsar: true });
    child.send({ type: 'stop' });
    expect(await exit).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
});
