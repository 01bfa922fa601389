/** The data folder as other users of the machine find it, and one that cannot be used. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectRoot, startServerProcess, temporaryFolder } from '../helpers/server-process.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
  // Others may pass, so that it is the data folder alone that keeps them out.
  chmodSync(folder.path, 0o755);
});
afterEach(() => folder.remove());

test.skipIf(process.platform === 'win32')(
  'a running Andiron has nothing in its data folder that another user can read (audit-S8)',
  async () => {
    const data = join(folder.path, 'data');
    mkdirSync(join(data, 'logs'), { recursive: true });
    writeFileSync(join(data, 'logs', 'server.log'), '');
    writeFileSync(join(data, 'hosts.json'), '{"hosts":[]}');
    for (const path of [data, join(data, 'logs')]) chmodSync(path, 0o755);
    for (const name of ['logs/server.log', 'hosts.json']) chmodSync(join(data, name), 0o644);
    const server = await startServerProcess([`--data-dir=${data}`, '--demo']);
    try {
      const open = ['.', ...readdirSync(data, { recursive: true, encoding: 'utf8' })]
        .filter((name) => !name.startsWith('demo-workspace'))
        .filter((name) => (statSync(join(data, name)).mode & 0o077) !== 0);
      expect(open).toEqual([]);
      expect(statSync(join(data, 'andiron.db')).mode & 0o777).toBe(0o600);
    } finally {
      await server.stop();
    }
  },
);

/** Nobody's folder rights count for the administrator, so the server runs as somebody else then. */
const asSomebody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

test.skipIf(process.platform === 'win32')(
  'a data folder that cannot be written is told in words and ends with a code (audit-S17)',
  () => {
    const data = join(folder.path, 'data');
    mkdirSync(data);
    chmodSync(data, 0o555);
    const entry = join(projectRoot, 'out', 'main', 'server.js');
    const args = [entry, `--data-dir=${data}`, '--engine-url=http://127.0.0.1:9'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      ...asSomebody,
      cwd: folder.path,
      encoding: 'utf8',
      timeout: 150_000,
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: `Andiron may not write ${data}. Give yourself read and write permission on the data folder, or start Andiron with another data folder (--data-dir).\n`,
    });
  },
);
