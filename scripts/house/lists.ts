/** What a list of names alone tells: files that a reader confuses, and packages that nobody gave a reason for. */
import { basename } from 'node:path';
import { read } from './source-files.ts';

/** A room's own index, types, test helpers and start are looked for by their room. */
const shared = new Set(['index', 'types', 'testing', 'entry']);

const stemOf = (path: string): string => basename(path).replace(/\.tsx?$/, '');

/** A language has the same files as another one, each named after what speaks it. */
const isDictionary = (path: string): boolean => /^src\/text\/[a-z]+\//.test(path);

/** One line for each file whose name without its ending another file has too. */
export function equalStems(paths: readonly string[]): string[] {
  const byStem = Map.groupBy(
    paths.filter((path) => !shared.has(stemOf(path)) && !isDictionary(path)),
    stemOf,
  );
  return [...byStem.values()].filter((same) => same.length > 1).flat();
}

/** One line for each package of package.json that docs/dependencies.md has no row for. */
export function undocumentedDependencies(): string[] {
  const manifest: Record<'dependencies' | 'devDependencies', Record<string, string>> = JSON.parse(
    read('package.json'),
  );
  const { dependencies, devDependencies } = manifest;
  const rows = read('docs/dependencies.md').split('\n');
  return Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !rows.some((row) => row.startsWith(`| \`${name}\``)),
  );
}
