import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../helpers/server-process.ts';

const built = (folder: string, ending: RegExp): { name: string; code: string }[] => {
  const root = join(projectRoot, 'out', folder);
  const names = readdirSync(root, { recursive: true }).map(String);
  return names
    .filter((name) => ending.test(name))
    .map((name) => ({ name, code: readFileSync(join(root, name), 'utf8') }));
};

/** `zod/v4` → `zod`. */
const packageOf = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

test('the preload is one CommonJS file that requires nothing but electron', () => {
  const files = built('preload', /./);
  expect(files.map(({ name }) => name)).toEqual(['index.cjs']);
  const code = files[0]?.code ?? '';
  expect([...code.matchAll(/\brequire\("([^"]+)"\)/g)].map((match) => match[1])).toEqual(['electron']);
  expect(code).not.toMatch(/^(import|export)\b|\bimport\(/m);
});

test('what runs outside the page imports only Node, electron and what is installed with the app', () => {
  const { dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  // A library writes a script with an import whose name is filled in: that is a text.
  const imported = built('main', /\.js$/).flatMap(({ code }) =>
    [...code.matchAll(/^(?:import|export)\b[^"'\n]*["']([^"'\n]+)["']|\bimport\(["']([^"'$]+)["']\)/gm)].map(
      (match) => match[1] ?? match[2] ?? '',
    ),
  );
  const others = new Set(imported.filter((name) => !name.startsWith('.') && !isBuiltin(name)));
  expect([...others].filter((name) => name !== 'electron' && !(packageOf(name) in dependencies))).toEqual([]);
  expect(others).toContain('better-sqlite3');
});

test('electron is imported by the desktop entry alone', () => {
  const importers = built('main', /\.js$/).filter(({ code }) => /^import\b.*["']electron["']/m.test(code));
  expect(importers.map(({ name }) => name)).toEqual(['index.js']);
});

/** With all that it imports before it runs. */
function startsWith(entry: string): string {
  const main = join(projectRoot, 'out', 'main');
  const codes = new Map<string, string>();
  const add = (path: string): void => {
    if (codes.has(path)) return;
    const code = readFileSync(path, 'utf8');
    codes.set(path, code);
    for (const [, name = ''] of code.matchAll(/^(?:import|export)\b[^"'\n]*["'](\.[^"'\n]+)["']/gm))
      add(join(path, '..', name));
  };
  add(join(main, entry));
  return [...codes.values()].join('\n');
}

test('the host begins without what only later work needs: fetch behind node:http, and the parser of skills', () => {
  const code = startsWith('host.js');
  expect(code).toContain('better-sqlite3');
  expect(code).not.toMatch(/^import\b.*["'](?:node:)?https?["']/m);
  expect(code).not.toContain('node_modules/yaml/');
});

const mathFont = /noto-sans-math-.*\.woff2$/;

test('the page brings fonts of Latin letters alone, and no more than 400 kB of them (audit-U16)', () => {
  const all = built('renderer', /\.(woff2?|ttf|otf)$/).map(({ name }) => name);
  // Mathematics has signs of its own; their font comes with the first formula.
  const fonts = all.filter((name) => !mathFont.test(name));
  expect(fonts.length).toBeGreaterThan(0);
  expect(fonts.filter((name) => !/-latin(-ext)?-wght-.*\.woff2$/.test(name))).toEqual([]);
  const bytes = fonts.map((name) => statSync(join(projectRoot, 'out/renderer', name)).size);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(400_000);
});

test('what draws formulas and diagrams is no part of what a page begins with', () => {
  const index = readFileSync(join(projectRoot, 'out/renderer/index.html'), 'utf8');
  const first = [...index.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(
    (match) => match[1] ?? '',
  );
  expect(first.length).toBeGreaterThan(1);
  for (const name of first) {
    const code = readFileSync(join(projectRoot, 'out/renderer', name), 'utf8');
    expect(code).not.toMatch(/noto-sans-math|elk\.layered|erDiagram|\\\\operatorname/);
  }
  const later = built('renderer', /-worker-[^/]*\.js$/);
  const sizeOf = (part: string): number => later.find(({ name }) => name.includes(part))?.code.length ?? 0;
  // Each thread has its own library alone.
  expect(sizeOf('math-worker')).toBeGreaterThan(100_000);
  expect(sizeOf('math-worker')).toBeLessThan(300_000);
  expect(sizeOf('diagram-worker')).toBeGreaterThan(1_000_000);
  expect(sizeOf('diagram-worker')).toBeLessThan(2_000_000);
  expect(built('renderer', mathFont)).toHaveLength(1);
});

test('the page carries no zod', () => {
  const scripts = built('renderer', /\.js$/);
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter(({ code }) => code.includes('ZodError')).map(({ name }) => name)).toEqual([]);
});
