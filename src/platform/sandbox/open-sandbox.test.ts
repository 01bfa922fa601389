import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemFiles } from '../files.ts';
import { systemProcesses, type Processes } from '../processes.ts';
import { openSandbox } from './open-sandbox.ts';
import type { SandboxStatus } from './sandbox.ts';

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'andiron-sandbox-')));
  dataDir = join(folder, 'data');
  mkdirSync(dataDir);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** With a program of that name in front of all others; null = with none at all. */
async function statusWith(
  bwrap: string | null,
  { platform = 'linux', ...more }: { platform?: string; run?: Processes['run'] } = {},
): Promise<SandboxStatus> {
  const own = join(folder, 'bin');
  mkdirSync(own);
  if (bwrap !== null) {
    writeFileSync(join(own, 'bwrap'), `#!/bin/sh\n${bwrap}\n`);
    chmodSync(join(own, 'bwrap'), 0o755);
  }
  const environment = { PATH: bwrap === null ? own : `${own}:${process.env['PATH'] ?? ''}` };
  const processes = { ...systemProcesses, ...more, environment };
  const deps = { platform, processes, files: systemFiles, dataDir, homeDir: homedir() };
  return (await openSandbox(deps)).status;
}

/** What is left is still there as the time of the trial is up. */
const killedLate: Processes['run'] = async (request) => {
  const end = await systemProcesses.run(request);
  return end.leftovers ? { ...end, leftovers: false, killed: 'cancelled' } : end;
};

const version = 'if [ "$1" = --version ]; then echo bubblewrap 0.9.0; exit; fi';
/** Runs what stands behind `--`, kept in by nothing. */
const careless = 'while [ "$1" != -- ]; do shift; done; shift';

describe.skipIf(process.platform === 'win32')('the sandbox of this machine', () => {
  test('a machine without the program has no sandbox, and says so', async () => {
    expect(await statusWith(null)).toEqual({ kind: 'none', problem: 'missing', detail: '' });
  });

  test.each(['win32', 'freebsd'])('%s has no sandbox', async (platform) => {
    expect(await statusWith(version, { platform })).toEqual({
      kind: 'none',
      problem: 'system',
      detail: '',
    });
  });

  test('a program that the system does not let start gives its own reason', async () => {
    const refusal = 'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1';
    expect(await statusWith(`${version}; ${refusal}`)).toEqual({
      kind: 'none',
      problem: 'refused',
      detail: 'bwrap: setting up uid map: Permission denied',
    });
  });

  test('a program that runs nothing is no sandbox', async () => {
    expect(await statusWith(`${version}; exit 0`)).toMatchObject({ problem: 'refused' });
  });

  test('a program that keeps nothing in is found out by what the trial can do in it', async () => {
    const status = await statusWith(`${version}; ${careless}; exec "$@"`);
    expect(status).toMatchObject({ kind: 'none', problem: 'leaky' });
    const detail = status.kind === 'none' ? status.detail : '';
    expect(detail).toContain('writes elsewhere');
    expect(detail).toContain('reads what is hidden');
    expect(detail).toContain('outlives its command');
    expect(detail.includes('sees other programs')).toBe(process.platform === 'linux');
  });

  test('a program whose leftovers are only killed as the time of the trial is up has left them all the same', async () => {
    const status = await statusWith(`${version}; ${careless}; exec "$@"`, { run: killedLate });
    expect(status).toMatchObject({ kind: 'none', detail: expect.stringContaining('outlives its command') });
  });

  test('the trial leaves nothing behind', async () => {
    await statusWith(`${version}; ${careless}; exec "$@"`);
    expect(readdirSync(dataDir)).toEqual([]);
  });
});
