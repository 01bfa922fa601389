/** Collections: folders or files of a person, in which passages are found by words and by what they mean. */
import { z } from 'zod';
import { attachmentSchema } from './attachments.ts';
import { lazyObject } from './lazy-object.ts';

export const maxCollections = 50;
/** Of one collection; what a folder has beyond them is counted and left out. */
export const maxCollectionFiles = 20_000;
/** A query for passages, in characters. */
export const maxPassageQuery = 1_000;

const count = z.int().nonnegative();
const name = z.string().trim().min(1).max(60);
const collectionId = z.string().min(1).max(64);

const placeSchema = lazyObject(() => ({
  /** Whole path of a folder; null = the files below. */
  folder: z.string().min(1).max(4_096).nullable(),
  /** Whole paths; empty where there is a folder. */
  files: z.array(z.string().min(1).max(4_096)).max(200),
}));
/** What a collection is made of. */
export type CollectionPlace = z.infer<typeof placeSchema>;

const collectionSchema = lazyObject(() => ({
  id: z.string(),
  name: z.string(),
  place: placeSchema,
  /**
   * `gone`: its folder is not there now. `empty`: all that was in it is not there. `unlisted`: it cannot be looked at. Nothing
   * of these is found until they are there again; their index is kept.
   */
  state: z.enum(['reading', 'ready', 'gone', 'empty', 'unlisted']),
  /** That belong to it, also those that cannot be read. */
  files: count,
  /** Of these, how many were looked at in the form that they have now. */
  read: count,
  /** Of the files of its folder so many more are left out, since there are too many. */
  leftOut: count,
  /** Why not all of its files could be listed, in words; null = they were. */
  problem: z.string().nullable(),
  /** Files without a text that is read, with the reason; at most 50. */
  unread: z.array(z.object({ path: z.string(), reason: z.string() })),
  unreadCount: count,
  passages: count,
  /** Of the passages, those with a vector of the model in use. */
  withMeaning: count,
  /** On the disk, about. */
  bytes: count,
}));
export type Collection = z.infer<typeof collectionSchema>;

const priceSchema = lazyObject(() => ({
  files: count,
  bytes: count,
  leftOut: count,
  /** About; a document is not opened for it. */
  passages: count,
  /** On the disk, about. */
  indexBytes: count,
  /** Of the processor while nobody needs the GPU, about; null = there is no model for it, or it was not timed yet. */
  meaningMs: z.number().nonnegative().nullable(),
  /** What goes into a prompt with each message that names the collection, at most. */
  messageTokens: count,
}));
/** What a collection would cost. */
export type CollectionPrice = z.infer<typeof priceSchema>;

const passageSchema = lazyObject(() => ({
  collection: z.string(),
  /** Of the file, from the collection's folder on. */
  path: z.string(),
  /** "page 7", "lines 12-40"; '' = the file has no places. */
  place: z.string(),
  text: z.string(),
  by: z.enum(['words', 'meaning', 'both']),
}));
/** All of it is text of a file. */
export type Passage = z.infer<typeof passageSchema>;

export const collectionMethods = {
  'collection/list': {
    params: z.object({}),
    result: lazyObject(() => ({
      collections: z.array(collectionSchema),
      /** Makes the vectors; null = words alone find. */
      model: z.string().nullable(),
    })),
  },
  /** Looks at a place without keeping anything. Refused: not there, Andiron's own data, a private place. */
  'collection/price': { params: placeSchema, result: priceSchema },
  /** Begins to read it when nothing else runs. Refused as above, and: name taken, too many. */
  'collection/add': {
    params: lazyObject(() => ({ name, place: placeSchema })),
    result: lazyObject(() => ({ collection: collectionSchema })),
  },
  'collection/rename': { params: z.object({ collectionId, name }), result: z.object({}) },
  /** Its passages and vectors are gone when it resolves; its files stay as they are. */
  'collection/remove': { params: z.object({ collectionId }), result: z.object({}) },
  /** Looks at its files now. */
  'collection/refresh': { params: z.object({ collectionId }), result: z.object({}) },
  /** The best passages, for a person who tries it. */
  'collection/search': {
    params: z.object({ collectionId, query: z.string().trim().min(1).max(maxPassageQuery) }),
    result: lazyObject(() => ({
      passages: z.array(passageSchema),
      /** False = words alone were asked. */
      byMeaning: z.boolean(),
    })),
  },
  /** The passages for a message that is sent next, as a file of its own that says where each stands. Refused: none found. */
  'collection/attach': {
    params: z.object({ collectionId, query: z.string().trim().min(1) }),
    result: lazyObject(() => ({ attachment: attachmentSchema })),
  },
} as const;
