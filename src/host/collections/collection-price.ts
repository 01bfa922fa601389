/** What a collection would cost, told from a sample of its files: none is read for it but some first bytes. */
import type { CollectionPlace, CollectionPrice } from '../../protocol/collection-methods.ts';
import { mayBeDocument } from '../../rules/document-kind.ts';
import { listPlace, type ListPlaceDeps, type PlacedFile } from './list-place.ts';
import { headOf, holdsNoText, maxTextBytes, type HeadDeps } from './read-text.ts';
import { maxPassage } from './split-passages.ts';

export interface PriceDeps {
  place: ListPlaceDeps;
  text: HeadDeps;
  /** Milliseconds for so many characters; null = that was not timed. */
  msFor: (characters: number) => number | null;
}

/** In one answer, so that a message or a result holds them. */
export const maxFound = 6;
/** "Manuals/pump.pdf, page 7:" */
const placeLength = 100;
/** Of a token, about. */
const charactersPerToken = 4;
/** An index has its passages, their words and a vector each. */
export const indexBytesPerCharacter = 3;
/** Passages end with paragraphs, so few of them are full. */
const usualPassage = maxPassage * 0.65;
/** Of a document: most of it is pictures, fonts and form. */
const documentShare = 0.05;
const maxSample = 100;

/** The place is one that a collection may be made of. */
export async function priceOf(place: CollectionPlace, deps: PriceDeps): Promise<CollectionPrice> {
  const { files, leftOut } = (await listPlace(place, deps.place)) ?? { files: [], leftOut: 0 };
  const every = Math.max(1, Math.floor(files.length / maxSample));
  const sample = files.filter((_, at) => at % every === 0);
  const read = await Promise.all(sample.map((file) => charactersOf(file, deps.text)));
  const share = sum(read) / Math.max(1, sum(sample.map(({ stat }) => stat.size)));
  const bytes = sum(files.map(({ stat }) => stat.size));
  const characters = Math.round(bytes * share);
  return {
    files: files.length,
    bytes,
    leftOut,
    passages: Math.ceil(characters / usualPassage),
    indexBytes: characters * indexBytesPerCharacter,
    meaningMs: deps.msFor(characters),
    messageTokens: Math.ceil((maxFound * (maxPassage + placeLength)) / charactersPerToken),
  };
}

/** One that cannot be opened has none. */
async function charactersOf({ real, stat }: PlacedFile, deps: HeadDeps): Promise<number> {
  const head = await headOf(real, deps).catch(() => null);
  if (head === null) return 0;
  if (mayBeDocument(head)) return stat.size * documentShare;
  return holdsNoText(head) || stat.size > maxTextBytes ? 0 : stat.size;
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
