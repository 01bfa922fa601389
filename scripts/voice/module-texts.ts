/**
 * Texts that a module of the window keeps from the moment when it was loaded, or a component from the moment when it was
 * drawn first: in another language they would stay as they were. Parts of a dictionary may be kept, since they change
 * their words with the language; a text, a list and what a function says may not.
 */
import { dirname, posix } from 'node:path';
import { en } from '../../src/text/en/index.ts';
import { filesIn, isNode, nameOf, nodeAt, parse, type SyntaxNode } from '../house/source-files.ts';

const texts = 'src/renderer/text.ts';
const formats = 'src/renderer/formats.ts';

/** What calls a function that it is given at once. Others keep it for later. */
const callsAtOnce = /^(?:map|flatMap|filter|reduce|forEach|find|some|every|from|fromEntries|toSorted|sort)$/;
/** What copies an object that it is given. */
const copies = /^(?:entries|values|assign|fromEntries|structuredClone)$/;
const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const keptBy = new Set(['useMemo', 'useState', 'useRef']);

/** What these make reads its texts when somebody asks for them. */
const readsLate = new Set(['createApp', 'createCommands', 'followLanguage']);

interface Module {
  path: string;
  imports: Map<string, { from: string; name: string }>;
  /** Exported name → own name. */
  exports: Map<string, string>;
  /** Own name → a part of the dictionary that it stands for, or undefined where it is something else. */
  parts: Map<string, unknown>;
  /** Own name → every name that stands in its declaration. */
  uses: Map<string, Set<string>>;
  statements: SyntaxNode[];
}

export function moduleTexts(): string[] {
  const paths = filesIn('src/renderer', /\.tsx?$/).filter(
    (path) => !/\.test\.tsx?$|\/(?:testing|gallery)\//.test(path) && path !== texts && path !== formats,
  );
  return keptTexts(new Map(paths.map((path) => [path, moduleOf(path, parse(path).program.body)])));
}

/** One line per text of these sources that is kept. */
export function keptTexts(modules: ReadonlyMap<string, Module>): string[] {
  for (const module of modules.values()) takeParts(module, modules);
  const speaking = speakingNames(modules);
  return [...modules.values()].flatMap((module) => {
    const found = new Set<string>();
    const look = new Look(module, modules, speaking, (line) => found.add(`${module.path}: ${line}`));
    for (const statement of module.statements) look.atLoad(statement);
    for (const statement of module.statements) look.inComponents(statement);
    return [...found];
  });
}

export function moduleOf(path: string, statements: unknown): Module {
  const module: Module = {
    path,
    imports: new Map(),
    exports: new Map(),
    parts: new Map(),
    uses: new Map(),
    statements: [],
  };
  for (const statement of nodesOf(statements)) {
    if (statement.type === 'ImportDeclaration') takeImports(module, statement);
    else {
      module.statements.push(statement);
      takeNames(module, statement);
    }
  }
  return module;
}

function takeImports(module: Module, statement: SyntaxNode): void {
  const source = String(nodeAt(statement, 'source')?.['value']);
  if (statement['importKind'] === 'type' || !source.startsWith('.')) return;
  const from = posix.join(dirname(module.path), source);
  for (const each of nodesOf(statement['specifiers'])) {
    const local = nameOf(nodeAt(each, 'local'));
    if (local === undefined || each['importKind'] === 'type') continue;
    module.imports.set(local, { from, name: nameOf(nodeAt(each, 'imported')) ?? 'default' });
  }
}

function takeNames(module: Module, statement: SyntaxNode): void {
  for (const each of nodesOf(statement['specifiers'])) {
    const [name, as] = [nameOf(nodeAt(each, 'local')), nameOf(nodeAt(each, 'exported'))];
    if (name !== undefined && as !== undefined) module.exports.set(as, name);
  }
  for (const part of declaredBy(statement)) {
    const used = namesIn(part);
    for (const name of boundNames(nodeAt(part, 'id'))) {
      module.uses.set(name, readsLate.has(name) ? new Set() : used);
      if (statement.type === 'ExportNamedDeclaration') module.exports.set(name, name);
    }
  }
}

function declaredBy(statement: SyntaxNode): SyntaxNode[] {
  const declared = nodeAt(statement, 'declaration') ?? statement;
  return declared.type === 'VariableDeclaration' ? nodesOf(declared['declarations']) : [declared];
}

/** Constants that stand for a part of the dictionary: `const text = person.storage`, `const { rows } = text`. */
function takeParts(module: Module, modules: ReadonlyMap<string, Module>): void {
  for (const part of module.statements.flatMap(declaredBy)) {
    const [pattern, init] = [nodeAt(part, 'id'), nodeAt(part, 'init')];
    const value = init && textAt(init, module, modules);
    if (value === undefined || !pattern) continue;
    const name = nameOf(pattern);
    if (name !== undefined) module.parts.set(name, value);
    for (const property of nodesOf(pattern['properties'])) {
      const key = nameOf(nodeAt(property, 'key'));
      const local = nameOf(nodeAt(property, 'value')) ?? nameOf(nodeAt(property, 'value', 'left'));
      if (key !== undefined && local !== undefined) module.parts.set(local, memberOf(value, key));
    }
  }
}

/** What an expression reads in the English dictionary; undefined = it reads something else. */
function textAt(node: SyntaxNode, module: Module, modules: ReadonlyMap<string, Module>): unknown {
  const name = nameOf(node);
  if (name !== undefined) return textNamed(name, module, modules);
  if (node.type === 'MemberExpression') {
    const inner = textAt(nodeAt(node, 'object') ?? node, module, modules);
    const property = nodeAt(node, 'property');
    const key = node['computed'] === true ? property?.['value'] : nameOf(property);
    return inner === undefined ? undefined : typeof key === 'string' ? memberOf(inner, key) : anyOf(inner);
  }
  const inside = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'ChainExpression'];
  const expression = inside.includes(node.type) ? nodeAt(node, 'expression') : undefined;
  return expression && textAt(expression, module, modules);
}

function textNamed(name: string, module: Module, modules: ReadonlyMap<string, Module>): unknown {
  const imported = module.imports.get(name);
  if (!imported) return module.parts.get(name);
  if (imported.from === texts) return memberOf(en, imported.name);
  const other = modules.get(imported.from);
  return other?.parts.get(other.exports.get(imported.name) ?? '');
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;

/** Whichever member it is: a text, where one of them is. */
const anyOf = (value: unknown): unknown => {
  const members: unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return members.find((member) => typeof member === 'string') ?? members[0];
};

/** Every declaration in which a text is read, directly or by what it uses. */
function speakingNames(modules: ReadonlyMap<string, Module>): Set<string> {
  const speaking = new Set<string>();
  for (let size = -1; size !== speaking.size;) {
    size = speaking.size;
    for (const module of modules.values())
      for (const [name, used] of module.uses)
        if ([...used].some((each) => speaks(each, module, modules, speaking)))
          speaking.add(`${module.path}#${name}`);
  }
  return speaking;
}

function speaks(
  name: string,
  module: Module,
  modules: ReadonlyMap<string, Module>,
  speaking: ReadonlySet<string>,
): boolean {
  const imported = module.imports.get(name);
  if (!imported) return speaking.has(`${module.path}#${name}`);
  if (imported.from === texts || imported.from === formats) return true;
  const own = modules.get(imported.from)?.exports.get(imported.name) ?? imported.name;
  return speaking.has(`${imported.from}#${own}`);
}

/** Finds what one module keeps. */
class Look {
  readonly #module: Module;
  readonly #modules: ReadonlyMap<string, Module>;
  readonly #speaking: ReadonlySet<string>;
  readonly #report: (line: string) => void;

  constructor(
    module: Module,
    modules: ReadonlyMap<string, Module>,
    speaking: ReadonlySet<string>,
    report: (line: string) => void,
  ) {
    this.#module = module;
    this.#modules = modules;
    this.#speaking = speaking;
    this.#report = report;
  }

  /** What runs while the module loads: everything but the bodies of functions that nobody calls yet. */
  atLoad(node: unknown): void {
    if (Array.isArray(node)) {
      for (const each of node) this.atLoad(each);
      return;
    }
    if (!isNode(node) || functions.has(node.type) || isType(node)) return;
    if (node.type === 'PropertyDefinition' && node['static'] !== true) return;
    if (node.type === 'VariableDeclarator') this.#pattern(node);
    if (node.type === 'CallExpression' || node.type === 'NewExpression') this.#call(node);
    if (node.type === 'SpreadElement') this.#copy(nodeAt(node, 'argument'));
    const value = textAt(node, this.#module, this.#modules);
    if (isText(value)) this.#report(`“${String(value).slice(0, 40)}” is read while the module loads`);
    if (value === undefined) for (const inner of innerOf(node)) this.atLoad(inner);
  }

  #pattern(declarator: SyntaxNode): void {
    for (const name of boundNames(nodeAt(declarator, 'id'))) {
      const value = this.#module.parts.get(name);
      if (isText(value)) this.#report(`${name} is read while the module loads`);
    }
  }

  #call(call: SyntaxNode): void {
    const callee = nodeAt(call, 'callee');
    const name = nameOf(callee);
    const method = nameOf(nodeAt(callee, 'property')) ?? name ?? '';
    const isOwn = name !== undefined && this.#speaks(name);
    if (isOwn || (callee && typeof textAt(callee, this.#module, this.#modules) === 'function'))
      this.#report(`${method} is called while the module loads`);
    if (callee && functions.has(callee.type)) this.atLoad(callee['body']);
    for (const given of nodesOf(call['arguments'])) {
      if (copies.test(method)) this.#copy(given);
      if (!callsAtOnce.test(method)) continue;
      if (functions.has(given.type)) this.atLoad(given['body']);
      const handed = nameOf(given);
      if (handed !== undefined && this.#speaks(handed))
        this.#report(`${handed} is called while the module loads`);
    }
  }

  #copy(node: SyntaxNode | undefined): void {
    const value = node && textAt(node, this.#module, this.#modules);
    if (typeof value === 'object' && value !== null && Object.values(value).some(isText))
      this.#report('a part of the dictionary is copied while the module loads');
  }

  /** Components that are not drawn again by themselves, and values that they keep. */
  inComponents(tree: SyntaxNode): void {
    eachNode(tree, (node) => {
      if (node.type !== 'CallExpression') return;
      const hook = nameOf(nodeAt(node, 'callee')) ?? nameOf(nodeAt(node, 'callee', 'property')) ?? '';
      const [first] = nodesOf(node['arguments']);
      if (!first) return;
      const names = namesIn(first);
      if (hook === 'memo') {
        if (this.#anySpeaks(names) && !names.has('useLanguage'))
          this.#report('a component with memo speaks, and does not call useLanguage');
      } else if (keptBy.has(hook)) {
        if (this.#anySpeaks(hook === 'useMemo' ? names : readNow(first)))
          this.#report(`${hook} keeps a text, and is not made again for another language`);
      }
    });
  }

  #anySpeaks(names: ReadonlySet<string>): boolean {
    return [...names].some((name) => this.#speaks(name));
  }

  #speaks(name: string): boolean {
    return speaks(name, this.#module, this.#modules, this.#speaking);
  }
}

/** Of a first value: a function that is given is called at once, those inside of it later. */
function readNow(node: SyntaxNode): Set<string> {
  const names = new Set<string>();
  const visit = (inner: unknown): void => {
    if (Array.isArray(inner)) inner.forEach(visit);
    if (!isNode(inner) || functions.has(inner.type) || isType(inner)) return;
    const name = readName(inner);
    if (name !== undefined) names.add(name);
    innerOf(inner).forEach(visit);
  };
  visit(functions.has(node.type) ? node['body'] : node);
  return names;
}

/** Without those that the functions inside name themselves. */
function namesIn(tree: SyntaxNode): Set<string> {
  const names = new Set<string>();
  const own = new Set<string>();
  eachNode(tree, (node) => {
    const name = readName(node);
    if (name !== undefined) names.add(name);
    if (!functions.has(node.type)) return;
    for (const parameter of nodesOf(node['params'])) boundNames(parameter).forEach((each) => own.add(each));
  });
  return new Set([...names].filter((name) => !own.has(name)));
}

const isText = (value: unknown): boolean => typeof value === 'string' || Array.isArray(value);
const isType = (node: SyntaxNode): boolean => node.type.startsWith('TS') && !nodeAt(node, 'expression');
const readName = (node: SyntaxNode): string | undefined =>
  nameOf(node) ?? (node.type === 'JSXIdentifier' ? String(node['name']) : undefined);

function boundNames(pattern: SyntaxNode | undefined): string[] {
  if (!pattern) return [];
  const name = nameOf(pattern);
  if (name !== undefined) return [name];
  const inner = [pattern['properties'], pattern['elements']].flat().filter(isNode);
  const ends = [nodeAt(pattern, 'value'), nodeAt(pattern, 'argument'), nodeAt(pattern, 'left')];
  return [...inner, ...ends.filter(isNode)].flatMap(boundNames);
}

/** Without types, and without the names of properties. */
function innerOf(node: SyntaxNode): unknown[] {
  const named = node['computed'] === true ? [] : ['property', 'key'];
  const passed = new Set([...named, 'typeAnnotation', 'typeArguments', 'typeParameters', 'returnType']);
  return Object.entries(node)
    .filter(([key, value]) => typeof value === 'object' && !passed.has(key))
    .map(([, value]) => value);
}

function eachNode(tree: unknown, visit: (node: SyntaxNode) => void): void {
  if (Array.isArray(tree)) tree.forEach((each) => eachNode(each, visit));
  if (!isNode(tree) || isType(tree)) return;
  visit(tree);
  innerOf(tree).forEach((inner) => eachNode(inner, visit));
}

const nodesOf = (list: unknown): SyntaxNode[] => (Array.isArray(list) ? list.filter(isNode) : []);
