/** Collections: with an index in a thread, documents read as the tools read them, and vectors that come after those of memory. */
import { join } from 'node:path';
import { throttled } from '../platform/throttle.ts';
import { maxEmbedCharacters, maxEmbedTexts } from '../protocol/engine-methods.ts';
import type { HostEvent } from '../protocol/events.ts';
import { AndironError } from '../protocol/errors.ts';
import type { Attachments } from './attachments/attachments.ts';
import { openMeaning, type MeaningParts } from './open-meaning.ts';
import type { Meaning } from './memory/meaning/meaning.ts';
import { createCollections, type Collections, type CollectionsDeps } from './collections/collections.ts';
import { passageText, placeWords, unreadWords } from './collections/passage-words.ts';
import type { MoreTexts } from './memory/meaning/vector-batches.ts';
import type { CollectionControl } from './rpc/collection-handlers.ts';
import {
  createPassageClient,
  type PassageClientDeps,
  type PassageIndex,
} from './store/passages/passage-client.ts';
import type { CollectionAccess } from './tools/collection-access.ts';
import { ToolFailure } from './tools/tool.ts';
import type { SourceNumber } from './web/source-numbers.ts';

/** In the data folder, beside the database of everything that cannot be made again. */
export const indexFile = 'andiron.passages.db';
/** Between two reports while vectors are made. */
const reportMs = 2_000;

function openPassages({
  dataDir,
  worker = new URL('store/passages/passage-thread.ts', import.meta.url),
  log,
}: Pick<PassageClientDeps, 'log'> & { dataDir: string; worker: URL | undefined }): PassageIndex {
  return createPassageClient({ path: join(dataDir, indexFile), module: worker, log });
}

/** What vectors are made of, as long as there is a collection. */
function passageTexts(
  index: Pick<PassageIndex, 'withoutVector' | 'putVectors'>,
  { store, clock }: Pick<CollectionsDeps, 'store' | 'clock'>,
  onChange: () => void,
): MoreTexts {
  const report = throttled(clock, reportMs, onChange);
  const hasAny = (): boolean => store.collections().length > 0;
  return {
    hasAny,
    async next(digest) {
      const passages = hasAny() ? await index.withoutVector(digest, maxEmbedTexts) : [];
      if (passages.length === 0) return null;
      const isLast = passages.length < maxEmbedTexts;
      return {
        texts: passages.map(({ text }) => text.slice(0, maxEmbedCharacters)),
        isLast,
        async keep(vectors) {
          const made = passages.flatMap(({ number }, at) => {
            const vector = vectors[at];
            return vector ? [{ number, vector }] : [];
          });
          await index.putVectors(digest, made);
          report(isLast);
        },
      };
    },
  };
}

type Parts = Omit<CollectionsDeps, 'onChange' | 'place' | 'text' | 'index' | 'meaning'> &
  Omit<MeaningParts, 'more'> & {
    dataDir: string;
    /** The module of the thread; the one of the source unless given. */
    passageWorker?: URL | undefined;
    files: CollectionsDeps['place']['files'] & CollectionsDeps['text']['files'];
    documents: CollectionsDeps['text']['documents'];
    readPage: CollectionsDeps['text']['readPage'];
    roots: CollectionsDeps['place']['roots'];
    listFolder: CollectionsDeps['place']['listFolder'];
  };

/** Sessions are there later: they are told then. */
export function openFinding(
  parts: Parts,
  sessions: () => { publish(event: HostEvent): void },
): { meaning: Meaning; collections: Collections } {
  const { files, documents, readPage, roots, listFolder } = parts;
  const index = openPassages({ ...parts, worker: parts.passageWorker });
  const onChange = (): void => sessions().publish({ type: 'collections/changed' });
  const meaning = openMeaning({ ...parts, more: passageTexts(index, parts, onChange) }, sessions);
  const collections = createCollections({
    ...parts,
    index,
    meaning,
    place: { files, roots, listFolder },
    text: { files, documents, readPage },
    onChange,
  });
  return { meaning, collections };
}

/** Tools are there before collections are. */
export function toolCollections(
  store: { speakerOf(sessionId: string): string | null },
  later: () => {
    collections: Pick<Collections, 'hasAny' | 'namesOf' | 'idOf' | 'search'>;
    numberSource: SourceNumber;
  },
): CollectionAccess {
  return {
    hasAny: () => later().collections.hasAny(),
    async search({ query, name }, { sessionId, turnId, signal }) {
      const { collections, numberSource } = later();
      const userId = store.speakerOf(sessionId);
      const names = userId === null ? [] : collections.namesOf(userId);
      if (userId === null || names.length === 0)
        throw new ToolFailure('There is no collection that this session may search.', {
          advice: 'Go on without.',
        });
      const id = name === null ? null : collections.idOf(userId, name);
      if (id === undefined)
        throw new ToolFailure(`There is no collection ${name ?? ''}.`, {
          advice: `The collections are: ${names.join(', ')}.`,
        });
      const found = await collections.search(userId, id, query, { sessionId, signal });
      const passages = found.passages.map((passage) => {
        const title = placeWords(passage);
        return { number: numberSource(turnId, title), title, url: '', text: passageText(passage) };
      });
      return { passages, remarks: unreadWords(found) };
    },
  };
}

export function collectionControl(
  collections: Collections,
  attachments: Pick<Attachments, 'addBytes'>,
): CollectionControl {
  return {
    list: (userId) => collections.list(userId),
    price: (place) => collections.price(place),
    add: (userId, name, place) => collections.add(userId, name, place),
    rename: (userId, id, name) => collections.rename(userId, id, name),
    remove: (userId, id) => collections.remove(userId, id),
    refresh: (userId, id) => collections.refresh(userId, id),
    async search(userId, id, query, signal) {
      const { passages, byMeaning } = await collections.search(userId, id, query, {
        sessionId: null,
        signal,
      });
      return {
        byMeaning,
        passages: passages.map(({ name, path, place, by, ...passage }) => ({
          collection: name,
          path,
          place,
          by,
          text: passageText(passage),
        })),
      };
    },
    async attach(userId, id, query, signal) {
      const found = await collections.search(userId, id, query, { sessionId: null, signal });
      const name = collections.nameOf(userId, id);
      if (found.passages.length === 0)
        throw new AndironError(
          'attachment_invalid',
          [`Nothing in ${name} fits this message, so it was not sent.`, ...unreadWords(found)].join(' '),
          'Take the collection out of the message, or write what to look for.',
        );
      const passages = found.passages.map((passage) => `${placeWords(passage)}:\n${passageText(passage)}\n`);
      const text = [...passages, ...unreadWords(found)].join('\n');
      const origin = { server: name, uri: '', kind: 'collection' } as const;
      return attachments.addBytes(`${name.replaceAll(/[/\\\0]/g, '-')}.txt`, Buffer.from(text), origin);
    },
  };
}
