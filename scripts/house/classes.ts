/** Class names in style sheets: those that the whole window shares, and those of one CSS module. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../node.mjs';
import { filesIn, isNode, nameOf, nodeAt, parse, read, walk } from './source-files.ts';

const styleSheets = (): string[] =>
  filesIn('src/renderer', /\.css$/).filter((path) => !path.startsWith('src/renderer/gallery/'));
const isModule = (path: string): boolean => path.endsWith('.module.css');

/** Its class names, in the order in which they come. `shared` are those of `:global(…)`, or all where it is no module. */
export function classesOf(css: string): { own: string[]; shared: string[] } {
  const rules = css.replace(/\/\*[\s\S]*?\*\/|'[^']*'|"[^"]*"|url\([^)]*\)/g, '');
  const globals: string[] = [];
  const own = rules.replace(/:global\(([^)]*)\)/g, (_, selector: string) => {
    globals.push(selector);
    return '';
  });
  return { own: namesIn(own), shared: namesIn(globals.join(' ')) };
}

const selected = /(?<=\.)-?[a-zA-Z_][\w-]*/g;

const namesIn = (text: string, pattern = selected): string[] => [...new Set(text.match(pattern))];

/**
 * Each class that every file of the window can use by its bare name. What a module says of a name that no file of ours
 * writes is about a picture that a library drew.
 */
export function globalClasses(): string[] {
  const written = new Set(windowFiles().flatMap((path) => read(path).match(/-?[a-zA-Z_][\w-]*/g) ?? []));
  const names = styleSheets().flatMap((path) => {
    const { own, shared } = classesOf(read(path));
    return isModule(path) ? shared.filter((name) => written.has(name)) : [...own, ...shared];
  });
  return [...new Set(names)].toSorted();
}

/** What an element is given by name, and no sheet says anything of. */
export function classesWithoutRule(): string[] {
  const known = new Set(styleSheets().flatMap((path) => namesSharedBy(path)));
  return shownFiles()
    .filter((path) => path.endsWith('.tsx') && !path.startsWith('src/renderer/gallery/'))
    .flatMap((path) =>
      [...namesGiven(parse(path).program)]
        .filter((name) => !known.has(name))
        .map((name) => `${path}: no sheet has .${name}`),
    );
}

/** A class of a sheet that is no module, and that no file of the window names. */
export function rulesWithoutUse(): string[] {
  const named = new Set(shownFiles().flatMap((path) => namesIn(stringsOf(parse(path).program), /[\w-]+/g)));
  return styleSheets()
    .filter((path) => !isModule(path))
    .flatMap((path) =>
      namesSharedBy(path)
        .filter((name) => !named.has(name))
        .map((name) => `${path}: no file names .${name}`),
    );
}

function namesSharedBy(path: string): string[] {
  const { own, shared } = classesOf(read(path));
  return isModule(path) ? shared : [...own, ...shared];
}

/** The words that every `className` of a file is made of, without those that are worked out. */
export function namesGiven(program: unknown): Set<string> {
  const names = new Set<string>();
  walk(program, (node) => {
    if (node.type !== 'JSXAttribute' || nodeAt(node, 'name')?.['name'] !== 'className') return;
    for (const name of wordsOf(node['value'])) names.add(name);
  });
  return names;
}

/** Of an expression whose value is a class name; what it is chosen by is none. */
function wordsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(wordsOf);
  if (!isNode(node)) return [];
  switch (node.type) {
    case 'Literal':
      return typeof node['value'] === 'string' ? namesIn(node['value'], /[\w-]+/g) : [];
    case 'TemplateLiteral':
      return [...wholeWords(node['quasis']), ...wordsOf(node['expressions'])];
    case 'ConditionalExpression':
      return wordsOf([node['consequent'], node['alternate']]);
    case 'LogicalExpression':
      return wordsOf([node['left'], node['right']]);
    case 'ArrayExpression':
      return wordsOf(node['elements']);
    case 'JSXExpressionContainer':
      return wordsOf(node['expression']);
    case 'CallExpression':
      return wordsOf(node['callee']);
    case 'MemberExpression':
      return wordsOf(node['object']);
    default:
      return [];
  }
}

/** What touches an expression is a part of a name. */
function wholeWords(quasis: unknown): string[] {
  const texts = (Array.isArray(quasis) ? quasis : []).map((quasi) => {
    const value: unknown = isNode(quasi) ? quasi['value'] : undefined;
    return typeof value === 'object' && value !== null && 'raw' in value ? String(value.raw) : '';
  });
  return namesIn(texts.join('\0'), /(?<![^\s])[\w-]+(?![^\s])/g);
}

function stringsOf(program: unknown): string {
  const strings: unknown[] = [];
  walk(program, (node) => {
    if (node.type === 'Literal') strings.push(node['value']);
    if (node.type === 'TemplateLiteral') strings.push(...wholeWords(node['quasis']));
  });
  return strings.filter((value) => typeof value === 'string').join(' ');
}

/** Files of the window that people see: without tests. */
const shownFiles = (): string[] => windowFiles().filter((path) => !/\.test\.tsx?$|\/testing\//.test(path));

const windowFiles = (): string[] => filesIn('src/renderer', /(?<!\.css\.d)\.tsx?$/);

/** The declaration that stands beside a module, from which TypeScript knows its classes. */
export function declarationOf(css: string): string {
  const names = classesOf(css).own.map((name) => `  readonly ${name}: string;\n`);
  return `/** Written by \`npm run classes\`. */\ndeclare const classes: {\n${names.join('')}};\nexport default classes;\n`;
}

export const moduleFiles = (): string[] => styleSheets().filter(isModule);

/** A module whose declaration is stale, and each of its classes that no file uses. */
export function moduleFaults(): string[] {
  const used = usedClasses();
  return moduleFiles().flatMap((path) => {
    const css = read(path);
    const declaration = `${path}.d.ts`;
    const isTold = existsSync(join(root, declaration)) && read(declaration) === declarationOf(css);
    const idle = classesOf(css).own.filter((name) => !used.get(path)?.has(name));
    return [
      ...(isTold ? [] : [`${declaration} is stale: npm run classes`]),
      ...idle.map((name) => `${path}: no file uses .${name}`),
    ];
  });
}

/** Module → what the files that import it read of it. A name that is worked out counts as every string of its file. */
function usedClasses(): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  for (const path of windowFiles()) {
    if (!read(path).includes('.module.css')) continue;
    const { program } = parse(path);
    const modules = new Map<string, string>();
    const members: { object: string; name: string }[] = [];
    const strings: string[] = [];
    walk(program, (node) => {
      if (node.type === 'ImportDeclaration') {
        const source = String(nodeAt(node, 'source')?.['value']);
        const specifiers = Array.isArray(node['specifiers']) ? node['specifiers'] : [];
        const local = nameOf(nodeAt(specifiers[0], 'local'));
        if (local && isModule(source)) modules.set(local, join(dirname(path), source));
      }
      if (node.type === 'Literal' && typeof node['value'] === 'string') strings.push(node['value']);
      if (node.type !== 'MemberExpression') return;
      const object = nameOf(nodeAt(node, 'object'));
      const name = node['computed'] === true ? '' : nameOf(nodeAt(node, 'property'));
      if (object !== undefined && name !== undefined) members.push({ object, name });
    });
    for (const { object, name } of members) {
      const module = modules.get(object);
      if (module === undefined) continue;
      const names = used.get(module) ?? new Set();
      used.set(module, names);
      for (const each of name === '' ? strings : [name]) names.add(each);
    }
  }
  return used;
}
