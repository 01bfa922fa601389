/**
 * What a reply of a step may be under its grammar: the tools of its act, with paths that exist. None of it is a part of the
 * prompt, so it may change with every reply.
 */
import { readMessage, type PersonMessage } from '../../prompt/person-message.ts';
import type { CallRecord } from '../calls/discipline.ts';
import type { ReplyOptions } from '../calls/constrained.ts';
import type { OfferedTool } from '../calls/offered-tool.ts';
import { maxWhat, type Act } from '../opening/turn-acts.ts';
import { linesNamed, mentioned, sharedPieces } from './named-in-text.ts';
import { isEmptySearch, workOf } from './steps.ts';

export interface StepSituation {
  tools: readonly OfferedTool[];
  acts: readonly Act[];
  /** What may name a path: the step in the model's words, and the message that the turn works on. */
  named: { readonly step: string; readonly message: PersonMessage };
  /** Of the workspace, as it is now; a folder ends with `/`. */
  entries: readonly string[];
  /** Files that came with messages: absolute. Each can be read without having been found. */
  attached?: readonly string[];
  /** Of this turn, in order. */
  calls: readonly CallRecord[];
}

export function offerOf(situation: StepSituation): ReplyOptions {
  const { tools, acts, attached = [], calls } = situation;
  const { step } = situation.named;
  const message = readMessage(situation.named.message);
  const texts = [step, message];
  const entries = [...situation.entries, ...attached];
  const fresh = calls.filter(({ ok, stale }) => ok && !stale);
  const read = pathsIn(fresh, 'read_file');
  const listed = pathsIn(fresh, 'list_files');
  // What cannot be read holds nothing up.
  const unreadable = pathsIn(
    calls.filter(({ ok }) => !ok),
    'read_file',
  );
  const files = entries.filter((path) => !path.endsWith('/') && !read.has(path));
  const folders = ['./', ...entries].filter((path) => path.endsWith('/') && !listed.has(bare(path)));
  const spoken = new Set(mentioned(texts, ['./', ...entries]));
  const named = {
    files: files.filter((path) => spoken.has(path) && !unreadable.has(path)),
    folders: folders.filter((path) => spoken.has(path)),
  };
  const old = whatToChange(texts, fresh);
  const guessed = named.files.length === 0 ? guessedPath(step, entries, calls) : [];
  // What was cut may have lost its end, where a new file is named.
  const said = newPaths(message, entries);
  // A command in a step has slashes too: without an ending a name is one that the person wrote.
  const added = isWhole(step)
    ? newPaths(step, entries)
        .map((path) => said.find((whole) => whole.endsWith(`/${path}`)) ?? path)
        .filter((path) => said.includes(path) || hasEnding.test(path))
    : said;
  const hasWorked = calls.some(({ ok, name }) => ok || name === 'run_command');
  const makesFile = acts.join() === 'change' && added.length > 0;
  const written = someOf(
    added,
    mentioned(
      [step],
      entries.filter((path) => !path.endsWith('/')),
    ),
  );
  // What a command acts on may have had to be found first: its step could not name it yet.
  const isOpen = fresh.some(({ name }) => name !== 'run_command') && mentioned([step], entries).length === 0;
  const values: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
    read_file: { path: someOf([...named.files, ...guessed], files) },
    list_files: { path: someOf(named.folders, folders).map(bare) },
    edit_file: {
      path: someOf(mentioned([step], [...read]), someOf(mentioned(texts, [...read]), [...read])),
      ...(old.length > 0 && { old_text: old }),
    },
    ...(written.length > 0 && { write_file: { path: written } }),
    // What it said that it will run is what runs.
    ...(acts.join() === 'run' && isWhole(step) && !isOpen && { run_command: { command: [step] } }),
  };
  const hasLooked = calls.some(({ name }) => name !== 'run_command');
  // What found nothing finds nothing again: it is looked for in another way.
  const emptySearches = new Set(calls.filter(isEmptySearch).map(({ name }) => name));
  const isOffered = (tool: OfferedTool): boolean => {
    if (values[tool.name]?.['path']?.length === 0) return false;
    // What is named and was not read is read first, whether it is asked about or to be changed.
    const mayRead = acts.includes('look') || acts.includes('change');
    const isReadFirst = named.files.length > 0 && mayRead && !acts.includes('answer');
    // What goes into a new file is known once something was read or run.
    if (isReadFirst && !(makesFile && hasWorked)) return tool.name === 'read_file';
    // A file that is to be made is made: another one in its place would be changed.
    if (makesFile) return tool.name === 'write_file';
    if (acts.includes('look') && !acts.includes('answer')) {
      if (guessed.length > 0) return tool.name === 'read_file';
      // What nobody named has to be found before it can be read.
      // No file has such a name: what is looked for may stand in one.
      if (emptySearches.size > 0) return tool.name === 'search' && !emptySearches.has(tool.name);
      if (tool.name === 'read_file') return hasLooked || attached.some((path) => files.includes(path));
      if (tool.name === 'list_files' && named.folders.length === 0) return hasLooked;
    }
    return acts.includes(workOf(tool));
  };
  const offered = tools.filter((tool) => isOffered(tool));
  return {
    tools: offered,
    mayCall: acts.some((act) => act !== 'answer'),
    mayAnswer: acts.includes('answer') || offered.length === 0,
    simplified: true,
    values: (tool, argument) => values[tool]?.[argument],
  };
}

/**
 * A file that the step names and that is not there: reading it says so. Nobody made such a call yet. `what`: the step in
 * the model's words.
 */
function guessedPath(what: string, entries: readonly string[], calls: readonly CallRecord[]): string[] {
  const name = /(?:^|\s)([^\s'"`]+\.[^\s'"`.]+)$/u.exec(what)?.[1];
  if (name === undefined || /[*?]/.test(name) || entries.includes(name)) return [];
  return calls.some(({ args }) => JSON.stringify(args).includes(name)) ? [] : [name];
}

/** A command that has just as many characters as an opening has room for was most likely cut. */
const isWhole = (step: string): boolean => step !== '' && Array.from(step).length < maxWhat;

/** Of names of files: it has a letter, since 2.0 is none. */
const hasEnding = /^[^*?<>|:]+\.(?=\p{N}*\p{L})[\p{L}\p{N}]{1,10}$/u;
/** With an ending, or in a folder. */
const fileName = /^[^*?<>|:]+\.(?=\p{N}*\p{L})[\p{L}\p{N}]{1,10}$|^[\p{L}\p{N}._-]+(?:\/[\p{L}\p{N}._-]+)+$/u;
const around = /^['"`([]+|['"`)\],;:!?.]+$/gu;

/** Files that the step names and that are not there. */
function newPaths(step: string, entries: readonly string[]): string[] {
  const words = step.split(/\s+/u).map((word) => word.replaceAll(around, '').replace(/^\.\//, ''));
  const known = new Set(mentioned([step], entries).map((path) => path.slice(path.lastIndexOf('/') + 1)));
  const isNew = (word: string): boolean =>
    fileName.test(word) && !entries.includes(word) && !known.has(word.slice(word.lastIndexOf('/') + 1));
  return [...new Set(words.filter(isNew))];
}

const bare = (path: string): string => path.replace(/\/$/, '');

const someOf = (first: readonly string[], all: readonly string[]): readonly string[] =>
  first.length > 0 ? first : all;

function pathsIn(calls: readonly CallRecord[], tool: string): ReadonlySet<string> {
  return new Set(
    calls.flatMap(({ name, args }) => {
      const path = typeof args === 'object' && args !== null && 'path' in args ? args.path : undefined;
      return name === tool && typeof path === 'string' ? [bare(path.replace(/^(?:\.\/)+(?=.)/, ''))] : [];
    }),
  );
}

const maxLineLength = 200;

/** What was read and stands only once: pieces that the texts name, and the lines that they stand in. */
function whatToChange(texts: readonly string[], calls: readonly CallRecord[]): string[] {
  const contents = calls
    .filter(({ name }) => name === 'read_file')
    .map(({ content }) => content.split('\n').slice(1));
  const all = contents.flat();
  const lines = all.filter(
    (line) =>
      line.trim() !== '' && line.length <= maxLineLength && all.indexOf(line) === all.lastIndexOf(line),
  );
  const named = linesNamed(texts, lines);
  const shared = new Set(texts.flatMap((text) => sharedPieces(text, all.join('\n'))));
  const pieces = named.flatMap((line) =>
    withoutLabels(
      [...shared].filter((piece) => line.includes(piece)),
      line,
    ),
  );
  return [...new Set([...pieces, ...named])];
}

/** Of a line like `colour = red` the label tells which line is meant: what is said of the rest is what changes. */
function withoutLabels(pieces: readonly string[], line: string): readonly string[] {
  return pieces.filter((piece) => !label.test(line.slice(line.indexOf(piece) + piece.length)));
}

const label = /^["'\]]*\s*[:=]/;
