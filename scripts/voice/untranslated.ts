/** Texts that a person reads in English whatever language they have chosen. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { de } from '../../src/text/de/index.ts';
import { desktop as germanDesktop } from '../../src/text/de/desktop.ts';
import { desktop } from '../../src/text/en/desktop.ts';
import { en } from '../../src/text/en/index.ts';
import { root } from '../node.mjs';
import { filesIn, isNode, nodeAt, parse, walk, type SyntaxNode } from '../house/source-files.ts';

/** Names, units, keys, and words that German has taken over; `window`: what components may say in any language. */
const sameWords = (where: 'de' | 'window'): ReadonlySet<string> => {
  const lists: Record<string, string[]> = JSON.parse(
    readFileSync(join(root, 'scripts', 'voice', 'same-words.json'), 'utf8'),
  );
  return new Set(lists[where]);
};

/** It has a word that is not the same in both. */
const hasWords = (text: string, same: ReadonlySet<string>): boolean =>
  (text.match(/\p{L}{2,}/gu) ?? []).some((word) => !same.has(word));

/** One line for each text that a dictionary has in English words, and for each that stands in a component. */
export function untranslated(): string[] {
  const german = sameWords('de');
  const ofAny = sameWords('window');
  return [
    ...equalTexts({ ...en, desktop }, { ...de, desktop: germanDesktop }, german).map((text) => `de: ${text}`),
    ...filesIn('src/renderer', /\.tsx$/)
      .filter((path) => !/\.test\.tsx$|\/(?:gallery|testing)\//.test(path))
      .flatMap((path) => literalWords(parse(path).program, ofAny).map((text) => `${path}: ${text}`)),
  ];
}

/** Figures are those of the locale, and code is code. */
const unspoken = new Set(['figures', 'dates', 'sampleCode']);

/** Paths of texts that are the same in both, unless they may be. What a function says is tried on a few arguments. */
export function equalTexts(english: unknown, other: unknown, same: ReadonlySet<string>, at = ''): string[] {
  if (typeof english === 'string')
    return english === other && hasWords(english, same) ? [`${at}: ${english}`] : [];
  if (typeof english === 'function' && typeof other === 'function') {
    const found = samples.flatMap((sample) => {
      const about = Array.from({ length: Math.max(english.length, 1) }, () => sample);
      const [one, two] = [said(english, about), said(other, about)];
      return one === two && hasWords(one, same) ? [`${at}: ${one}`] : [];
    });
    return found.slice(0, 1);
  }
  if (typeof english !== 'object' || english === null || typeof other !== 'object' || other === null)
    return [];
  return Object.entries(english).flatMap(([key, text]) =>
    unspoken.has(key)
      ? []
      : equalTexts(text, (other as Record<string, unknown>)[key], same, at === '' ? key : `${at}.${key}`),
  );
}

const samples: readonly unknown[] = ['‹›', 3, 1];

/** Empty where these arguments are none for it. */
function said(speak: Function, about: readonly unknown[]): string {
  try {
    const text: unknown = Reflect.apply(speak, undefined, about);
    return typeof text === 'string' && !/undefined|NaN|\[object/.test(text) ? text : '';
  } catch {
    return '';
  }
}

const spokenAttributes = new Set([
  'aria-label',
  'aria-description',
  'placeholder',
  'title',
  'alt',
  'label',
  'help',
]);

/** Words in what a component draws, and in what a screen reader says of it. */
export function literalWords(program: unknown, same: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const take = (text: unknown): void => {
    if (typeof text === 'string' && hasWords(text, same)) found.push(text.trim());
  };
  walk(program, (node) => {
    if ((node.type === 'JSXElement' && !isCode(node)) || node.type === 'JSXFragment')
      for (const child of [node['children']].flat().filter(isNode)) {
        if (child.type === 'JSXText') take(child['value']);
        else literalsOf(nodeAt(child, 'expression')).forEach(take);
      }
    if (node.type !== 'JSXAttribute' || !spokenAttributes.has(String(nodeAt(node, 'name')?.['name']))) return;
    const value = nodeAt(node, 'value');
    literalsOf(value?.type === 'Literal' ? value : nodeAt(value, 'expression')).forEach(take);
  });
  return found.filter((text) => text !== '');
}

const isCode = (element: SyntaxNode): boolean =>
  ['code', 'pre', 'kbd'].includes(String(nodeAt(element, 'openingElement', 'name')?.['name']));

/** Of what stands between two tags; those of attributes are words only where their name says so. */
function literalsOf(expression: SyntaxNode | undefined): unknown[] {
  if (!expression) return [];
  if (expression.type === 'Literal') return [expression['value']];
  if (expression.type === 'TemplateLiteral')
    return [expression['quasis']].flat().map((piece) => (isNode(piece) ? textOfPiece(piece) : null));
  if (expression.type === 'ConditionalExpression')
    return [nodeAt(expression, 'consequent'), nodeAt(expression, 'alternate')].flatMap(literalsOf);
  if (expression.type === 'LogicalExpression') return literalsOf(nodeAt(expression, 'right'));
  return [];
}

function textOfPiece(piece: SyntaxNode): unknown {
  const { value } = piece;
  return typeof value === 'object' && value !== null && 'cooked' in value ? value.cooked : null;
}
