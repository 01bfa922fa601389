/** Which paths a step can mean: of the workspace as it is now, and of the calls that were made. */
import { readMessage, type PersonMessage } from '../../prompt/person-message.ts';
import type { CallRecord } from '../calls/discipline.ts';
import { maxWhat } from '../opening/turn-acts.ts';
import { bare, mentioned, nameOf } from './named-in-text.ts';
import { hasEnding, newPaths } from './new-paths.ts';

export interface NamedPaths {
  /** What may name a path: the step in the model's words, and the message that the turn works on. */
  named: {
    readonly step: string;
    readonly message: PersonMessage;
    /** The other steps that work, and what the answer is to be about; absent = there are none. */
    readonly others?: { readonly work: readonly string[]; readonly answer: string };
  };
  /** Of the workspace, as it is now; a folder ends with `/`. */
  entries: readonly string[];
  /** Files that came with messages: absolute. Each can be read without having been found. */
  attached?: readonly string[];
  /** Of this turn, in order. */
  calls: readonly CallRecord[];
}

export interface KnownPaths {
  /** The step, and the message. */
  texts: readonly string[];
  /** Were read, and are still as they were. */
  read: readonly string[];
  /** Were not. */
  unread: readonly string[];
  /** Of those, what is named and nobody tried to read. */
  namedFiles: readonly string[];
  /** Were not listed. */
  folders: readonly string[];
  namedFolders: readonly string[];
  /** What the newest call did not find, in its words; null = it found one, or did something else. */
  missing: string | null;
  /** Files that have nearly the name of the missing one. */
  close: readonly string[];
  /** What the step names and nobody tried: it is not there, and reading it says so. */
  guessed: readonly string[];
  /** A word of the message of which the step makes the name of a file that is not there; null = it does not. */
  guessedWord: string | null;
  /** Files that are to be made. */
  fresh: readonly string[];
  /** What the message names and is not there. */
  said: readonly string[];
  /** What the step names, though it is not there and the person does not name it. */
  invented: readonly string[];
}

export function knownPaths(situation: NamedPaths): KnownPaths {
  const { attached = [], calls } = situation;
  const { step } = situation.named;
  const message = readMessage(situation.named.message);
  const texts = [step, message];
  const entries = [...situation.entries, ...attached];
  const current = calls.filter(isCurrent);
  const read = pathsIn(current, 'read_file');
  const listed = pathsIn(current, 'list_files');
  const tried = triedPaths(calls);
  const unread = entries.filter((path) => !path.endsWith('/') && !read.has(path));
  const folders = ['./', ...entries].filter((path) => path.endsWith('/') && !listed.has(bare(path)));
  const spoken = new Set(mentioned(texts, ['./', ...entries]));
  const namedFiles = unread.filter((path) => spoken.has(path) && !tried.has(path));
  const missing = missingIn(calls);
  const said = newPaths(message, entries);
  return {
    texts,
    read: [...read],
    unread,
    namedFiles,
    folders,
    namedFolders: folders.filter((path) => spoken.has(path)),
    missing,
    close: missing === null ? [] : mentioned([missing], unread),
    guessed: namedFiles.length === 0 ? guessedPath(step, entries, calls) : [],
    guessedWord: guessedWord(newPaths(step, entries, said), message),
    fresh: freshPaths(situation.named, said, entries),
    said,
    invented: inventedIn(situation.named, entries),
  };
}

/** What the step names, though it is not there and the person does not name it. */
export function inventedIn({ step, message }: NamedPaths['named'], entries: readonly string[]): string[] {
  const text = readMessage(message);
  const names = newPaths(step, entries, newPaths(text, entries));
  return names.filter((path) => mentioned([text], [path]).length === 0);
}

/** Files that the step itself names and that nobody tried to read yet. */
export function unreadOf({ named, entries, attached = [], calls }: NamedPaths): string[] {
  const tried = triedPaths(calls);
  return mentioned([named.step], [...entries, ...attached]).filter(
    (path) => !path.endsWith('/') && !tried.has(path),
  );
}

/** The newest results of reading these files. */
export function contentsOf(paths: readonly string[], calls: readonly CallRecord[]): string[] {
  const reads = calls.filter(
    (call) => isCurrent(call) && call.name === 'read_file' && paths.includes(pathOf(call.args) ?? ''),
  );
  return [...new Map(reads.map(({ args, content }) => [pathOf(args), content])).values()];
}

/** A command that has just as many characters as an opening has room for was most likely cut. */
export const isWhole = (step: string): boolean => step !== '' && Array.from(step).length < maxWhat;

const isCurrent = ({ ok, stale }: CallRecord): boolean => ok && !stale;

/** What cannot be read holds nothing up, and what was changed since is read again. */
const triedPaths = (calls: readonly CallRecord[]): ReadonlySet<string> =>
  pathsIn(
    calls.filter(({ ok, stale }) => !ok || !stale),
    'read_file',
  );

const pathsIn = (calls: readonly CallRecord[], tool: string): ReadonlySet<string> =>
  new Set(calls.filter(({ name }) => name === tool).flatMap(({ args }) => pathOf(args) ?? []));

/** From the folder of the workspace on; null = the call names none. */
function pathOf(args: unknown): string | null {
  const path = typeof args === 'object' && args !== null && 'path' in args ? args.path : undefined;
  return typeof path === 'string' ? bare(path.replace(/^(?:\.\/)+(?=.)/, '')) : null;
}

function missingIn(calls: readonly CallRecord[]): string | null {
  const newest = calls.at(-1);
  return newest?.name === 'read_file' && !newest.ok ? newest.content : null;
}

/** @param what the step in the model's words */
function guessedPath(what: string, entries: readonly string[], calls: readonly CallRecord[]): string[] {
  const name = /(?:^|\s)([^\s'"`]+\.[^\s'"`.]+)$/u.exec(what)?.[1];
  if (name === undefined || /[*?]/.test(name) || entries.includes(name)) return [];
  return calls.some(({ args }) => JSON.stringify(args).includes(name)) ? [] : [name];
}

/** What a model looks for in files it may take for one of them. @param names what the step names and is not there */
function guessedWord(names: readonly string[], message: string): string | null {
  const words = names
    .filter((path) => !message.includes(path))
    .map((path) => nameOf(path).replace(/\.[^.]+$/, ''));
  return (
    mentioned(
      [message],
      words.filter((word) => word.length > 2),
    )[0] ?? null
  );
}

/** What the message names and is not there. */
export const saidIn = (message: PersonMessage, entries: readonly string[]): string[] =>
  newPaths(readMessage(message), entries);

/** A model translates names too, those of folders as well: the only one that the person wrote like it is meant. */
export function asSaid(path: string, said: readonly string[]): string {
  const ending = path.slice(path.lastIndexOf('.'));
  const namesakes = said.filter((each) => nameOf(each) === nameOf(path));
  // The folder of a bare name may be said apart from it.
  if (namesakes.some((each) => !each.includes('/'))) return path;
  const alike = namesakes.length > 0 ? namesakes : said.filter((each) => each.endsWith(ending));
  return alike.length === 1 ? (alike[0] ?? path) : path;
}

/** What was cut may have lost its end, where a new file is named: then it is one that the person wrote. */
function freshPaths(
  { step, others = { work: [], answer: '' } }: NamedPaths['named'],
  said: readonly string[],
  entries: readonly string[],
): readonly string[] {
  if (!isWhole(step)) return said;
  const files = entries.filter((path) => !path.endsWith('/'));
  const [, target = ''] = inThatFile.exec(step) ?? [];
  if (mentioned([target], files).length > 0) return [];
  // A command in a step has slashes too: without an ending a name is one that the person wrote.
  const own = newPaths(step, entries, said)
    .map((path) => said.find((whole) => whole.endsWith(`/${path}`)) ?? asSaid(path, said))
    .filter((path) => said.includes(path) || hasEnding.test(path));
  if (own.length > 0) return own;
  // A file that the person names and no step does takes up what the others bring, where this step has no file of its own.
  const left =
    others.work.length === 0 ? [] : said.filter((path) => mentioned(others.work, [path]).length === 0);
  const isOpen = mentioned([step], files).length === 0;
  return isOpen ? left : mentioned([others.answer], left);
}

/** As the worked examples of openings say it of the file that is changed; another name in it is a part of the new text. */
const inThatFile = /^.+ (?:in|to) (\S+)$/su;
