/**
 * What a reply of a step may be under its grammar: the tools of its act, with paths that exist. None of it is a part of the
 * prompt, so it may change with every reply.
 */
import { addedLine } from '../calls/added-line.ts';
import type { ReplyOptions } from '../calls/constrained.ts';
import type { OfferedTool } from '../calls/offered-tool.ts';
import type { Act } from '../opening/turn-acts.ts';
import { editPlaces } from './edit-places.ts';
import { contentsOf, knownPaths, type KnownPaths, type NamedPaths } from './known-paths.ts';
import { bare, mentioned } from './named-in-text.ts';
import { replacesAll } from './replaced-file.ts';
import { commandsOf } from './step-commands.ts';
import { isPlugged } from '../calls/toolsets.ts';
import { conclusive, isEmptySearch, toolSearch, workOf } from './steps.ts';

export interface StepSituation extends NamedPaths {
  tools: readonly OfferedTool[];
  acts: readonly Act[];
  /** A search has brought the tools that the step uses; absent = none has. */
  hasTools?: boolean;
}

/** Of tools and their arguments: the only ones that each may have. */
type Values = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export function offerOf(situation: StepSituation): ReplyOptions {
  const { acts, calls, named } = situation;
  const { step } = named;
  const paths = withFoundFile(knownPaths(situation), situation);
  const { texts } = paths;
  // What is to be replaced has to be there: a file that is not is not made, and reading it says so.
  const gone = isOnly('change', acts) ? paths.fresh.filter((path) => replacesAll(step, path)) : [];
  if (gone.length > 0) return readingOf(gone, situation.tools);
  const edited = someOf(mentioned([step], paths.read), someOf(mentioned(texts, paths.read), paths.read));
  const places = editPlaces(texts, contentsOf(edited, calls));
  const isUnnamed = places.named.length === 0;
  const isRewritten = edited.some((path) => replacesAll(step, path));
  // What nobody names of a file stays: something is added to it.
  const adding = isUnnamed && !isRewritten ? addedLine(edited, places.ends) : null;
  const kept = edited.filter((path) => contentsOf([path], calls).some(holdsText));
  const values: Values = {
    ...valuesOf(situation, paths, kept),
    ...(isRewritten && { write_file: { path: edited } }),
    edit_file: {
      path: isRewritten && isUnnamed ? [] : edited,
      ...(!isUnnamed && { old_text: places.named }),
    },
  };
  const offered = situation.tools.filter((tool) => isOffered(tool, values, situation, paths));
  return {
    tools: offered,
    mayCall: acts.some((act) => act !== 'answer'),
    mayAnswer: acts.includes('answer') || offered.length === 0,
    simplified: true,
    forms: adding ? [{ tool: 'edit_file', args: adding }] : [],
    values: (tool, argument) => values[tool]?.[argument],
  };
}

function readingOf(paths: readonly string[], tools: readonly OfferedTool[]): ReplyOptions {
  const only = tools.filter(({ name }) => name === 'read_file');
  const values: ReplyOptions['values'] = (_tool, argument) => (argument === 'path' ? paths : undefined);
  return { tools: only, mayCall: true, mayAnswer: only.length === 0, simplified: true, values };
}

/** @param read a result of `read_file`, with its range in the first line. */
const holdsText = (read: string): boolean => read.slice(read.indexOf('\n') + 1).trim() !== '';

/** A change that names no file means the only one in which a search found what it is about: it is read before it is changed. */
function withFoundFile(paths: KnownPaths, { acts, calls }: StepSituation): KnownPaths {
  const isNamed = [paths.namedFiles, paths.read, paths.fresh, paths.said].some(({ length }) => length > 0);
  if (isNamed || !isOnly('change', acts)) return paths;
  const searches = calls.filter(({ name, ok, stale }) => name === 'search' && ok && !stale);
  const found = mentioned(
    searches.map(({ content }) => content),
    paths.unread,
  );
  return found.length === 1 ? { ...paths, namedFiles: found } : paths;
}

/** Of names, as a worked example of openings says it; null = the step looks for something else. */
const patternOf = (step: string): string | null => /^find ([^\s"\\]*\*[^\s"\\]*)$/.exec(step)?.[1] ?? null;

/** As a worked example of openings says it, where it can only be text: a code, a number, a word with signs; null = something else. */
function searchedFor(step: string): string | null {
  const [, word = ''] = /^search for (\S+)(?: in .+)?$/u.exec(step) ?? [];
  const plain = bareWord(word);
  return /^(?=.*\p{L})(?=.*\p{N})[\p{L}\p{N}_-]+$/u.test(plain) ? plain : null;
}

const bareWord = (word: string): string => word.replaceAll(/^[`"'“„«「]|[`"'”“»」]$/gu, '');

/** @param kept files with text in them: a small model that writes one as a whole loses what nobody spoke of */
function valuesOf(
  { acts, named, entries, calls }: StepSituation,
  paths: KnownPaths,
  kept: readonly string[],
): Values {
  const { step } = named;
  const files = entries.filter((path) => !path.endsWith('/'));
  const written = someOf(paths.fresh, mentioned([step], files));
  const commands = commandsOf(step, entries, calls, paths);
  const pattern = patternOf(step);
  const word = searchedFor(step) ?? paths.guessedWord;
  return {
    read_file: {
      path: someOf([...paths.namedFiles, ...paths.guessed], someOf(paths.close, paths.unread)),
    },
    list_files: { path: someOf(paths.namedFolders, paths.folders).map(bare) },
    ...(pattern !== null && { glob: { pattern: [pattern] } }),
    ...(word !== null && { search: { pattern: [word] } }),
    ...(written.length > 0 && { write_file: { path: written.filter((path) => !kept.includes(path)) } }),
    ...(isOnly('use', acts) && step !== '' && { [toolSearch]: { query: [step] } }),
    ...(isOnly('run', acts) && commands.length > 0 && { run_command: { command: commands } }),
  };
}

function isOffered(tool: OfferedTool, values: Values, situation: StepSituation, paths: KnownPaths): boolean {
  const { acts, calls } = situation;
  if (workOf(tool) === 'use') return isUsed(tool, situation);
  if (values[tool.name]?.['path']?.length === 0) return false;
  const makesFile = isOnly('change', acts) && paths.fresh.length > 0;
  // Where anything may be done, a file that nobody named is not made up before anything was seen.
  const isMadeUp = acts.includes('run') && values['write_file'] === undefined && !calls.some(({ ok }) => ok);
  if (tool.name === 'write_file' && isMadeUp) return false;
  // What is named and was not read is read first, whether it is asked about or to be changed; it may be a program too.
  const mayRead = acts.includes('look') || acts.includes('change');
  const canRead = mayRead && situation.tools.some(({ name }) => name === 'read_file');
  const isReadFirst = paths.namedFiles.length > 0 && canRead && !acts.includes('answer');
  // What goes into a new file is known once something was read or run.
  const hasWorked = calls.some(({ ok, name }) => ok || name === 'run_command');
  if (isReadFirst && !(makesFile && hasWorked))
    return tool.name === 'read_file' || (acts.includes('run') && workOf(tool) === 'run');
  // A file that is to be made is made: another one in its place would be changed.
  if (makesFile) return tool.name === 'write_file';
  if (workOf(tool) === 'look' && acts.includes('look') && !acts.includes('answer'))
    return finds(tool, situation, paths);
  return acts.includes(workOf(tool));
}

/** Tools of other programs are searched for once in a step; then it is one of those that were found. */
function isUsed({ name }: OfferedTool, { acts, hasTools = false }: StepSituation): boolean {
  return acts.includes('use') && name !== 'tool_call' && hasTools === isPlugged(name);
}

/** Whether it is the tool with which a step looks that names no file: what nobody named has to be found before it is read. */
function finds(
  tool: OfferedTool,
  { tools, named, attached = [], calls }: StepSituation,
  paths: KnownPaths,
): boolean {
  if (paths.guessed.length > 0) return tool.name === 'read_file';
  // Names of other files alone would be taken for what was in the missing one.
  if (paths.missing !== null) return tool.name === (paths.close.length > 0 ? 'read_file' : conclusive);
  // What found nothing finds nothing again. No file has such a name: what is looked for may stand in one.
  const emptySearches = new Set(calls.filter(isEmptySearch).map(({ name }) => name));
  if (emptySearches.size > 0) return tool.name === conclusive && !emptySearches.has(tool.name);
  const hasLooked = calls.some(({ name }) => name !== 'run_command');
  const meant = hasLooked ? undefined : tools.find(({ name }) => isMeant(name, named.step, paths));
  if (meant) return tool === meant;
  if (tool.name === 'read_file') return hasLooked || attached.some((path) => paths.unread.includes(path));
  if (tool.name === 'list_files' && paths.namedFolders.length === 0) return hasLooked;
  return true;
}

/** The step says itself with which tool it looks. */
function isMeant(tool: string, step: string, paths: KnownPaths): boolean {
  if (patternOf(step) !== null) return tool === 'glob';
  if ((searchedFor(step) ?? paths.guessedWord) !== null) return tool === conclusive;
  // A folder may hold much that the step does not look for.
  return `${step} `.startsWith(`${tool} `) && mentioned([step], paths.namedFolders).length === 0;
}

const isOnly = (act: Act, acts: readonly Act[]): boolean => acts.length === 1 && acts[0] === act;

const someOf = (first: readonly string[], all: readonly string[]): readonly string[] =>
  first.length > 0 ? first : all;
