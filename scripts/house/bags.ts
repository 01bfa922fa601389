/** Parameters that hand a whole room around, so that nobody sees what a function needs. */
import { isNode, nameOf, nodeAt, parametersOf, parse, walk, type SyntaxNode } from './source-files.ts';

const maxMembers = 12;
const maxFiles = 3;

interface TypeBody {
  members: SyntaxNode[];
  parents: string[];
}

type Types = ReadonlyMap<string, TypeBody>;

/**
 * One line for each parameter whose type has more than twelve members, some of which do something, and is a parameter in
 * more than three files. Plain data, such as a profile or the state of the engine, is no bag however much it says.
 */
export function bagParameters(paths: readonly string[]): string[] {
  const parsed = paths.map((path) => ({ path, program: parse(path).program }));
  const types = new Map<string, TypeBody>();
  for (const { program } of parsed) walk(program, (node) => addType(types, node));
  const bags = new Set([...types.keys()].filter((name) => isBag(membersOf(name, types, new Set()))));
  const used = new Map<string, string[]>();
  for (const { path, program } of parsed) {
    walk(program, (node) => {
      for (const pattern of parametersOf(node)) {
        const name = typeNameOf(pattern);
        if (name !== undefined && bags.has(name)) used.set(name, [...(used.get(name) ?? []), path]);
      }
    });
  }
  return [...used]
    .filter(([, places]) => new Set(places).size > maxFiles)
    .flatMap(([name, places]) => places.map((path) => `${path}: ${name}`));
}

/** The name after the colon, where it is one alone. */
const typeNameOf = (node: SyntaxNode): string | undefined =>
  nameOf(nodeAt(node, 'typeAnnotation', 'typeAnnotation', 'typeName'));

function addType(types: Map<string, TypeBody>, node: SyntaxNode): void {
  const name = nameOf(nodeAt(node, 'id'));
  if (name === undefined) return;
  if (node.type === 'TSInterfaceDeclaration') {
    const parents = listAt(node, 'extends').flatMap((parent) => nameOf(nodeAt(parent, 'expression')) ?? []);
    types.set(name, { members: listAt(nodeAt(node, 'body'), 'body'), parents });
  }
  const literal = node.type === 'TSTypeAliasDeclaration' ? nodeAt(node, 'typeAnnotation') : undefined;
  if (literal?.type === 'TSTypeLiteral')
    types.set(name, { members: listAt(literal, 'members'), parents: [] });
}

const listAt = (node: SyntaxNode | undefined, key: string): SyntaxNode[] =>
  [node?.[key]].flat().filter(isNode);

/** With those it inherits, and those of another bag that it holds: a bag in a bag is carried just the same. */
function membersOf(name: string, types: Types, seen: Set<string>): SyntaxNode[] {
  const type = types.get(name);
  if (!type || seen.has(name)) return [];
  seen.add(name);
  const inherited = type.parents.flatMap((parent) => membersOf(parent, types, seen));
  const held = type.members.map((member) => membersOf(typeNameOf(member) ?? '', types, seen)).filter(isBag);
  return [...type.members, ...inherited, ...held.flat()];
}

const isBag = (members: readonly SyntaxNode[]): boolean =>
  members.length > maxMembers && members.some(doesSomething);

const doesSomething = (member: SyntaxNode): boolean =>
  member.type === 'TSMethodSignature' ||
  nodeAt(member, 'typeAnnotation', 'typeAnnotation')?.type === 'TSFunctionType';
