import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemFiles } from '../../platform/files.ts';
import type { SandboxPolicy } from '../../platform/sandbox/sandbox.ts';
import { createCommandSandbox } from './command-sandbox.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'andiron-policy-')));
  for (const folder of [
    'home/work/.git/hooks',
    'home/.ssh',
    'home/.nvm/v24/bin',
    'home/.nvm/v24/lib',
    'data',
  ])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of ['home/.netrc', 'home/work/.git/config', 'home/work/.envrc'])
    writeFileSync(join(root, file), '');
});
afterEach(() => rmSync(root, { recursive: true }));

const at = (path: string): string => join(root, path);

/** What a command of that folder is kept in, with the machine's homes hidden. */
async function policyOf(
  workspace: string,
  path: string[] = [],
  more: Record<string, string> = {},
): Promise<SandboxPolicy> {
  let seen: SandboxPolicy | undefined;
  const kept = createCommandSandbox({
    sandbox: {
      status: { kind: 'bwrap', version: '0.8.0', hasProxy: false },
      hidden: [at('home')],
      async keep(start, policy) {
        seen = policy;
        return start;
      },
    },
    files: systemFiles,
    dataDirs: [at('data')],
    homeDirs: [at('home')],
    environment: { PATH: path.join(delimiter), ...more },
    platform: 'linux',
    freeBytes: () => Promise.resolve(null),
  });
  await kept.keep({ file: '/bin/sh', args: [], cwd: workspace }, { workspace }, null);
  if (!seen) throw new Error('Nothing was kept.');
  return seen;
}

describe('what a command may take', () => {
  test.each<[string, number | null, string, string]>([
    ['linux', 10 * 1024 ** 3, '10485760', '8192'],
    // A disk that is nearly full leaves room for what is small.
    ['linux', 1000, '2097152', '8192'],
    ['linux', null, '', '8192'],
    // Those of all programs of the person would be counted.
    ['darwin', null, '', ''],
  ])(
    'on %s with %s bytes left: files of %s blocks and %s processes',
    async (platform, free, blocks, processes) => {
      let args: readonly string[] = [];
      const kept = createCommandSandbox({
        sandbox: {
          status: { kind: 'bwrap', version: '0.8.0', hasProxy: false },
          hidden: [],
          async keep(start) {
            args = start.args;
            return start;
          },
        },
        files: systemFiles,
        dataDirs: [],
        homeDirs: [],
        environment: {},
        platform,
        freeBytes: () => Promise.resolve(free),
      });
      await kept.keep({ file: 'make', args: ['all'], cwd: root }, { workspace: root }, null);
      expect(args.slice(-4)).toEqual([blocks, processes, 'make', 'all']);
    },
  );
});

describe.skipIf(process.platform === 'win32')('what a command may reach', () => {
  test('it writes in its folder alone, where what runs on its own can only be read and not be moved away', async () => {
    const { writable, readOnly, hidden, masked } = await policyOf(at('home/work'));
    expect(writable).toEqual([at('home/work'), at('home/work/.git')]);
    expect(readOnly).toEqual([
      at('home/work/.git/hooks'),
      at('home/work/.git/config'),
      at('home/work/.envrc'),
    ]);
    expect(hidden).toEqual([at('data')]);
    expect(masked).toEqual([]);
  });

  test('a link in the folder makes nothing elsewhere a part of it', async () => {
    rmSync(at('home/work/.envrc'));
    symlinkSync(at('home/.netrc'), at('home/work/.envrc'));
    const { readOnly } = await policyOf(at('home/work'));
    expect(readOnly).not.toContain(at('home/.netrc'));
  });

  test('programs of the PATH are there with what belongs to them, and no home for their sake', async () => {
    const path = [at('home/.nvm/v24/bin'), at('home'), root, at('none'), 'relative'];
    const { readable } = await policyOf(at('home/work'), path);
    expect(readable).toEqual([at('home/.nvm/v24/bin'), at('home/.nvm/v24/lib')]);
  });

  test('toolchains that the environment names are there, and neither files nor what lies beside other folders', async () => {
    mkdirSync(at('home/tools/lib'), { recursive: true });
    mkdirSync(at('home/.rustup'));
    const path = [at('home/tools'), at('home/.netrc')];
    const named = { RUSTUP_HOME: at('home/.rustup'), NVM_DIR: 'relative' };
    const { readable } = await policyOf(at('home/work'), path, named);
    expect(readable).toEqual([at('home/tools'), at('home/.rustup')]);
  });

  test('of a home that is the folder itself the hidden files are empty, but for programs', async () => {
    const path = [at('home/.nvm/v24/bin'), at('home/work')];
    const { masked, readable } = await policyOf(at('home'), path);
    expect(readable).toEqual([at('home/.nvm/v24/bin'), at('home/.nvm/v24/lib')]);
    expect(masked.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
      { path: at('home/.netrc'), isFolder: false },
      { path: at('home/.nvm'), isFolder: true },
      { path: at('home/.ssh'), isFolder: true },
    ]);
  });

  test("Andiron's own data are empty in a folder that holds them", async () => {
    const { hidden, masked } = await policyOf(root);
    expect(hidden).toEqual([]);
    expect(masked).toContainEqual({ path: at('data'), isFolder: true });
  });
});
