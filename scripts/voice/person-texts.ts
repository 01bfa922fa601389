/** What a person reads: the texts of the window, of errors, of the command line, and of the README. */
import {
  filesIn,
  isNode,
  nameOf,
  nodeAt,
  parse,
  read,
  walk,
  type SyntaxNode,
} from '../house/source-files.ts';

export interface PersonText {
  /** From the root, with the line where that is known. */
  place: string;
  /** What is put in for a figure or a name stands as ‹›. */
  text: string;
}

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

export function personTexts(): PersonText[] {
  const dictionaries = ['src/text', 'src/cli'].flatMap((folder) => filesIn(folder, /\.ts$/));
  const own = dictionaries.filter((path) => !isTest(path));
  const sources = filesIn('src', /\.tsx?$/).filter((path) => !isTest(path) && !own.includes(path));
  return [...own.flatMap(literals), ...sources.flatMap(errorTexts), ...proseOf('README.md')].filter(
    ({ text }) => isProse(text),
  );
}

/** Two words of which one has no sign of code in it. */
const isProse = (text: string): boolean =>
  /\p{L}{2,}[,:;]?\s+\p{L}{2,}/u.test(text) && !/[{}<>]|=>|--\w/.test(text);

function literals(path: string): PersonText[] {
  const found: PersonText[] = [];
  const unread = new Set<SyntaxNode>();
  walk(parse(path).program, (node) => {
    if (node.type === 'ImportDeclaration') return;
    // What a search finds something by: people type it, and nobody reads it.
    if (node.type === 'Property' && nameOf(nodeAt(node, 'key')) === 'searchWords')
      walk(node['value'], (inner) => unread.add(inner));
    const text = unread.has(node) ? null : textOf(node);
    if (text !== null) found.push({ place: path, text });
  });
  return found;
}

/** Message and advice of each error. */
function errorTexts(path: string): PersonText[] {
  const found: PersonText[] = [];
  walk(parse(path).program, (node) => {
    if (node.type !== 'NewExpression' || nameOf(nodeAt(node, 'callee')) !== 'AndironError') return;
    const args = Array.isArray(node['arguments']) ? node['arguments'].filter(isNode) : [];
    for (const argument of args.slice(1, 3))
      walk(argument, (inner) => {
        const text = textOf(inner);
        if (text !== null) found.push({ place: path, text });
      });
  });
  return found;
}

function textOf(node: SyntaxNode): string | null {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node['quasis'])) return null;
  const pieces: unknown[] = node['quasis'];
  return pieces
    .map((piece) => {
      const value = isNode(piece) ? piece['value'] : null;
      return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '';
    })
    .join('‹›');
}

/** Paragraphs, items of lists and headings, without code. */
function proseOf(path: string): PersonText[] {
  return read(path)
    .replaceAll(/^```[^]*?^```$/gm, '')
    .split(/\n{2,}|\n(?=\s*[-*|#])/)
    .filter((block) => !/^\s*[|<!]/.test(block))
    .map((block) => ({
      place: path,
      text: block
        .replaceAll(/`[^`]*`/g, '‹›')
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll(/\s+/g, ' ')
        .replace(/^[\s#*-]+/, '')
        .trim(),
    }));
}
