/** The files that the figures of the house are about: `src` without tests and the gallery of drawn screens. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { parseSync, type Comment, type Program } from 'oxc-parser';
import { root } from '../node.mjs';

/** A node of the syntax tree as the figures look at it: they know a few kinds and pass over the others. */
export interface SyntaxNode {
  type: string;
  [key: string]: unknown;
}

/** Paths below `folder`, from the root, with slashes. */
export function filesIn(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .filter((path) => pattern.test(path) && !path.includes('/artifacts/') && !path.includes('node_modules/'))
    .toSorted();
}

const isTest = (path: string): boolean => /\.test\.tsx?$|(?:^|\/)testing(?:\/|\.tsx?$)/.test(path);

export const productFiles = (): string[] =>
  filesIn('src', /(?<!\.css\.d)\.tsx?$/).filter(
    (path) => !isTest(path) && !path.startsWith('src/renderer/gallery/'),
  );

/** @param path from the root, or absolute */
export const read = (path: string): string => readFileSync(resolve(root, path), 'utf8');

/** Throws with the file's name where it cannot be parsed. */
export function parse(path: string): { program: Program; comments: Comment[] } {
  const { program, comments, errors } = parseSync(path, read(path));
  const [error] = errors;
  if (error) throw new Error(`${path}: ${error.message}`);
  return { program, comments };
}

/** Calls `visit` for each node of the tree, the outer ones first. */
export function walk(tree: unknown, visit: (node: SyntaxNode) => void): void {
  if (Array.isArray(tree)) {
    for (const each of tree) walk(each, visit);
    return;
  }
  if (typeof tree !== 'object' || tree === null) return;
  if (isNode(tree)) visit(tree);
  for (const value of Object.values(tree)) if (typeof value === 'object') walk(value, visit);
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** The node at the end of these keys; undefined = there is none. */
export function nodeAt(node: unknown, ...keys: string[]): SyntaxNode | undefined {
  let found = node;
  for (const key of keys) found = isNode(found) ? found[key] : undefined;
  return isNode(found) ? found : undefined;
}

/** The name of an identifier; undefined = it is something else. */
export const nameOf = (node: SyntaxNode | undefined): string | undefined =>
  node?.type === 'Identifier' && typeof node['name'] === 'string' ? node['name'] : undefined;

/** The patterns of a function's parameters, without what they are when nothing is given. */
export function parametersOf(node: SyntaxNode): SyntaxNode[] {
  const { params } = node;
  if (!Array.isArray(params)) return [];
  return params
    .map((parameter) =>
      nodeAt(parameter)?.type === 'AssignmentPattern' ? nodeAt(parameter, 'left') : parameter,
    )
    .filter(isNode);
}
