/** All that leaves processes behind on purpose is in this file, one after the other: who ends his own may end another's. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemFiles } from '../files.ts';
import { systemProcesses, type Processes } from '../processes.ts';
import { openSandbox, type SandboxDeps } from './open-sandbox.ts';
import { runToEnd } from './sandbox-trial.ts';
import type { Sandbox, SandboxPolicy, SandboxStatus } from './sandbox.ts';

let folder: string;
const at = (path: string): string => join(folder, path);
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'andiron-sandbox-')));
  for (const name of ['data', 'bin', 'work/.git/hooks', 'work/.ssh', 'tools'])
    mkdirSync(at(name), { recursive: true });
  for (const name of ['work/.ssh/id', 'work/.netrc', 'tools/tool', 'beside'])
    writeFileSync(at(name), `of ${name}\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** With a program of that name in front of all others; null = with none at all. */
async function statusWith(
  bwrap: string | null,
  { platform = 'linux', ...more }: { platform?: string; run?: Processes['run'] } = {},
): Promise<SandboxStatus> {
  const own = at('bin');
  if (bwrap !== null) program('bwrap', bwrap);
  const environment = { PATH: bwrap === null ? own : `${own}:${process.env['PATH'] ?? ''}` };
  const processes = { ...systemProcesses, ...more, environment };
  const deps = { platform, processes, files: systemFiles, dataDir: at('data'), homeDir: homedir() };
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
    expect(readdirSync(at('data'))).toEqual([]);
  });
});

const open = (more: Partial<SandboxDeps> = {}): Promise<Sandbox> =>
  openSandbox({
    platform: process.platform,
    processes: systemProcesses,
    files: systemFiles,
    dataDir: at('data'),
    homeDir: homedir(),
    backend: 'srt',
    ...more,
  });

function program(name: string, script: string): string {
  writeFileSync(at(`bin/${name}`), `#!/bin/sh\n${script}\n`);
  chmodSync(at(`bin/${name}`), 0o755);
  return at(`bin/${name}`);
}

const policy = (): SandboxPolicy => ({
  hidden: [at('data')],
  readable: [at('tools')],
  writable: [at('work'), at('work/.git')],
  readOnly: [at('work/.git/hooks')],
  masked: [
    { path: at('work/.ssh'), isFolder: true },
    { path: at('work/.netrc'), isFolder: false },
  ],
  proxy: null,
});

async function said(sandbox: Sandbox, command: string): Promise<string> {
  const start = { file: '/bin/sh', args: ['-c', command], cwd: at('work') };
  return (await runToEnd(await sandbox.keep(start, policy()), systemProcesses)).said;
}

const namespaceOf = (kind: string): string => `readlink /proc/self/ns/${kind}`;

/** Sees nothing of what a command leaves. */
const blind: Processes['run'] = async (request) => ({
  ...(await systemProcesses.run(request)),
  leftovers: false,
});

const temporaryFolders = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('andiron-command-'));

/** Whether bubblewrap works on this machine. */
function hasBwrap(...more: string[]): boolean {
  try {
    execFileSync('bwrap', ['--ro-bind', '/', '/', '--proc', '/proc', '--unshare-all', ...more, 'true'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}
const isThere = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch) && hasBwrap();

describe.runIf(isThere)('the sandbox runtime on Linux', () => {
  test('it passes the trial, says which one it is, and has no way for a proxy', async () => {
    const sandbox = await open();
    expect(sandbox.status).toEqual({ kind: 'srt', version: '0.0.83', hasProxy: false });
    expect(sandbox.openProxy).toBeUndefined();
    const start = { file: '/bin/sh', args: [], cwd: at('work') };
    await expect(sandbox.keep(start, { ...policy(), proxy: at('socket') })).rejects.toThrow(
      'no way for a proxy',
    );
  });

  test('a command has the variables that it was given and no other', async () => {
    const sandbox = await open();
    const names = (await said(sandbox, '/usr/bin/env'))
      .trim()
      .split('\n')
      .map((each) => each.replace(/=.*/, ''));
    expect(names.toSorted()).toEqual(['ANDIRON_COMMAND', 'LC_ALL', 'PATH', 'PWD']);
  });

  test('a command reads its folder and the programs, and neither masks nor what lies beside', async () => {
    const sandbox = await open();
    const paths = ['tools/tool', 'work/.ssh/id', 'work/.netrc', 'beside', 'data'].map(
      (name) => `'${at(name)}'`,
    );
    expect(
      await said(
        sandbox,
        `for f in ${paths.join(' ')}; do cat "$f" 2>/dev/null; done; ls '${at('data')}'; :`,
      ),
    ).toBe('of tools/tool\n');
  });

  test('a command changes its folder, and neither hooks nor programs', async () => {
    const sandbox = await open();
    const command = `echo x >a; echo x >.git/index; echo x >.git/hooks/x; mv .git/hooks .git/h; mv .git g; echo x >'${at('tools')}/x'; :`;
    await said(sandbox, `(${command}) 2>/dev/null`);
    expect(readdirSync(at('work')).toSorted()).toEqual(['.git', '.netrc', '.ssh', 'a']);
    expect(readdirSync(at('work/.git')).toSorted()).toEqual(['hooks', 'index']);
    expect(readdirSync(at('work/.git/hooks'))).toEqual([]);
    expect(readdirSync(at('tools'))).toEqual(['tool']);
  });

  test('a command runs also where the runtime itself lies in a place that is hidden', async () => {
    const sandbox = await open();
    const runtime = dirname(
      createRequire(import.meta.url).resolve('@anthropic-ai/sandbox-runtime/package.json'),
    );
    const start = { file: '/bin/ls', args: [runtime], cwd: at('work') };
    const kept = await sandbox.keep(start, { ...policy(), hidden: [realpathSync(runtime)] });
    expect((await runToEnd(kept, systemProcesses)).said).toBe('vendor\n');
  });

  test('a folder whose name reads like a pattern is meant as it is', async () => {
    const sandbox = await open();
    const work = at('w[o]rk *');
    mkdirSync(work);
    mkdirSync(join(work, '[x]*'));
    const start = {
      file: '/bin/sh',
      args: ['-c', "echo 'it''s' >\"$1\"; (echo x >'[x]*/y') 2>/dev/null; pwd", 'sh', 'a b'],
      cwd: work,
    };
    const kept = await sandbox.keep(start, {
      ...policy(),
      writable: [work],
      readOnly: [join(work, '[x]*')],
      masked: [],
    });
    expect((await runToEnd(kept, systemProcesses)).said).toBe(`${work}\n`);
    expect([existsSync(join(work, 'a b')), readdirSync(join(work, '[x]*'))]).toEqual([true, []]);
  });

  test('neither sockets nor memory of other programs are within reach', async () => {
    const sandbox = await open();
    const kinds = ['ipc', 'uts', 'net', 'pid'];
    const inside = (await said(sandbox, kinds.map(namespaceOf).join(';'))).trim().split('\n');
    const outside = execFileSync('/bin/sh', ['-c', kinds.map(namespaceOf).join(';')], { encoding: 'utf8' })
      .trim()
      .split('\n');
    expect(inside.filter((each) => outside.includes(each))).toEqual([]);
    const python = `python3 -c 'import socket; socket.socket(socket.AF_UNIX)' 2>&1 | tail -1`;
    expect(
      await said(sandbox, `command -v python3 >/dev/null || { echo PermissionError; exit; }; ${python}`),
    ).toContain('PermissionError');
  });

  test.runIf(hasBwrap('--unshare-user', '--disable-userns'))(
    'our own argument list comes first',
    async () => {
      const system = { processes: systemProcesses, files: systemFiles, dataDir: at('data') };
      const { status } = await openSandbox({ ...system, platform: 'linux', homeDir: homedir() });
      expect(status.kind).toBe('bwrap');
    },
  );

  test('where bubblewrap is too old for our own arguments, the runtime takes its place', async () => {
    program(
      'bwrap',
      'case " $* " in *" --disable-userns "*) echo "bwrap: Unknown option --disable-userns" >&2; exit 1;; esac; PATH=${PATH#*:}; exec bwrap "$@"',
    );
    const environment = { PATH: `${at('bin')}:${process.env['PATH'] ?? ''}` };
    const sandbox = await openSandbox({
      platform: 'linux',
      processes: { ...systemProcesses, environment },
      files: systemFiles,
      dataDir: at('data'),
      homeDir: homedir(),
    });
    expect(sandbox.status).toMatchObject({ kind: 'srt' });
  });

  test('a Mac whose Seatbelt keeps commands in has a sandbox, and their temporary files go with them', async () => {
    const seatbelt = program('seatbelt', seatbeltOfBwrap);
    const sandbox = await open({ platform: 'darwin', seatbelt });
    expect(sandbox.status).toEqual({ kind: 'srt', version: '0.0.83', hasProxy: false });
    const start = { file: '/bin/sh', args: ['-c', ': >"$TMPDIR/x"; mkdir -p "$TMPDIR/y"'], cwd: at('work') };
    const kept = await sandbox.keep(start, policy());
    const temporary = kept.env?.['TMPDIR'] ?? '';
    expect(kept.env).toEqual({ TMPDIR: temporary, TMP: temporary, TEMP: temporary });
    expect(kept.args[1]).toContain(JSON.stringify(temporary));
    expect(existsSync(temporary)).toBe(true);
    await runToEnd(kept, systemProcesses);
    expect(existsSync(temporary)).toBe(false);
  });

  test('a system without /proc is asked by its own programs what a command sees and reaches', async () => {
    const seatbelt = program('seatbelt', seatbeltOfBwrap);
    program('ps', `echo "1 sleep ANDIRON_TRIAL_${process.pid}=x"`);
    program('nc', 'exit 0');
    const environment = { PATH: `${at('bin')}:${process.env['PATH'] ?? ''}` };
    const processes = { ...systemProcesses, environment };
    const { status } = await open({ platform: 'darwin', seatbelt, processes });
    const detail = 'sees other programs, has a network';
    expect(status).toEqual({ kind: 'none', problem: 'leaky', detail });
  });

  test('what a command leaves on a Mac has to be found and ended, or there is no sandbox', async () => {
    const seatbelt = program('seatbelt', seatbeltOfBwrap);
    const sandbox = await open({
      platform: 'darwin',
      seatbelt,
      processes: { ...systemProcesses, run: blind },
    });
    expect(sandbox.status).toEqual({ kind: 'none', problem: 'leaky', detail: 'outlives its command' });
  });
});

/** In the place of Seatbelt: it takes a profile and a command, and ends nothing with it. */
const seatbeltOfBwrap = `shift 2
work=$PWD; trial=\${work%/*}
exec bwrap --ro-bind / / --dev /dev --tmpfs /proc --unshare-net --tmpfs "\${trial%/*}" --ro-bind-try "$trial/elsewhere" "$trial/elsewhere" --bind "$work" "$work" --bind "$TMPDIR" "$TMPDIR" --chdir "$work" "$@"`;

describe.skipIf(process.platform === 'win32')('the sandbox of a Mac', () => {
  test('a Seatbelt that keeps nothing in is found out by what the trial can do in it', async () => {
    const { status } = await open({
      platform: 'darwin',
      seatbelt: program('seatbelt', 'shift 2; exec "$@"'),
    });
    expect(status).toMatchObject({ kind: 'none', problem: 'leaky' });
    const detail = status.kind === 'none' ? status.detail : '';
    for (const way of [
      'writes elsewhere',
      'by a link',
      'by a hard link',
      'reads what is hidden',
      'sees other programs',
    ])
      expect(detail).toContain(way);
    // That is ended here.
    expect(detail).not.toContain('outlives');
  });

  test('a Seatbelt that refuses the profile gives its own reason', async () => {
    const seatbelt = program(
      'seatbelt',
      'echo "sandbox-exec: sandbox_apply: Operation not permitted" >&2; exit 71',
    );
    expect((await open({ platform: 'darwin', seatbelt })).status).toEqual({
      kind: 'none',
      problem: 'refused',
      detail: 'sandbox-exec: sandbox_apply: Operation not permitted',
    });
  });

  test('nothing of a trial is left, neither in the data folder nor among temporary files', async () => {
    const before = new Set(temporaryFolders());
    await open({ platform: 'darwin', seatbelt: program('seatbelt', 'shift 2; exec "$@"') });
    expect(readdirSync(at('data'))).toEqual([]);
    expect(temporaryFolders().filter((name) => !before.has(name))).toEqual([]);
  });

  test('homes, disks and temporary files of a Mac are hidden, also by the other name of their volume', async () => {
    const places = ['/Users', '/Volumes', '/private/tmp', '/private/var/folders', '/System/Volumes/Data'];
    const links = new Map([
      ['/tmp', '/private/tmp'],
      ['/var/folders', '/private/var/folders'],
    ]);
    const files: SandboxDeps['files'] = {
      realPath: async (path) => {
        const real = links.get(path) ?? path;
        return places.includes(real) || real.startsWith(folder) ? real : null;
      },
      stat: (path) => systemFiles.stat(places.includes(path) ? folder : path),
    };
    const kept: string[] = [];
    const run: Processes['run'] = async (request) => {
      kept.push(...request.args);
      return systemProcesses.run({ ...request, args: ['-c', 'exit 1'] });
    };
    await open({
      platform: 'darwin',
      files,
      processes: { ...systemProcesses, run },
      seatbelt: '/bin/sh',
      homeDir: null,
    });
    for (const place of places) expect(kept.join(' ')).toContain(`(subpath "${place}")`);
  });

  test('without a runtime there is no sandbox, and the reason is said', async () => {
    const worker = new URL('not-there.ts', import.meta.url);
    expect((await open({ platform: 'darwin', worker })).status).toMatchObject({
      kind: 'none',
      problem: 'refused',
    });
  });
});
