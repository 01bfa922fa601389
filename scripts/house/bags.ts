/** Parameters that hand a whole room around, so that nobody sees what a function needs. */
import { posix } from 'node:path';
import { isNode, nameOf, nodeAt, parametersOf, parse, walk, type SyntaxNode } from './source-files.ts';

const maxMembers = 12;
const maxFiles = 3;

interface TypeBody {
  members: SyntaxNode[];
  /** Where its file says what a name in it means. */
  scope: Scope;
  parents: string[];
  /** Of a factory whose result it is. */
  factory?: string;
}

/** What a name stands for in one file: `path#name` of where it is declared. */
type Scope = (name: string) => string;

interface Declared {
  types: Map<string, TypeBody>;
  factories: Map<string, { result: SyntaxNode; scope: Scope }>;
}

/**
 * One line for each parameter whose type has more than twelve members, some of which do something, and is a parameter in
 * more than three files: an interface, a class, or what a factory returns. Plain data, such as a profile or the state of
 * the engine, is no bag however much it says.
 */
export function bagParameters(paths: readonly string[]): string[] {
  const parsed = paths.map((path) => {
    const { program } = parse(path);
    return { path, program, scope: scopeOf(path, program) };
  });
  const declared: Declared = { types: new Map(), factories: new Map() };
  for (const { program, scope } of parsed) walk(program, (node) => declare(node, scope, declared));
  const bags = new Map<string, boolean>();
  const isBagAt = (key: string): boolean => {
    const known = bags.get(key) ?? isBag(membersOf(key, declared, new Set()));
    bags.set(key, known);
    return known;
  };
  const used = new Map<string, { path: string; name: string }[]>();
  for (const { path, program, scope } of parsed) {
    walk(program, (node) => {
      for (const pattern of parametersOf(node)) {
        const name = typeNameOf(pattern);
        if (name === undefined || !isBagAt(scope(name))) continue;
        used.set(scope(name), [...(used.get(scope(name)) ?? []), { path, name }]);
      }
    });
  }
  return [...used.values()]
    .filter((places) => new Set(places.map(({ path }) => path)).size > maxFiles)
    .flatMap((places) => places.map(({ path, name }) => `${path}: ${name}`));
}

/** Imports of the same name are followed to their file; anything else is taken for the file's own. */
function scopeOf(path: string, program: Parameters<typeof walk>[0]): Scope {
  const imported = new Map<string, string>();
  walk(program, (node) => {
    const source = nodeAt(node, 'source')?.['value'];
    if (node.type !== 'ImportDeclaration' || typeof source !== 'string') return;
    for (const specifier of listAt(node, 'specifiers')) {
      const [local, name] = [nameOf(nodeAt(specifier, 'local')), nameOf(nodeAt(specifier, 'imported'))];
      if (local === undefined || name === undefined) continue;
      imported.set(local, `${posix.join(posix.dirname(path), source)}#${name}`);
    }
  });
  return (name) => imported.get(name) ?? `${path}#${name}`;
}

/** The name after the colon, where it is one alone. */
const typeNameOf = (node: SyntaxNode): string | undefined =>
  nameOf(nodeAt(node, 'typeAnnotation', 'typeAnnotation', 'typeName'));

function declare(node: SyntaxNode, scope: Scope, { types, factories }: Declared): void {
  const name = nameOf(nodeAt(node, 'id'));
  if (name === undefined) return;
  const key = scope(name);
  if (node.type === 'TSInterfaceDeclaration') {
    const parents = listAt(node, 'extends').flatMap((parent) => nameOf(nodeAt(parent, 'expression')) ?? []);
    types.set(key, { members: listAt(nodeAt(node, 'body'), 'body'), scope, parents });
  }
  if (node.type === 'ClassDeclaration') {
    const parent = nameOf(nodeAt(node, 'superClass'));
    const members = listAt(nodeAt(node, 'body'), 'body').filter(isSeen);
    types.set(key, { members, scope, parents: parent === undefined ? [] : [parent] });
  }
  const meant = node.type === 'TSTypeAliasDeclaration' ? nodeAt(node, 'typeAnnotation') : undefined;
  if (meant?.type === 'TSTypeLiteral')
    types.set(key, { members: listAt(meant, 'members'), scope, parents: [] });
  const factory = meant && factoryIn(meant);
  if (factory !== undefined) types.set(key, { members: [], scope, parents: [], factory });
  const made = node.type === 'FunctionDeclaration' ? node : nodeAt(node, 'init');
  const result = made && resultOf(made);
  if (result) factories.set(key, { result, scope });
}

/** Of `ReturnType<typeof createX>`, awaited or not. */
function factoryIn(type: SyntaxNode): string | undefined {
  const [inner] = listAt(nodeAt(type, 'typeArguments'), 'params');
  if (!inner || !['ReturnType', 'Awaited'].includes(nameOf(nodeAt(type, 'typeName')) ?? '')) return undefined;
  return inner.type === 'TSTypeQuery' ? nameOf(nodeAt(inner, 'exprName')) : factoryIn(inner);
}

/** The object that a function returns in the end. */
function resultOf(made: SyntaxNode): SyntaxNode | undefined {
  const body = nodeAt(made, 'body');
  const last = listAt(body, 'body').findLast(({ type }) => type === 'ReturnStatement');
  const result = last ? nodeAt(last, 'argument') : body;
  return result?.type === 'ObjectExpression' ? result : undefined;
}

/** Of a class what others can use. */
const isSeen = (member: SyntaxNode): boolean =>
  nameOf(nodeAt(member, 'key')) !== undefined &&
  member['kind'] !== 'constructor' &&
  member['accessibility'] !== 'private';

const listAt = (node: SyntaxNode | undefined, key: string): SyntaxNode[] =>
  [node?.[key]].flat().filter(isNode);

/** With those it inherits, and those of another bag that it holds: a bag in a bag is carried just the same. */
function membersOf(key: string, declared: Declared, seen: Set<string>): SyntaxNode[] {
  const type = declared.types.get(key);
  if (!type || seen.has(key)) return [];
  seen.add(key);
  const { scope } = type;
  const made = type.factory === undefined ? undefined : declared.factories.get(scope(type.factory));
  const members = [...type.members, ...listAt(made?.result, 'properties')];
  const inherited = type.parents.flatMap((parent) => membersOf(scope(parent), declared, seen));
  const held = members
    .map((member) => membersOf(scope(typeNameOf(member) ?? ''), declared, seen))
    .filter(isBag);
  return [...members, ...inherited, ...held.flat()];
}

const isBag = (members: readonly SyntaxNode[]): boolean =>
  members.length > maxMembers && members.some(doesSomething);

const doesSomething = (member: SyntaxNode): boolean =>
  member.type === 'TSMethodSignature' ||
  member.type === 'MethodDefinition' ||
  member.type === 'Property' ||
  nodeAt(member, 'typeAnnotation', 'typeAnnotation')?.type === 'TSFunctionType';
