/**
 * What a small model may do next under a grammar: only the tools and paths that exist, and *must* for each thing that
 * the person named. None of it is part of the prompt, so it may change with every reply.
 *
 * - What the person named is looked at first: no answer, no change before. What nobody named has to be found first.
 * - A change that was asked for comes before the answer, and nothing but the answer comes after it.
 * - What was read is not read again, and what was not read is not written over.
 */
import {
  chars,
  literal,
  oneOf,
  optional,
  pattern,
  sequence,
  type Part,
  type Pattern,
} from '../../../rules/grammar/pattern.ts';
import type { CallRecord } from './discipline.ts';
import { copies, intentOf, programsFor, type Intent } from './intent.ts';
import { namedEntries, type NamedEntries } from './named-files.ts';
import type { Tool } from '../../tools/tool.ts';
import type { OfferedTool } from './offered-tool.ts';
import { linesToChange } from './lines-to-change.ts';
import { searchWords } from './search-words.ts';

export interface Scope {
  stage: Stage;
  tools: readonly OfferedTool[];
  /** The only values of that argument; undefined = any. */
  values: (tool: string, argument: string) => readonly string[] | undefined;
  /** What this argument must match as a whole; undefined = anything. */
  pattern: (tool: string, argument: string) => Pattern | undefined;
  mayCall: boolean;
  mayAnswer: boolean;
}

export interface OfferInput {
  tools: readonly (OfferedTool & Pick<Tool, 'about'>)[];
  /** The person's words. */
  message: string;
  /** Of the workspace, as it is now; a folder ends with `/`. */
  entries: readonly string[];
  /** The same as the turn began: what was removed since is not missing. */
  before: readonly string[];
  /** Of this turn, in order. */
  calls: readonly CallRecord[];
}

/** A search that found nothing has not found it yet. */
const foundNothing = /^(?:Nothing in|No file matches)\b/;
/** So many calls may fail before the model may say what is in the way. */
const maxFailed = 3;

export type Stage = 'run' | 'look' | 'find' | 'write' | 'change' | 'answer';

/** Only for a message that speaks of the workspace. */
export function scopeOf(situation: OfferInput): Scope {
  const intent = intentOf(situation.message);
  const named = namedAtFirst(situation, intent);
  const copy = copyOf(situation, named);
  const stage = stageOf(situation, named, intent, copy);
  const values = valuesOf(situation, named, stage);
  const stuck = situation.calls.filter(({ ok }) => !ok).length >= maxFailed;
  const tools = situation.tools.filter(
    (tool) =>
      // What serves the agent itself is no help to who was asked for something in the workspace.
      tool.about !== 'agent' &&
      values(tool.name, 'path')?.length !== 0 &&
      fits(tool, stage, { intent, named, copy, read: values('edit_file', 'path')?.length !== 0 }),
  );
  return {
    stage,
    tools,
    values,
    pattern: patternsOf(situation.message, named, stage, intent, copy),
    mayCall: stage !== 'answer',
    mayAnswer: stage === 'answer' || stuck,
  };
}

/** What was not found may lie deeper than was looked: it is only missing where something new is to be written. */
function namedAtFirst({ message, entries, before }: OfferInput, { writes, needs }: Intent): NamedEntries {
  const named = namedEntries(message, before);
  const missing = named.missing.filter((path) => !entries.includes(path));
  return writes || needs
    ? { ...named, missing }
    : { ...named, files: [...named.files, ...missing], missing: [] };
}

/** One file as a whole, to a place that can be written: a command does it byte by byte, and a model from memory. */
interface Copy {
  from: string;
  to: string;
}

function copyOf({ message, entries, calls }: OfferInput, { files, missing }: NamedEntries): Copy | null {
  const [[from, ...others], [to, ...more]] = [files, missing];
  if (from === undefined || to === undefined || others.length + more.length > 0) return null;
  const folder = to.slice(0, to.lastIndexOf('/') + 1);
  const tried = calls.some(({ name }) => name === 'run_command');
  return !tried && copies(message, from) && (folder === '' || entries.includes(folder)) ? { from, to } : null;
}

function stageOf({ calls }: OfferInput, named: NamedEntries, intent: Intent, copy: Copy | null): Stage {
  const succeeded = calls.filter(({ ok, content }) => ok && !foundNothing.test(content));
  const commands = calls.filter(({ name }) => name === 'run_command');
  const unseen = unseenOf(named, calls);
  if (intent.runs && commands.length === 0) return 'run';
  if (copy) return 'write';
  const removesNamed = intent.removes && named.files.length > 0;
  if (!removesNamed && unseen.files.length + unseen.folders.length > 0) return 'look';
  const unwritten = (intent.writes || intent.needs) && named.missing.length > 0;
  const nothingNamed = named.files.length + named.folders.length === 0;
  if (nothingNamed && !unwritten && succeeded.length + commands.length === 0) return 'find';
  if (unwritten) return 'write';
  const changed = succeeded.filter(({ mutates, name }) => mutates && name !== 'run_command');
  const touched = changed.some(({ args }) => named.files.some((path) => JSON.stringify(args).includes(path)));
  // A new file was what was asked for, unless words of change speak of one that is there.
  const asked = intent.changes || (intent.writes && named.files.length > 0);
  const wanted = (asked && changed.length === 0) || (intent.changes && !intent.writes && !touched);
  const removed = intent.removes && commands.length > 0;
  if (wanted && !removed && !(intent.runs && commands.length > 0)) return 'change';
  return 'answer';
}

interface Bounds {
  intent: Intent;
  named: NamedEntries;
  copy: Copy | null;
  /** Something was read, so there is something to edit. */
  read: boolean;
}

function fits({ name, mutates }: OfferedTool, stage: Stage, { intent, named, copy, read }: Bounds): boolean {
  switch (stage) {
    case 'run':
      return name === 'run_command';
    case 'look':
      if (name === 'list_files' || name === 'glob')
        return named.files.length === 0 && (intent.lists || !intent.asks);
      return !mutates && !(name === 'read_file' && named.files.length === 0);
    case 'find':
      if (name === 'list_files') return intent.lists && named.patterns.length === 0;
      if (name === 'search' && named.patterns.length > 0) return false;
      if (name === 'glob' && named.patterns.length === 0) return intent.lists;
      return name !== 'read_file' && !mutates;
    case 'write':
      return name === (copy ? 'run_command' : 'write_file');
    case 'change':
      if (intent.removes) return name === 'run_command';
      if (read) return mutates && name !== 'run_command';
      return name === 'read_file' || (mutates && named.files.length === 0);
    case 'answer':
      return false;
  }
}

/** What was named and that no call has touched. */
function unseenOf(
  named: NamedEntries,
  calls: readonly CallRecord[],
): Pick<NamedEntries, 'files' | 'folders'> {
  const touched = calls
    .filter(({ ok, name }) => ok || name === 'run_command')
    .map(({ args }) => JSON.stringify(args));
  const isSeen = (path: string): boolean =>
    touched.some((text) => text.includes(path) || text.includes(path.slice(path.lastIndexOf('/') + 1)));
  const searched = calls.some(({ ok, name }) => ok && (name === 'search' || name === 'glob'));
  return {
    files: named.files.filter((path) => !isSeen(path)),
    folders: searched ? [] : named.folders.filter((path) => !isSeen(path)),
  };
}

function valuesOf(
  { entries, calls, message }: OfferInput,
  named: NamedEntries,
  stage: Stage,
): Scope['values'] {
  const fresh = calls.filter(({ ok, stale }) => ok && !stale);
  const seen = (tool: string): Set<string> =>
    new Set(fresh.flatMap((call) => (call.name === tool ? pathOf(call) : [])));
  const [read, listed] = [seen('read_file'), seen('list_files')];
  const texts = fresh.flatMap((call) => (call.name === 'read_file' ? call.content : []));
  const files = entries.filter((path) => !path.endsWith('/'));
  const folders = ['.', ...entries.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1))];
  const lines = linesToChange(texts, message);
  const writable = named.missing.length > 0 && stage === 'write' ? named.missing : [...read];
  const known: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
    read_file: { path: leftOf(named.files, files, read) },
    list_files: { path: leftOf(named.folders, folders, listed) },
    edit_file: { path: [...read], ...(lines.length > 0 && { old_text: lines }) },
    ...((writable.length > 0 || named.files.length > 0) && { write_file: { path: writable } }),
    search: { pattern: searchWords(message, entries) },
    ...(named.patterns.length > 0 && { glob: { pattern: named.patterns } }),
  };
  return (tool, argument) => known[tool]?.[argument];
}

/** Nothing is chained, sent elsewhere or meant for many: it would do more than was asked for. */
const plainRest = chars(
  [
    [' ', '!'],
    ['#', '%'],
    ["'", ')'],
    ['+', ':'],
    '=',
    ['?', '['],
    [']', '{'],
    ['}', '~'],
    ['\u{A0}', '\u{D7FF}'],
    ['\u{E000}', '\u{10FFFF}'],
  ],
  1,
  120,
);
const programArguments = chars([['a', 'z'], ['0', '9'], ' ', '.', '_', '-'], 0, 30);

/** A program that the person named runs by that name, and what is to be removed or moved is. */
function patternsOf(
  message: string,
  { files }: NamedEntries,
  stage: Stage,
  { removes }: Intent,
  copy: Copy | null,
): Scope['pattern'] {
  let command: Part | null = null;
  if (copy) command = copying(copy);
  else if (stage === 'run') command = running(files, programsFor(message));
  else if (stage === 'change' && removes) command = removing;
  const form = pattern(command);
  return (tool, argument) => (tool === 'run_command' && argument === 'command' ? form : undefined);
}

const words = (texts: readonly string[]): Part | null => oneOf(texts.map(literal));
const rest = sequence(literal(' '), plainRest);
const here = literal('./');

const removing = sequence(words(['rm', 'mv', 'rmdir', 'del', 'move', 'ren', 'git rm', 'git mv']), rest);

const copying = ({ from, to }: Copy): Part | null =>
  sequence(words(['cp', 'copy']), literal(' '), inCommand(from), literal(' '), inCommand(to));

/** By an interpreter, with a few plain words before the name, or by the name alone. */
function running(files: readonly string[], programs: readonly string[]): Part | null {
  const program = sequence(
    words(programs),
    literal(' '),
    optional(sequence(programArguments, literal(' '))),
    optional(here),
  );
  return sequence(oneOf([here, program]), oneOf(files.map(inCommand)), optional(rest));
}

/** Null for a name that a shell would take apart, or for more than a name: the model has to quote it by itself. */
const inCommand = (path: string): Part | null =>
  /^(?!-)[\p{L}\p{M}\p{N}_.,:@%+/=-]+$/u.test(path) ? literal(path) : null;

/** What the person named comes first, as long as it was not seen. */
function leftOf(wanted: readonly string[], all: readonly string[], done: ReadonlySet<string>): string[] {
  const left = wanted.filter((path) => !done.has(path));
  return left.length > 0 ? left : all.filter((path) => !done.has(path));
}

const pathOf = ({ args }: CallRecord): string[] => {
  const path = typeof args === 'object' && args !== null && 'path' in args ? args.path : undefined;
  return typeof path === 'string' ? [path.replace(/^(?:\.\/)+/, '')] : [];
};
