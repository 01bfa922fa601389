import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { FuseState, FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { srtPolicy } from '../../src/platform/sandbox/srt-policy.ts';
import { startSrtThread } from '../../src/platform/sandbox/srt-thread.ts';
import { documentPath, honestDocuments } from '../helpers/documents/hostile-documents.ts';
import { documentsIn } from '../helpers/documents/try-document.ts';
import { startHostWorker } from '../helpers/host-worker.ts';
import {
  importsOf,
  packageOf,
  packApp,
  poisonArchive,
  sizeOfFolder,
  type PackedApp,
} from '../helpers/packed-app.ts';
import { projectRoot, temporaryFolder } from '../helpers/server-process.ts';

// The parts of Linux packages are what a stub can stand for; the other systems' come from their own machines.
describe.runIf(process.platform === 'linux')('the packed app', () => {
  const folder = temporaryFolder();
  let packed: PackedApp;
  let extracted: string;

  beforeAll(async () => {
    packed = await packApp(folder.path);
    extracted = poisonArchive(packed, join(folder.path, 'poisoned'));
  });
  afterAll(() => folder.remove());

  test('the archive has what runs, and nothing of what builds or tests', () => {
    for (const path of [
      '/package.json',
      '/out/main/index.js',
      '/out/main/host.js',
      '/out/main/search-worker.js',
      '/out/main/passage-thread.js',
      '/out/main/page-reader.js',
      '/out/main/document-reader.js',
      '/out/main/document-writer.js',
      '/out/main/sandbox-worker.js',
      '/out/main/sim.js',
      '/out/main/bridge.js',
      '/out/main/gateway.js',
      '/out/main/system-sample.js',
      '/out/preload/index.cjs',
      '/out/renderer/index.html',
      '/resources/icons/icon.png',
      '/resources/icons/tray.ico',
      '/resources/demo-workspace/README.md',
      '/resources/profiles/developer/system.md',
      '/node_modules/better-sqlite3/package.json',
      '/node_modules/systeminformation/package.json',
    ]) {
      expect(packed.files).toContain(path);
    }
    const unwanted =
      /^\/(src|test|scripts|tools|types|packaging|\.ci)\/|\.map$|\.ts$|node_modules\/(pinned-node|node-(?!fetch)|electron\/|react|vite)/;
    expect(packed.files.filter((path) => unwanted.test(path))).toEqual([]);
  });

  test('headless server and the command line for Node are not packed: main itself runs the commands (desk-P14, Y8)', () => {
    for (const entry of ['server', 'cli']) expect(packed.files).not.toContain(`/out/main/${entry}.js`);
    expect(packed.files.some((path) => /^\/out\/main\/chunks\/serve-acp-[^/]*\.js$/.test(path))).toBe(true);
  });

  test('it carries the native module and the search program of its own platform only (desk-F13)', () => {
    expect(packed.files.filter((path) => path.endsWith('.node'))).toEqual([
      `/node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`,
    ]);
    expect(packed.files.filter((path) => basename(path) === 'rg')).toEqual([
      `/node_modules/@vscode/ripgrep-linux-${process.arch}/bin/rg`,
    ]);
  });

  test('of the sandbox runtime there is what keeps commands in, for its own platform only, with the licence', () => {
    const inRuntime = '/node_modules/@anthropic-ai/sandbox-runtime/';
    const packedOf = packed.files.filter((path) => path.startsWith(inRuntime) && isFile(path));
    for (const name of ['package.json', 'LICENSE', 'dist/sandbox/macos-sandbox-utils.js'])
      expect(packedOf).toContain(`${inRuntime}${name}`);
    expect(packedOf.filter((path) => path.startsWith(`${inRuntime}vendor/`))).toEqual([
      `${inRuntime}vendor/seccomp/${process.arch}/apply-seccomp`,
    ]);
    expect(packed.files.filter((path) => /node-forge|pondwader|commander/.test(path))).toEqual([]);
  });

  test('the sandbox runtime loads from the archive, without what is not packed', async () => {
    const worker = pathToFileURL(join(extracted, 'out', 'main', 'sandbox-worker.js'));
    const thread = await startSrtThread(worker, process.env['PATH'] ?? '');
    try {
      expect(thread.version).toBe('0.0.83');
      const policy = srtPolicy({
        hidden: [],
        readable: [],
        writable: [],
        readOnly: [],
        masked: [],
        proxy: null,
      });
      for (const platform of ['darwin', 'linux'])
        expect(await thread.wrap({ platform, command: 'true', bwrap: '/usr/bin/bwrap', policy })).toContain(
          'true',
        );
    } finally {
      await thread.close();
    }
  });

  test('the packed app reads and writes documents in a thread, with nothing but what is packed', async () => {
    const main = pathToFileURL(join(extracted, 'out', 'main', 'index.js'));
    const documents = documentsIn({
      nodePath: null,
      documentReader: new URL('document-reader.js', main),
      documentWriter: new URL('document-writer.js', main),
    });
    const { signal } = new AbortController();
    const about = async (path: string): Promise<string | undefined> =>
      (await documents.read({ path, shown: path, stat: null }, signal))?.about;
    expect(await Promise.all(honestDocuments.map((name) => about(documentPath(name))))).toEqual([
      'PDF, 3 pages',
      'Word document',
      'Workbook, 2 sheets',
      'Presentation, 2 slides',
      'E-book, 2 chapters',
    ]);
    const written = join(folder.path, 'written.docx');
    writeFileSync(written, await documents.write('docx', { title: 'Plan', content: '- one' }, signal));
    expect(await about(written)).toBe('Word document');
  });

  test('what cannot work inside the archive lies beside it, and nothing else does (desk-C4)', () => {
    const mustLieBeside = /\.node$|\/bin\/rg$|\/apply-seccomp$|^\/resources\//;
    const files = packed.files.filter((path) => packed.unpacked.includes(path) || mustLieBeside.test(path));
    const expected = packed.files.filter((path) => mustLieBeside.test(path) && isFile(path));
    expect(packed.unpacked.toSorted()).toEqual(expected.toSorted());
    expect(files.length).toBeGreaterThan(10);
    for (const path of expected) expect(existsSync(join(`${packed.asar}.unpacked`, path))).toBe(true);
  });

  test('every import of the built main process is answered from within the archive (desk-C4)', () => {
    const imports = importsOf(join(extracted, 'out', 'main'));
    const missing = imports.filter(({ from, specifier }) => {
      const name = packageOf(specifier);
      return !existsSync(
        name === null
          ? join(extracted, 'out', 'main', from, '..', specifier)
          : join(extracted, 'node_modules', name, 'package.json'),
      );
    });
    const named = imports.map(({ specifier }) => specifier);
    for (const name of ['better-sqlite3', 'electron-updater']) expect(named).toContain(name);
    expect(missing).toEqual([]);
  });

  test('the updater loads from the archive with all that it needs', () => {
    const load = createRequire(join(extracted, 'out', 'main', 'index.js'));
    const library = load('electron-updater') as Record<string, unknown>;
    for (const name of ['AppImageUpdater', 'DebUpdater', 'MacUpdater', 'NsisUpdater', 'Provider']) {
      expect(library[name]).toBeTypeOf('function');
    }
    expect(load('electron-updater/out/providers/Provider.js')).toHaveProperty('parseUpdateInfo');
  });

  test('the packed host searches, reads profiles and knows its version beside the archive (desk-C4)', async () => {
    const workspace = join(folder.path, 'workspace');
    mkdirSync(workspace);
    writeFileSync(join(workspace, 'found-by-ripgrep.txt'), 'x');
    const host = await startHostWorker(join(extracted, 'out', 'main', 'host.js'), {
      dataDir: join(folder.path, 'data'),
      workspace,
      // As main names it when it is packed.
      resourcesDir: `${extracted}.unpacked/resources`,
      env: {},
    });
    const window = host.connect();
    const subscribed = await window.call('host/subscribe', {});
    expect(subscribed.profiles.map(({ id }) => id)).toContain('developer');
    expect(subscribed.problems).toEqual([]);
    expect(await window.call('workspace/files', { workspace, query: 'found' })).toMatchObject({
      files: ['found-by-ripgrep.txt'],
    });
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(await window.call('host/about', {})).toMatchObject({ version });
    await window.call('session/create', {});
    // Answered by a thread of its own, whose module and database driver are in the archive too.
    expect(await window.call('session/search', { query: 'session' })).toEqual({
      hits: [expect.objectContaining({ itemId: null })],
      complete: true,
    });
    const { workspace: copied } = await window.call('sample/copy', {});
    expect(existsSync(join(copied, 'README.md'))).toBe(true);
    window.close();
    expect(await host.stop()).toBe(0);
  });

  test('the fuses are set: no Node from the program, nothing but the checked archive', async () => {
    const wire = await getCurrentFuseWire(join(packed.app, 'andiron'));
    expect(wire.version).toBe(FuseVersion.V1);
    const state = (fuse: FuseV1Options): unknown => wire[fuse];
    expect(state(FuseV1Options.RunAsNode)).toBe(FuseState.DISABLE);
    expect(state(FuseV1Options.EnableNodeOptionsEnvironmentVariable)).toBe(FuseState.DISABLE);
    expect(state(FuseV1Options.EnableNodeCliInspectArguments)).toBe(FuseState.DISABLE);
    expect(state(FuseV1Options.GrantFileProtocolExtraPrivileges)).toBe(FuseState.DISABLE);
    expect(state(FuseV1Options.OnlyLoadAppFromAsar)).toBe(FuseState.ENABLE);
    expect(state(FuseV1Options.EnableEmbeddedAsarIntegrityValidation)).toBe(FuseState.ENABLE);
  });

  test('no fuse turns cookie encryption on, which would ask for a keychain (desk-P1)', async () => {
    const wire = await getCurrentFuseWire(join(packed.app, 'andiron'));
    expect(wire[FuseV1Options.EnableCookieEncryption]).toBe(FuseState.DISABLE);
  });

  test('the bill of materials names all that npm would ship, and what is bundled into the page', async () => {
    const bill = JSON.parse(readFileSync(join(legal(), 'sbom.cdx.json'), 'utf8')) as Bill;
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
    const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
    expect(listed.size).toBe(bill.components.length);
    // npm lists the dependencies; the page and Electron are known only to the build.
    const asked = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
    const { stdout } = await promisify(execFile)('npm', asked, { cwd: projectRoot, maxBuffer: 2 ** 26 });
    const installed = (JSON.parse(stdout) as Bill).components.filter(({ name }) => isInstalled(name));
    expect(installed.length).toBeGreaterThan(10);
    expect(installed.filter(({ name, version }) => !listed.has(`${name}@${version}`))).toEqual([]);
    for (const name of ['electron', 'react', 'shiki', 'electron-updater']) {
      expect([...listed].some((each) => each.startsWith(`${name}@`))).toBe(true);
    }
  });

  test('every package of the bill of materials has its licence beside it', () => {
    const bill = JSON.parse(readFileSync(join(legal(), 'sbom.cdx.json'), 'utf8')) as Bill;
    const texts = readFileSync(join(legal(), 'licences.txt'), 'utf8');
    expect(texts).toContain('The Andiron developers');
    for (const { name, version, licenses } of bill.components) {
      expect(texts).toContain(`${name} ${version}, `);
      expect(licenses).toBeDefined();
    }
  });

  test('what Andiron adds to Electron stays under 40 MB, and the size is reported', () => {
    const resources = join(packed.app, 'resources');
    const bytes = sizeOfFolder(resources);
    process.stdout.write(`The packed app adds ${(bytes / 1e6).toFixed(1)} MB to Electron.\n`);
    expect(bytes).toBeLessThan(40e6);
  });

  test('what runs in Electron starts nothing through Node, which the fuses turn off (desk-C6)', () => {
    const main = join(extracted, 'out', 'main');
    const chunks = readdirSync(join(main, 'chunks')).map((name) => join(main, 'chunks', name));
    const inNode = chunks.flatMap((path) => functionsUsingNode(readFileSync(path, 'utf8')));
    // Only the headless server, which is not packed, may use these.
    expect(inNode.length).toBeGreaterThan(0);
    for (const name of [
      'index.js',
      'host.js',
      'search-worker.js',
      'passage-thread.js',
      'sandbox-worker.js',
      'sim.js',
      'system-sample.js',
    ]) {
      const source = readFileSync(join(main, name), 'utf8');
      expect(functionsUsingNode(source)).toEqual([]);
      const imports = source.matchAll(/^import \{([^}]*)\} from "\.\/chunks/gm);
      const names = [...imports].flatMap(([, listed = '']) => listed.split(','));
      const imported = new Set(names.map((each) => each.split(' as ').at(-1)?.trim()));
      expect(inNode.filter((each) => imported.has(each))).toEqual([]);
    }
  });

  const legal = (): string => join(packed.app, 'resources', 'legal');
  const isFile = (path: string): boolean => packed.files.every((other) => !other.startsWith(`${path}/`));
});

interface Bill {
  components: { name: string; version: string; licenses?: unknown[] }[];
}

const isInstalled = (name: string): boolean =>
  existsSync(join(projectRoot, 'node_modules', name, 'package.json'));

/** Names of the functions that start a program as Node: the children of Node's own `fork`, or of its own program. */
function functionsUsingNode(source: string): string[] {
  const importsFork = /import \{[^}]*\bfork\b[^}]*\} from "node:child_process"/.test(source);
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, '').split('\n');
  return code.flatMap((line, index) => {
    const uses =
      /process\.execPath|ELECTRON_RUN_AS_NODE/.test(line) || (importsFork && /(?<![.\w])fork\(/.test(line));
    if (!uses || line.startsWith('import ') || /^(async )?function fork\(/.test(line)) return [];
    const before = code.slice(0, index + 1).findLast((each) => /^(?:async )?function \w+/.test(each));
    return [/function (\w+)/.exec(before ?? '')?.[1] ?? line];
  });
}
