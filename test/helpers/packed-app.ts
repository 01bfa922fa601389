/** The app as electron-builder packs it for Linux, on a stub of Electron. */
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { extractAll, getRawHeader, listPackage } from '@electron/asar';
import { projectRoot } from './server-process.ts';
import { writeStubElectron } from './stub-electron.ts';

const run = promisify(execFile);

export interface PackedApp {
  /** The folder that a person would start. */
  app: string;
  asar: string;
  /** Paths in the archive, with `/` first and between. */
  files: string[];
  /** Those of them that the archive's header says lie beside it. */
  unpacked: string[];
}

/** @param folder an empty one; the package and the stub are made in it */
export async function packApp(folder: string): Promise<PackedApp> {
  const electron = join(folder, 'electron');
  writeStubElectron(electron);
  const manifest = createRequire(import.meta.url).resolve('electron-builder/package.json');
  const target = ['--linux', 'dir', `--${process.arch}`, '--publish', 'never'];
  const places = [`--config.electronDist=${electron}`, `--config.directories.output=${join(folder, 'dist')}`];
  const config = ['--config', 'electron-builder.config.cjs'];
  await run(process.execPath, [join(dirname(manifest), 'cli.js'), ...config, ...target, ...places], {
    cwd: projectRoot,
  });
  const out = readdirSync(join(folder, 'dist')).find((name) => name.endsWith('-unpacked'));
  const app = join(folder, 'dist', out ?? 'nothing-was-packed');
  const asar = join(app, 'resources', 'app.asar');
  const files = listPackage(asar, { isPack: false }).map((path) => path.replaceAll('\\', '/'));
  return { app, asar, files, unpacked: unpackedIn(asar) };
}

interface HeaderEntry {
  files?: Record<string, HeaderEntry>;
  unpacked?: boolean;
}

function unpackedIn(asar: string): string[] {
  const found: string[] = [];
  const walk = (entry: HeaderEntry, path: string): void => {
    if (entry.files)
      for (const [name, inside] of Object.entries(entry.files)) walk(inside, `${path}/${name}`);
    else if (entry.unpacked === true) found.push(path);
  };
  walk(getRawHeader(asar).header, '');
  return found;
}

/**
 * Extracts the archive into a folder that is named as the archive is. What Electron finds only beside the archive is an
 * empty file inside it, so whoever reads or runs it at the wrong place fails here as well. Returns that folder.
 */
export function poisonArchive({ asar, unpacked }: PackedApp, into: string): string {
  const folder = join(into, 'app.asar');
  mkdirSync(into, { recursive: true });
  extractAll(asar, folder);
  cpSync(`${asar}.unpacked`, `${folder}.unpacked`, { recursive: true });
  for (const path of unpacked) {
    chmodSync(join(folder, path), 0o644);
    writeFileSync(join(folder, path), '');
    chmodSync(join(folder, path), 0o444);
  }
  return folder;
}

/** Bytes of all files below. */
export function sizeOfFolder(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    const facts = statSync(join(folder, name));
    if (facts.isFile()) bytes += facts.size;
  }
  return bytes;
}

/**
 * Names of packages and files that the built modules of `folder` import, with the module that does. Node's own and
 * Electron are left out.
 */
export function importsOf(folder: string): { from: string; specifier: string }[] {
  const modules = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.js'));
  return modules
    .flatMap((name) => {
      // Comments of libraries name types as imports, and a script that one of them writes has a name to be filled in.
      const source = readFileSync(join(folder, name), 'utf8').replaceAll(/^\s*\/\*\*[^]*?\*\//gm, '');
      const found = source.matchAll(
        /^(?:import|export)\s[^;'"]*?["']([^"']+)["'];?$|\bimport\(["']([^"'$]+)["']\)/gm,
      );
      return [...found].map(([, named = '', dynamic = '']) => ({ from: name, specifier: named || dynamic }));
    })
    .filter(({ specifier }) => !specifier.startsWith('node:') && specifier !== 'electron');
}

/** The package of a bare import; null for a path. */
export function packageOf(specifier: string): string | null {
  if (specifier.startsWith('.')) return null;
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? null;
}
