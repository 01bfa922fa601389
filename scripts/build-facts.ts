/**
 * Writes `about.json` beside the built page: when and of which commit it was built, and whose work a packed Andiron
 * contains, each with its licence. Read by the settings (About). Offline: from the lock file and the installed packages.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

interface LockedPackage {
  version?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
type Lock = Partial<Record<string, LockedPackage>>;

export interface ShippedPackage {
  name: string;
  version: string;
  /** As the lock file names it; null = it does not. */
  licence: string | null;
  /** Its licence, whole; null = the package brings none. */
  words: string | null;
}

/** Shipped whole, beside what is bundled. */
const shells = ['electron'];

/** @param root of the repository */
export function buildFacts(root: string): { page: Plugin; worker: Plugin } {
  /** Threads are bundled before the page that starts them, each by itself. */
  const inThreads = new Set<string>();
  return {
    page: {
      name: 'andiron-build-facts',
      apply: 'build',
      generateBundle(_options, bundle) {
        const packages = shippedPackages(root, [...inThreads, ...packagesIn(bundle)]);
        const facts = { at: Date.now(), commit: commitOf(root), packages };
        this.emitFile({ type: 'asset', fileName: 'about.json', source: JSON.stringify(facts) });
      },
    },
    worker: {
      name: 'andiron-build-facts-of-threads',
      apply: 'build',
      generateBundle(_options, bundle) {
        for (const name of packagesIn(bundle)) inThreads.add(name);
      },
    },
  };
}

const packagesIn = (bundle: Rolldown.OutputBundle): string[] =>
  Object.values(bundle)
    .flatMap((part) => (part.type === 'chunk' ? part.moduleIds : part.originalFileNames))
    .flatMap(packageOf);

/** Andiron's dependencies with all that they need, as far as it is installed here, and the packages named. */
export function shippedPackages(root: string, bundled: readonly string[]): ShippedPackage[] {
  const lock = readLock(root);
  const found = new Map<string, ShippedPackage>();
  const add = (name: string, from: string, withNeeds: boolean): void => {
    const place = placeOf(lock, name, from);
    const locked = place === null ? undefined : lock[place];
    if (place === null || !locked || found.has(place) || !existsSync(join(root, place))) return;
    const words = licenceText(join(root, place)) ?? mitLicenceOf(root, join(root, place));
    found.set(place, { name, version: locked.version ?? '', licence: locked.license ?? null, words });
    if (!withNeeds) return;
    const needs = { ...locked.dependencies, ...locked.optionalDependencies };
    for (const needed of Object.keys(needs)) add(needed, place, true);
  };
  for (const name of Object.keys(lock['']?.dependencies ?? {})) add(name, '', true);
  // What these need is bundled with them, and so named itself, or is a tool of their makers.
  for (const name of [...bundled, ...shells]) add(name, '', false);
  // The same version may lie in two places.
  const once = new Map([...found.values()].map((each) => [`${each.name} ${each.version}`, each]));
  return [...once.values()].toSorted((a, b) => a.name.localeCompare(b.name));
}

function readLock(root: string): Lock {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Lock;
  };
  return packages;
}

/** The nearest `node_modules` that has it, as Node looks for it; null = none. */
function placeOf(lock: Lock, name: string, from: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lock[place]) return place;
    if (folder === '') return null;
  }
}

function licenceText(folder: string): string | null {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)(\.(md|markdown|txt))?$/i.test(name));
  return file === undefined ? null : readFileSync(join(folder, file), 'utf8').trim();
}

/** A package under the MIT licence that names its author and brings no text: the words are the same as Andiron's own. */
function mitLicenceOf(root: string, folder: string): string | null {
  const { license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    license?: unknown;
    author?: string | { name?: string };
  };
  const name = typeof author === 'string' ? author : author?.name;
  if (license !== 'MIT' || name === undefined) return null;
  const own = readFileSync(join(root, 'LICENSE'), 'utf8').trim();
  return own.replace(/^Copyright .*$/m, `Copyright (c) ${name}`);
}

/** The package that a module belongs to; none for our own. */
function packageOf(id: string): string[] {
  const [, name] = /(?:^|.*\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/')) ?? [];
  return name === undefined ? [] : [name];
}

/** null = built outside of the repository. */
function commitOf(root: string): string | null {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}
