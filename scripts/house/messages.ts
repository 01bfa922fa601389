/** Who reads what a person wrote, and who decides something by it. */
import { isNode, nameOf, nodeAt, parse, walk, type SyntaxNode } from './source-files.ts';

interface MessageRules {
  /** Where the reader of a message comes from, and its name. */
  source: { path: string; reader: string };
  /** They send a message, show it, or search memory with it, and match nothing in it. */
  readers: readonly string[];
  /** They look up what a message names: files, and lines of them; or find the message in another text. */
  mentions: readonly string[];
  /** Before the loop a message is plain text with one of these names. */
  plain: { folders: readonly string[]; names: ReadonlySet<string> };
}

const house: MessageRules = {
  source: { path: 'src/host/prompt/person-message.ts', reader: 'readMessage' },
  readers: [
    // Prompt and item of the message; the goal in a note; the line before an answer.
    'src/host/loop/begin-turn.ts',
    'src/host/planning/steering.ts',
    'src/host/loop/steps/step-line.ts',
    // What others see who wait for the GPU.
    'src/host/loop/setting.ts',
    // What is remembered that it speaks of.
    'src/host/sessions/turn-ports.ts',
  ],
  mentions: [
    // Whether an answer is the message over again.
    'src/host/loop/steps/repeats.ts',
    'src/host/loop/steps/line-facts.ts',
    'src/host/loop/steps/known-paths.ts',
    'src/host/loop/opening/made-up-runs.ts',
    'src/host/loop/opening/real-names.ts',
  ],
  plain: {
    folders: ['src/host/sessions/', 'src/host/subagents/', 'src/host/rpc/'],
    names: new Set(['text', 'task']),
  },
};

/** These say whether something is in a text, and where. */
const matching = new Set([
  'test',
  'exec',
  'match',
  'matchAll',
  'search',
  'includes',
  'startsWith',
  'endsWith',
  'indexOf',
  'lastIndexOf',
  'localeCompare',
]);
const equality = new Set(['===', '!==', '==', '!=']);

/** One line for each file that gets at the reader and is none, and one for each place that matches words of a message. */
export function messageReaders(paths: readonly string[], rules: MessageRules = house): string[] {
  return paths.flatMap((path) => {
    if (path === rules.source.path) return [];
    const { program } = parse(path);
    const isMention = rules.mentions.includes(path);
    const may = isMention || rules.readers.includes(path);
    const got = waysToReader(program, rules).filter((way) => !may || way !== 'import');
    const isPlain = rules.plain.folders.some((folder) => path.startsWith(folder));
    const matched = isMention ? [] : matches(program, rules, isPlain ? rules.plain.names : new Set());
    return [
      ...got.map((way) => `${path}: gets ${rules.source.reader} by ${way}`),
      ...matched.map((how) => `${path}: decides by words of a message (${how})`),
    ];
  });
}

const isCallOf = (node: SyntaxNode, name: string): boolean =>
  node.type === 'CallExpression' && nameOf(nodeAt(node, 'callee')) === name;

/** Only an import by its name may be right: whatever hides the name or hands it on is not. */
function waysToReader(program: unknown, { source: { path, reader } }: MessageRules): string[] {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const ways: string[] = [];
  let loose = 0;
  walk(program, (node) => {
    if (nameOf(node) === reader) loose += 1;
    if (isCallOf(node, reader)) loose -= 1;
    const from = nodeAt(node, 'source')?.['value'];
    if (typeof from !== 'string' || from.slice(from.lastIndexOf('/') + 1) !== file) return;
    if (node.type === 'ImportExpression') ways.push('import()');
    if (node.type === 'ExportAllDeclaration') ways.push('export *');
    for (const specifier of [node['specifiers']].flat().filter(isNode)) {
      if (specifier.type === 'ImportNamespaceSpecifier') ways.push('import *');
      if (nameOf(nodeAt(specifier, 'imported')) !== reader) continue;
      ways.push('import');
      // The name that is imported, and its own.
      loose -= 2;
    }
  });
  return loose === 0 ? ways : [...ways, 'another name'];
}

/** How each place matches the reader's result, what was made of it in the same file, or a plain name of a message. */
function matches(
  program: unknown,
  { source: { reader } }: MessageRules,
  plainNames: ReadonlySet<string>,
): string[] {
  const known = new Set([...plainNames, ...namesMadeOf(program, reader)]);
  const holds = (part: unknown): boolean => holdsWords(part, reader, known);
  const found: string[] = [];
  walk(program, (node) => {
    const callee = nodeAt(node, 'callee');
    const method = nameOf(nodeAt(callee, 'property'));
    if (node.type === 'CallExpression' && method !== undefined) {
      const isPattern = matching.has(method) || (method === 'split' && takesPattern(node));
      if (isPattern && (holds(callee?.['object']) || holds(node['arguments']))) found.push(method);
    }
    if (node.type === 'NewExpression' && nameOf(callee) === 'RegExp' && holds(node['arguments']))
      found.push('RegExp');
    if (node.type === 'SwitchStatement' && holds(node['discriminant'])) found.push('switch');
    if (node.type !== 'BinaryExpression' || !equality.has(String(node['operator']))) return;
    const sides = [node['left'], node['right']];
    // Whether there are words at all is no matter of the words.
    if (sides.some(holds) && sides.some(isWords)) found.push(String(node['operator']));
  });
  return found;
}

const isWords = (part: unknown): boolean =>
  isNode(part) &&
  (part.type === 'TemplateLiteral' || (typeof part['value'] === 'string' && part['value'] !== ''));

const takesPattern = (call: SyntaxNode): boolean => {
  const [first] = [call['arguments']].flat();
  return isNode(first) && first['regex'] !== undefined;
};

/** Constants and variables that hold what the reader gave, or something made of it. */
function namesMadeOf(program: unknown, reader: string): ReadonlySet<string> {
  const names = new Set<string>();
  let before = -1;
  while (names.size > before) {
    before = names.size;
    walk(program, (node) => {
      if (node.type !== 'VariableDeclarator' || !holdsWords(node['init'], reader, names)) return;
      const name = nameOf(nodeAt(node, 'id'));
      if (name !== undefined) names.add(name);
    });
  }
  return names;
}

/** It is made of words of a message: functions that it only hands over are looked at by themselves. */
function holdsWords(part: unknown, reader: string, names: ReadonlySet<string>): boolean {
  if (Array.isArray(part)) return part.some((each) => holdsWords(each, reader, names));
  if (!isNode(part) || part.type.endsWith('FunctionExpression')) return false;
  if (isCallOf(part, reader)) return true;
  if (part.type === 'MemberExpression') {
    const isNamed = part['computed'] !== true && names.has(nameOf(nodeAt(part, 'property')) ?? '');
    return isNamed || holdsWords(part['object'], reader, names);
  }
  const name = nameOf(part);
  if (name !== undefined) return names.has(name);
  return Object.values(part).some((each) => holdsWords(each, reader, names));
}
