import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { projectRoot } from '../helpers/server-process.ts';

const require = createRequire(import.meta.url);

interface Packing {
  assertTargetBinaries: (context: object) => void;
  markAdHoc: (context: object) => void;
  unpackedBinaries: (target: string) => string[];
}
const { assertTargetBinaries, markAdHoc, unpackedBinaries } =
  require('../../packaging/after-pack.cjs') as Packing;

/** The configuration as electron-builder would read it now, with this environment. */
function readConfig(): Record<string, Record<string, unknown>> & { afterPack: unknown; appId: string } {
  const path = join(projectRoot, 'electron-builder.config.cjs');
  delete require.cache[path];
  return require(path) as ReturnType<typeof readConfig>;
}
const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as Record<
  string,
  unknown
>;

afterEach(() => vi.unstubAllEnvs());

describe('the packaging configuration', () => {
  test('a Mac build without a certificate is signed ad hoc, for Apple silicon runs nothing else (desk-F2)', () => {
    vi.stubEnv('CSC_LINK', undefined);
    vi.stubEnv('CSC_NAME', undefined);
    const { mac, electronFuses } = readConfig();
    expect(mac?.['identity']).toBe('-');
    expect(electronFuses?.['resetAdHocDarwinSignature']).toBe(true);
    expect(mac?.['minimumSystemVersion']).toBe('13.0');
  });

  test.each(['CSC_LINK', 'CSC_NAME'])(
    'a Mac build with %s is signed with that certificate (desk-F2)',
    (name) => {
      vi.stubEnv('CSC_LINK', undefined);
      vi.stubEnv('CSC_NAME', undefined);
      vi.stubEnv(name, 'a-certificate');
      expect(readConfig()['mac']?.['identity']).toBeUndefined();
    },
  );

  test('the .desktop file is called as the windows of the app are (desk-P2)', () => {
    expect(manifest['desktopName']).toBe(`${readConfig().appId}.Andiron.desktop`);
    expect(readConfig()['linux']?.['syncDesktopName']).toBe(true);
  });

  test('macOS is told why Andiron reaches the network, folders and other apps (desk-P8)', () => {
    const { mac } = readConfig();
    const words = mac?.['extendInfo'] as Record<string, string>;
    for (const key of ['NSLocalNetworkUsageDescription', 'NSAppleEventsUsageDescription']) {
      expect(words[key]).toMatch(/^[A-Z].*\.$/);
    }
    for (const key of ['entitlements', 'entitlementsInherit']) {
      const plist = readFileSync(join(projectRoot, String(mac?.[key])), 'utf8');
      expect(plist).toContain('com.apple.security.automation.apple-events');
      expect(plist).toContain('com.apple.security.cs.disable-library-validation');
      expect(plist).toContain('com.apple.security.cs.allow-jit');
    }
  });

  test('builds name a feed and never publish by themselves (desk-P14)', () => {
    expect(readConfig()['publish']).toMatchObject({ provider: 'generic', channel: 'latest' });
    expect(String(readConfig()['publish']?.['url'])).toMatch(/^https:\/\//);
  });

  test('the deb names its maintainer with an address and recommends git (desk-P15)', () => {
    const { linux, deb } = readConfig();
    expect(linux?.['maintainer']).toMatch(/^[^<>]+ <[^@\s]+@[^@\s]+>$/);
    expect(deb?.['recommends']).toContain('git');
  });

  test('artefacts of two architectures never share a name', () => {
    for (const macro of ['${version}', '${os}', '${arch}', '${ext}']) {
      expect(readConfig()['artifactName']).toContain(macro);
    }
  });
});

describe('a build for a target', () => {
  const folders: string[] = [];
  afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

  /** What electron-builder hands over once everything is copied. */
  function packedFolder(target: string, without?: string): object {
    const [electronPlatformName = '', arch] = target.split('-');
    const appOutDir = mkdtempSync(join(tmpdir(), 'andiron-pack-'));
    folders.push(appOutDir);
    for (const path of unpackedBinaries(target).filter((each) => each !== without)) {
      const file = join(appOutDir, 'resources', 'app.asar.unpacked', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '');
    }
    const packager = { getResourcesDir: (folder: string) => join(folder, 'resources') };
    return { appOutDir, electronPlatformName, arch: arch === 'x64' ? 1 : 3, packager };
  }
  const targets = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];

  test('is checked after packing', () => {
    const afterPack = readConfig().afterPack as (context: object) => void;
    const path = unpackedBinaries('linux-x64')[0];
    expect(() => afterPack(packedFolder('linux-x64', path))).toThrow('The package for linux-x64 lacks');
  });

  test.each(targets)('passes when all binaries of %s lie beside the archive (desk-F13)', (target) => {
    expect(() => assertTargetBinaries(packedFolder(target))).not.toThrow();
  });

  test.each(targets.flatMap((target) => unpackedBinaries(target).map((path) => [target, path] as const)))(
    'for %s stops without %s (desk-F13)',
    (target, path) => {
      expect(() => assertTargetBinaries(packedFolder(target, path))).toThrow(
        `The package for ${target} lacks ${path}. Run npm ci and pack on a ${target} machine.`,
      );
    },
  );

  test.each([
    ['darwin-arm64', '-', 'ad-hoc'],
    ['darwin-arm64', undefined, null],
    ['linux-x64', '-', null],
  ])('of %s with identity %s says in package-type how it is signed: %s', (target, identity, said) => {
    const context = packedFolder(target) as { appOutDir: string; packager: object };
    Object.assign(context.packager, { platformSpecificBuildOptions: { identity } });
    markAdHoc(context);
    const file = join(context.appOutDir, 'resources', 'package-type');
    expect(existsSync(file) ? readFileSync(file, 'utf8') : null).toBe(said);
  });

  test('needs rg.exe on Windows and rg elsewhere (desk-F13)', () => {
    expect(unpackedBinaries('win32-arm64')).toContain('node_modules/@vscode/ripgrep-win32-arm64/bin/rg.exe');
    expect(unpackedBinaries('darwin-arm64')).toContain('node_modules/@vscode/ripgrep-darwin-arm64/bin/rg');
  });

  test('names the binaries as the lock file names the packages of every target', () => {
    const lock = readFileSync(join(projectRoot, 'package-lock.json'), 'utf8');
    for (const target of targets) {
      const [, ripgrep = ''] = unpackedBinaries(target);
      expect(lock).toContain(`"${ripgrep.split('/bin/')[0] ?? ''}"`);
      const prebuilt = `node_modules/better-sqlite3/prebuilds/${target}.node`;
      expect(existsSync(join(projectRoot, prebuilt))).toBe(true);
    }
  });
});

describe('removing Andiron', () => {
  test('the Windows uninstaller asks about the data, keeps it by default and never asks in an update', () => {
    const { nsis } = readConfig();
    expect(nsis?.['deleteAppDataOnUninstall']).toBe(false);
    const script = readFileSync(join(projectRoot, String(nsis?.['include'])), 'utf8');
    const asks = script.indexOf('MessageBox MB_YESNO');
    expect(script).toContain('MB_DEFBUTTON2');
    expect(script.indexOf('${ifNot} ${isUpdated}')).toBeLessThan(asks);
    expect(script.indexOf('RMDir /r "$LOCALAPPDATA\\Andiron"')).toBeGreaterThan(asks);
    const opened = script.match(/\$\{(if|ifNot)\} /g)?.length;
    expect(script.match(/\$\{endIf\}/g)).toHaveLength(opened ?? -1);
  });

  test('the deb keeps home folders and says on purge where the data is', () => {
    const script = readFileSync(join(projectRoot, 'packaging', 'after-remove.tpl'), 'utf8');
    expect(script).toMatch(/if \[ "\$\{1:-\}" = purge \]/);
    expect(script).not.toMatch(/^\s*rm .*(~|\$HOME|\/home)/m);
    expect(readConfig()['deb']?.['afterRemove']).toBe('packaging/after-remove.tpl');
  });
});
