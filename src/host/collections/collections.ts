/** Collections of a person: made, kept fresh, searched by words and by meaning, and removed without a trace. */
import { isAbsolute, join } from 'node:path';
import type { Clock, NewId } from '../../platform/clock.ts';
import {
  maxCollections,
  maxPassageQuery,
  type Collection,
  type CollectionPlace,
  type CollectionPrice,
} from '../../protocol/collection-methods.ts';
import { AndironError } from '../../protocol/errors.ts';
import { protectionOf } from '../../rules/protected-paths.ts';
import type { CollectionStore, KeptCollection } from '../store/collection-store.ts';
import type { PassageIndex } from '../store/passages/passage-client.ts';
import type { PassageHit } from '../store/passages/passage-search.ts';
import { indexBytesPerCharacter, maxFound, priceOf } from './collection-price.ts';
import { createReading, type Look, type Reading, type ReadingDeps } from './read-collections.ts';

interface PassageMeaning {
  /** The model in use; null = words alone find. */
  model(): { name: string; digest: string } | null;
  /** null = there is none, or it took too long. Rejects with the signal's reason. */
  vectorOf(
    text: string,
    sessionId: string | null,
    signal: AbortSignal,
  ): Promise<{ digest: string; vector: Float32Array } | null>;
  /** Milliseconds for a text of this many characters, as the model took lately; null = it was not timed. */
  msFor(characters: number): number | null;
  textsChanged(): void;
}

export interface CollectionsDeps extends Omit<ReadingDeps, 'collections' | 'index' | 'onPassages'> {
  store: CollectionStore;
  index: PassageIndex;
  meaning: PassageMeaning;
  newId: NewId;
  clock: Clock;
}

export interface FoundPassage extends PassageHit {
  /** Its name. */
  name: string;
}

export interface FoundPassages {
  passages: FoundPassage[];
  byMeaning: boolean;
  /** Files that were not read yet, of all that were searched. */
  unread: number;
}

export type Collections = ReturnType<typeof createCollections>;

const maxShownUnread = 50;

export function createCollections(deps: CollectionsDeps) {
  const { store, index, meaning, clock, newId } = deps;
  const reading = createReading({
    ...deps,
    collections: () => store.collections(),
    onPassages: () => meaning.textsChanged(),
  });
  const ownedBy = (userId: string): KeptCollection[] =>
    store.collections().filter((each) => each.userId === userId);

  function owned(userId: string, id: string): KeptCollection {
    const found = ownedBy(userId).find((each) => each.id === id);
    if (found) return found;
    throw new AndironError(
      'not_found',
      'This collection is no longer there.',
      'Look at the list of collections.',
    );
  }

  const describe = describer(deps, reading);

  async function search(
    wanted: readonly KeptCollection[],
    query: string,
    { sessionId, signal }: { sessionId: string | null; signal: AbortSignal },
  ): Promise<FoundPassages> {
    const asked = query.slice(0, maxPassageQuery);
    for (const collection of wanted) await reading.refresh(collection, signal);
    const there = wanted.filter(({ id }) => (reading.lookAt(id)?.standing ?? 'there') === 'there');
    const unlisted = wanted.map(({ id }) => reading.lookAt(id)).find((look) => look?.standing === 'unlisted');
    if (there.length === 0 && unlisted) throw notListed(unlisted.problem);
    const vector = await meaning.vectorOf(asked, sessionId, signal);
    const ids = there.map(({ id }) => id);
    const hits = await index.search({ collections: ids, query: asked, meaning: vector, limit: maxFound });
    signal.throwIfAborted();
    const names = new Map(there.map(({ id, name }) => [id, name]));
    return {
      passages: hits.map((hit) => ({ ...hit, name: names.get(hit.collection) ?? '' })),
      byMeaning: vector !== null,
      unread: ids.reduce((sum, id) => sum + (reading.lookAt(id)?.waiting.size ?? 0), 0),
    };
  }

  return {
    hasAny: (): boolean => store.collections().length > 0,
    namesOf: (userId: string): string[] => ownedBy(userId).map(({ name }) => name),
    async list(userId: string): Promise<{ collections: Collection[]; model: string | null }> {
      const collections = await Promise.all(ownedBy(userId).map(describe));
      return { collections, model: meaning.model()?.name ?? null };
    },
    async price(place: CollectionPlace): Promise<CollectionPrice> {
      await checkPlace(place, deps.place);
      return priceOf(place, { ...deps, msFor: (characters) => meaning.msFor(characters) });
    },
    async add(userId: string, name: string, place: CollectionPlace): Promise<Collection> {
      const known = ownedBy(userId);
      if (known.length >= maxCollections)
        throw refusedPlace(`There are ${String(maxCollections)} collections already.`, 'Remove one first.');
      assertFree(known, name);
      await checkPlace(place, deps.place);
      const collection = { id: newId('col_'), userId, name, folder: place.folder, files: place.files };
      store.addCollection(collection, clock.now());
      reading.lookSoon(collection.id);
      deps.onChange();
      return describe(collection);
    },
    rename(userId: string, id: string, name: string): void {
      const { id: known } = owned(userId, id);
      assertFree(
        ownedBy(userId).filter((each) => each.id !== known),
        name,
      );
      store.renameCollection(known, name);
      deps.onChange();
    },
    async remove(userId: string, id: string): Promise<void> {
      const { id: known } = owned(userId, id);
      store.removeCollection(known);
      reading.forget(known);
      deps.onChange();
      await index.remove(known);
    },
    refresh(userId: string, id: string): void {
      reading.lookSoon(owned(userId, id).id);
    },
    /** @param wanted an id; null = all of theirs. Rejects with the signal's reason. */
    search: (
      userId: string,
      wanted: string | null,
      query: string,
      way: { sessionId: string | null; signal: AbortSignal },
    ): Promise<FoundPassages> =>
      search(wanted === null ? ownedBy(userId) : [owned(userId, wanted)], query, way),
    /** As a model names one; undefined = they have none of this name. */
    idOf: (userId: string, name: string): string | undefined =>
      ownedBy(userId).find((each) => each.name.toLowerCase() === name.trim().toLowerCase())?.id,
    nameOf: (userId: string, id: string): string => owned(userId, id).name,
    turns: (count: number): void => reading.turns(count),
    async close(): Promise<void> {
      await reading.close();
      await index.close();
    },
  };
}

/** What the window shows of one. */
function describer(
  { index, meaning }: Pick<CollectionsDeps, 'index' | 'meaning'>,
  reading: Pick<Reading, 'lookAt'>,
) {
  return async ({ id, name, folder, files }: KeptCollection): Promise<Collection> => {
    const counts = await index.counts(id, meaning.model()?.digest ?? '');
    const look = reading.lookAt(id);
    const waiting = look?.waiting.size ?? 0;
    const all = look?.files ?? counts.files;
    return {
      id,
      name,
      place: { folder, files },
      state: stateWord(look),
      files: all,
      read: look ? Math.max(0, all - waiting) : counts.files,
      leftOut: look?.leftOut ?? 0,
      problem: look?.problem ?? null,
      unread: counts.unread === 0 ? [] : await index.unread(id, maxShownUnread),
      unreadCount: counts.unread,
      passages: counts.passages,
      withMeaning: counts.withVector,
      bytes: counts.characters * indexBytesPerCharacter,
    };
  };
}

function stateWord(look: Look | undefined): Collection['state'] {
  if (look && look.standing !== 'there') return look.standing;
  return look === undefined || look.waiting.size > 0 ? 'reading' : 'ready';
}

/** Throws `invalid_params` for a place that no collection may be made of. */
async function checkPlace(
  { folder, files }: CollectionPlace,
  place: Pick<CollectionsDeps['place'], 'files' | 'roots'>,
): Promise<void> {
  const paths = folder === null ? files : [folder];
  if (paths.length === 0)
    throw refusedPlace('No folder and no file was chosen.', 'Choose a folder, or some files.');
  for (const path of paths) {
    if (!isAbsolute(path))
      throw refusedPlace(`${path} is not an absolute path.`, 'Begin it at the root of the disk.');
    const real = await place.files.realPath(path);
    const kind = real === null ? null : (await place.files.lstat(real))?.kind;
    if (real !== null && kind !== (folder === null ? 'file' : 'folder'))
      throw refusedPlace(`${path} is not a ${folder === null ? 'file' : 'folder'}.`, 'Choose another one.');
    if (real === null)
      throw refusedPlace(`${path} does not exist.`, 'Choose a folder or a file that exists.');
    const within = folder === null ? real : join(real, 'a file');
    const protection = protectionOf({ path: within, workspace: real }, 'read', place.roots);
    if (protection?.kind === 'closed')
      throw refusedPlace(`${path} is Andiron's own data or Git's.`, 'Choose another one.');
    if (protection) throw refusedPlace(`${path} is where programs keep secrets.`, 'Choose another one.');
  }
}

function assertFree(others: readonly KeptCollection[], name: string): void {
  if (others.some((each) => each.name.toLowerCase() === name.toLowerCase()))
    throw new AndironError(
      'invalid_params',
      `A collection named ${name} already exists.`,
      'Choose another name.',
    );
}

const notListed = (problem: string | null): AndironError =>
  new AndironError(
    'workspace_invalid',
    problem ?? 'The files of this collection cannot be listed.',
    'Check that you may read its folder, then search again.',
  );

const refusedPlace = (message: string, advice: string): AndironError =>
  new AndironError('invalid_params', message, advice);
