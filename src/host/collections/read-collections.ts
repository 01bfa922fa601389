/** Reads what is new or has changed in collections, file by file, while no turn runs; looks again from time to time. */
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { throttled } from '../../platform/throttle.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { KeptCollection } from '../store/collection-store.ts';
import type { PassageIndex } from '../store/passages/passage-client.ts';
import { nameWords } from '../store/passages/passage-store.ts';
import { listPlace, stateOf, type ListedPlace, type ListPlaceDeps, type PlacedFile } from './list-place.ts';
import { readText, type ReadTextDeps } from './read-text.ts';
import { createPauses, type Pauses } from './reading-pauses.ts';
import { splitPassages } from './split-passages.ts';

export interface ReadingDeps {
  index: Pick<PassageIndex, 'files' | 'put' | 'putFailure' | 'forgetFailed' | 'drop'>;
  /** Of everybody. */
  collections: () => readonly KeptCollection[];
  place: ListPlaceDeps;
  text: ReadTextDeps;
  /** Something is known of a collection that was not. */
  onChange: () => void;
  /** Passages came or went. */
  onPassages: () => void;
  clock: Clock;
  log: Log;
}

/**
 * `gone`: its place is not there. `empty`: there is nothing in it, where there was something: a drive may not be connected.
 * `unlisted`: it could not be looked at. But for `there` its index is kept, and nothing of it is found.
 */
type Standing = 'there' | 'gone' | 'empty' | 'unlisted';

/** What is known of a collection's files since the last look. */
export interface Look {
  files: number;
  leftOut: number;
  standing: Standing;
  /** Why not all of it could be listed, in words; null = it was, or its place is not there. */
  problem: string | null;
  /** To be read, by path. */
  waiting: ReadonlyMap<string, PlacedFile>;
}

interface OwnLook extends Look {
  waiting: Map<string, PlacedFile>;
  hasChanged: boolean;
  at: number;
}

/** After the start and after the last turn. */
const restMs = 2_000;
const lookEveryMs = 10 * 60_000;
/** A window asks again at each. */
const reportMs = 500;
/** A search waits no longer than that for files that have just changed, and for so many. */
const [maxReadFirst, readFirstMs] = [20, 1_500];

export type Reading = ReturnType<typeof createReading>;

export function createReading(deps: ReadingDeps) {
  const { clock, log } = deps;
  const report = throttled(clock, reportMs, deps.onChange);
  const pauses = createPauses(clock);
  const looks = createLooks(deps, pauses, report);
  const readFile = createFileReader(deps, looks, pauses);
  let turns = 0;
  let own: AbortController | null = null;
  let work: Promise<void> = Promise.resolve();
  let timer: Timer | null = null;
  let isClosed = false;

  const workIn = (ms: number): void => {
    timer?.cancel();
    timer = isClosed ? null : clock.after(ms, begin);
  };

  function begin(): void {
    if (isClosed || own || turns > 0) return;
    own = new AbortController();
    work = goOn(own.signal);
  }

  async function goOn(signal: AbortSignal): Promise<void> {
    for (const collection of deps.collections()) {
      if (signal.aborted) break;
      try {
        await readAll(collection, signal);
      } catch (error) {
        // The others are read all the same.
        if (!signal.aborted) log.warn('A collection could not be read', { error: String(error) });
      }
    }
    own = null;
    workIn(signal.aborted ? restMs : lookEveryMs);
  }

  async function readAll(collection: KeptCollection, signal: AbortSignal): Promise<void> {
    const known = looks.known(collection.id);
    const isOld = !known || clock.monotonic() - known.at >= lookEveryMs;
    const found = isOld || known.waiting.size === 0 ? await looks.look(collection) : known;
    if (!found || found.waiting.size === 0) return;
    for (const file of found.waiting.values()) {
      signal.throwIfAborted();
      if (looks.known(collection.id) !== found) return;
      await readFile(collection, file, signal);
      report(false);
    }
    report(true);
    deps.onPassages();
  }

  const callOff = (): void => own?.abort(new AndironError('cancelled', 'A turn comes first.'));
  workIn(restMs);

  return {
    /** undefined = nobody has looked yet. */
    lookAt: (id: string): Look | undefined => looks.known(id),
    /**
     * What was changed a moment ago is read before it resolves, as far as that takes no time that a person notices. Rejects
     * with the signal's reason.
     */
    async refresh(collection: KeptCollection, signal: AbortSignal): Promise<void> {
      const found = await looks.look(collection);
      signal.throwIfAborted();
      if (!found) return;
      const until = clock.monotonic() + readFirstMs;
      for (const file of found.waiting.size > maxReadFirst ? [] : found.waiting.values()) {
        if (clock.monotonic() >= until) break;
        // One that failed before may take all the time that it may, once more.
        if (!pauses.isKnown(collection.id, file)) await readFile(collection, file, signal);
      }
      if (found.waiting.size > 0) workIn(restMs);
      else if (found.hasChanged) deps.onPassages();
    },
    /** Files that could not be read are tried again, whatever the reason was. */
    lookSoon(id: string): void {
      pauses.endAll(id);
      forgetFailed(deps, id);
      looks.forget(id);
      workIn(0);
    },
    forget(id: string): void {
      pauses.endAll(id);
      looks.forget(id);
    },
    /** So many turns run now. */
    turns(count: number): void {
      turns = count;
      if (count > 0) callOff();
      else workIn(restMs);
    },
    async close(): Promise<void> {
      isClosed = true;
      timer?.cancel();
      callOff();
      await work;
    },
  };
}

/** Asked before the look asks what is known. */
function forgetFailed({ index, log }: Pick<ReadingDeps, 'index' | 'log'>, id: string): void {
  void index.forgetFailed(id).catch((error: unknown) => {
    log.warn('Files that could not be read are not tried again', { error: String(error) });
  });
}

type Looks = ReturnType<typeof createLooks>;

/** What is there now beside what was read of it. */
function createLooks(deps: ReadingDeps, pauses: Pick<Pauses, 'isPaused'>, report: (isLast: boolean) => void) {
  const { index, clock } = deps;
  const looks = new Map<string, OwnLook>();
  const running = new Map<string, Promise<OwnLook | null>>();

  async function lookNow(collection: KeptCollection): Promise<OwnLook | null> {
    const { id } = collection;
    const listed = await listedNow(collection, deps.place);
    const known = new Map((await index.files(id)).map(({ path, state }) => [path, state]));
    if (!isThere(deps, id)) return null;
    const { files, leftOut, problem } = listed;
    const there = new Set(files.map(({ path }) => path));
    const missing = [...known.keys()].filter((path) => !there.has(path));
    const standing = standingOf(collection, listed, known.size);
    // What was not seen is only gone where all was seen that there is.
    const isWhole = standing === 'there' && problem === null;
    if (isWhole && missing.length > 0) {
      await index.drop(id, missing);
      deps.onPassages();
    }
    const changed = files.filter(
      (file) => known.get(file.path) !== stateOf(file.stat) && !pauses.isPaused(id, file),
    );
    const found: OwnLook = {
      files: isWhole ? files.length : files.length + missing.length,
      leftOut,
      standing,
      problem,
      waiting: new Map(changed.map((file) => [file.path, file])),
      hasChanged: changed.length > 0,
      at: clock.monotonic(),
    };
    looks.set(id, found);
    report(true);
    return found;
  }

  return {
    known: (id: string): OwnLook | undefined => looks.get(id),
    forget: (id: string): void => void looks.delete(id),
    /** One at a time for each collection; null = it was removed meanwhile. */
    look(collection: KeptCollection): Promise<OwnLook | null> {
      const { id } = collection;
      const under = running.get(id);
      if (under) return under;
      const looking = lookNow(collection).finally(() => running.delete(id));
      running.set(id, looking);
      return looking;
    },
  };
}

interface Listed extends ListedPlace {
  isAway: 'gone' | 'unlisted' | null;
}

/** One that cannot be listed says why, and keeps nobody from the others. */
async function listedNow({ folder, files }: KeptCollection, place: ListPlaceDeps): Promise<Listed> {
  const nothing = { files: [], leftOut: 0 };
  try {
    const listed = await listPlace({ folder, files }, place);
    return listed ? { ...listed, isAway: null } : { ...nothing, problem: null, isAway: 'gone' };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ...nothing, problem, isAway: 'unlisted' };
  }
}

/** The place where a drive is connected stays as an empty folder while it is not: that costs nobody their index. */
function standingOf(
  { folder }: Pick<KeptCollection, 'folder'>,
  { files, problem, isAway }: Listed,
  known: number,
): Standing {
  if (isAway) return isAway;
  if (files.length > 0 || known === 0 || problem !== null) return 'there';
  return folder === null ? 'gone' : 'empty';
}

function createFileReader(deps: ReadingDeps, looks: Pick<Looks, 'known'>, pauses: Pauses) {
  const { index } = deps;
  return async (collection: KeptCollection, file: PlacedFile, signal: AbortSignal): Promise<void> => {
    const { id } = collection;
    const { path, real, stat } = file;
    const reading = readText({ path: real, shown: path, stat }, deps.text, signal);
    const found = await reading.catch((error: unknown) => {
      signal.throwIfAborted();
      // The next look tells whether it is still there.
      return { problem: error instanceof Error ? error.message : String(error), isPassing: true };
    });
    if (!isThere(deps, id)) return;
    if ('problem' in found && found.isPassing) {
      pauses.begin(id, file);
      await index.putFailure({ collection: id, path }, found.problem);
    } else {
      pauses.end(id, path);
      const passages = 'text' in found ? splitPassages(found.text) : [];
      const empty = passages.length === 0 ? 'There is no text in it.' : null;
      const problem = 'problem' in found ? found.problem : empty;
      const indexed = { collection: id, path, state: stateOf(stat), name: nameWords(path), problem };
      await index.put(indexed, passages);
    }
    const waiting = looks.known(id)?.waiting;
    if (waiting?.get(path) === file) waiting.delete(path);
  };
}

const isThere = ({ collections }: Pick<ReadingDeps, 'collections'>, id: string): boolean =>
  collections().some((each) => each.id === id);
