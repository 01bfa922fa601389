import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { extractAll, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot, startServerProcess, temporaryFolder } from '../helpers/server-process.ts';
import { writeStubElectron } from '../helpers/stub-electron.ts';

const run = promisify(execFile);
const builderCli = (): string => {
  const manifest = createRequire(import.meta.url).resolve('electron-builder/package.json');
  return join(dirname(manifest), 'cli.js');
};

// The parts of Linux packages are what a stub can stand for; the other systems' come from their own machines.
describe.runIf(process.platform === 'linux')('the packed app', () => {
  const folder = temporaryFolder();
  const app = join(folder.path, 'dist', 'linux-unpacked');
  const asar = join(app, 'resources', 'app.asar');
  let packed: string[];

  beforeAll(async () => {
    const electron = join(folder.path, 'electron');
    writeStubElectron(electron);
    const config = [
      `--config.electronDist=${electron}`,
      `--config.directories.output=${join(folder.path, 'dist')}`,
    ];
    await run(
      process.execPath,
      [
        builderCli(),
        '--config',
        'electron-builder.config.cjs',
        '--linux',
        'dir',
        `--${process.arch}`,
        '--publish',
        'never',
        ...config,
      ],
      {
        cwd: projectRoot,
      },
    );
    packed = listPackage(asar, { isPack: false }).map((path) => path.replaceAll('\\', '/'));
  }, 120_000);
  afterAll(() => folder.remove());

  test('the archive has what runs, and nothing of what builds or tests', () => {
    for (const path of [
      '/package.json',
      '/out/main/index.js',
      '/out/main/host.js',
      '/out/main/server.js',
      '/out/main/sim.js',
      '/out/main/system-sample.js',
      '/out/preload/index.cjs',
      '/out/renderer/index.html',
      '/resources/icons/icon.png',
      '/resources/demo-workspace/README.md',
      '/resources/profiles/developer/system.md',
      '/node_modules/better-sqlite3/package.json',
      '/node_modules/systeminformation/package.json',
    ]) {
      expect(packed).toContain(path);
    }
    const unwanted =
      /^\/(src|test|scripts|tools|types|\.ci)\/|\.map$|\.ts$|node_modules\/(pinned-node|node-|electron|react|vite)/;
    expect(packed.filter((path) => unwanted.test(path))).toEqual([]);
  });

  test('it carries the native module and the search program of its own platform only, beside the archive', () => {
    expect(packed.filter((path) => path.endsWith('.node'))).toEqual([
      `/node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`,
    ]);
    const beside = readdirSync(`${asar}.unpacked`, { recursive: true }).map(String);
    expect(beside).toContain(`node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`);
    expect(beside).toContain(`node_modules/@vscode/ripgrep-linux-${process.arch}/bin/rg`);
    expect(beside).toContain('resources/profiles/developer/system.md');
  });

  test('the fuses are set: no Node from the program, nothing but the checked archive', async () => {
    const wire = await getCurrentFuseWire(join(app, 'andiron'));
    expect(wire.version).toBe(FuseVersion.V1);
    const state = (fuse: FuseV1Options): unknown => wire[fuse];
    expect(state(FuseV1Options.RunAsNode)).toBe(FuseState.DISABLE);
    expect(state(FuseV1Options.EnableNodeOptionsEnvironmentVariable)).toBe(FuseState.DISABLE);
    expect(state(FuseV1Options.EnableNodeCliInspectArguments)).toBe(FuseState.DISABLE);
    expect(state(FuseV1Options.GrantFileProtocolExtraPrivileges)).toBe(FuseState.DISABLE);
    expect(state(FuseV1Options.OnlyLoadAppFromAsar)).toBe(FuseState.ENABLE);
    expect(state(FuseV1Options.EnableEmbeddedAsarIntegrityValidation)).toBe(FuseState.ENABLE);
    expect(state(FuseV1Options.EnableCookieEncryption)).toBe(FuseState.ENABLE);
  });

  test('the headless server runs from it, with the host, the store and the simulated engine', async () => {
    const extracted = join(folder.path, 'extracted');
    extractAll(asar, extracted);
    const server = await startServerProcess([`--data-dir=${join(folder.path, 'data')}`, '--demo'], extracted);
    const page = await fetch(server.origin);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await page.text();
    const script = /src="\.?(\/assets\/[^"]+\.js)"/.exec(html)?.[1];
    expect((await fetch(`${server.origin}${script ?? '/nothing'}`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(server.stderr()).toBe('');
  });
});
