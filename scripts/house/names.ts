/** Names that a reader of other programs would have to learn: the field has a term for each of them. */
import { isNode, nameOf, nodeAt, parametersOf, parse, walk, type SyntaxNode } from './source-files.ts';

/** Each with the term that is used instead. */
const forbidden: [RegExp, string][] = [
  [/^(?:most|longest|largest|dearest)[A-Z]/, 'max…'],
  [/^(?:fewest|least|smallest|shortest)[A-Z]/, 'min…'],
  [/^deepest/, 'maxDepth'],
  [/^(?:tell|told)(?=[A-Z]|$)|^(?:untold|onTold|foretell)$/, 'notify, emit, report, publish'],
  [/fruitless|inVain/i, 'failedAttempts'],
  [/^(?:grace|breath)Ms$|outOfBreath/i, 'gracePeriodMs, isUnresponsive'],
  [
    /^(?:comeBack|lookAround|onDoubt|whoLeaves|giveWay|standBack|askedBeside)$/,
    'waitUntilAvailable, refresh, cancel …',
  ],
  [/^(?:lend|lent|takeBack|asLent|lentAway|regain|cure|hurry)$/, 'release, reclaim, recover, preempt'],
  [
    /^(?:gaveUp|orGiveUp|broke|ownAffairs|plainly|speaksOf\w*|blameFor|putBack|rescue|handOut)$/,
    'failed, restore, classify …',
  ],
  [
    /^(?:Circumstances|Situation|Payer|Aside|Told|Account|Trail|Pieces|Parting|Surprise|Warmer)$/,
    'what it holds',
  ],
  [/(?:^m|M)ortal/, 'crashable…'],
  [/(?:^a|A)new(?![a-z])/, 'again, re-…'],
];

const declarations = new Set([
  'VariableDeclarator',
  'FunctionDeclaration',
  'ClassDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
]);
const members = new Set([
  'TSPropertySignature',
  'TSMethodSignature',
  'MethodDefinition',
  'PropertyDefinition',
]);

/** The names that a node gives, not those that it uses. */
function namesGivenBy(node: SyntaxNode): string[] {
  const patterns: SyntaxNode[] = [];
  if (declarations.has(node.type)) patterns.push(...[node['id']].filter(isNode));
  if (members.has(node.type) && node['computed'] !== true) patterns.push(...[node['key']].filter(isNode));
  patterns.push(...parametersOf(node));
  return patterns.flatMap(boundNames);
}

/** Of a pattern such as `{ a: b, ...c }` the names that it binds: `b` and `c`; of `#a` the word without its mark. */
function boundNames(pattern: SyntaxNode): string[] {
  const name = nameOf(pattern);
  if (name !== undefined) return [name];
  if (pattern.type === 'PrivateIdentifier') return [String(pattern['name'])];
  const inner = [pattern['properties'], pattern['elements']].flat().filter(isNode);
  const ends = [nodeAt(pattern, 'value'), nodeAt(pattern, 'argument'), nodeAt(pattern, 'left')];
  return [...inner, ...ends.filter(isNode)].flatMap(boundNames);
}

/** One line for each name of a file that is no term of the field. */
export function forbiddenNames(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const found = new Set<string>();
    walk(parse(path).program, (node) => {
      for (const name of namesGivenBy(node)) {
        const rule = forbidden.find(([pattern]) => pattern.test(name));
        if (rule) found.add(`${path}: ${name} (${rule[1]})`);
      }
    });
    return [...found];
  });
}
