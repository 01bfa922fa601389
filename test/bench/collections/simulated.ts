/** Thousands of files through the whole house: read, found, kept fresh and forgotten. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Collection } from '../../../src/protocol/collection-methods.ts';
import { EMBEDDING_MODEL, type SimModelOptions } from '../../../src/sim/index.ts';
import { fastFolder, World, type Window } from '../../helpers/host-world.ts';
import { Chance } from '../prefix/chance.ts';
import { writeCorpus, type CorpusFile } from './corpus.ts';
import { share } from './share.ts';

export const models: SimModelOptions[] = [{ name: 'qwen3.5:9b', family: 'qwen3.5' }, EMBEDDING_MODEL];

/** Answers that count. */
const first = 5;
/** Changed and removed, of each so many. */
const changedFiles = 10;
const lookMs = 200;
const nanoseconds = 1e6;

export async function measureFiles({
  files,
  questions,
  seed,
}: {
  files: number;
  questions: number;
  seed: number;
}) {
  const folder = mkdtempSync(join(fastFolder(), 'andiron-corpus-'));
  const corpus = writeCorpus(folder, files, seed);
  const world = await World.start({ sim: { models } });
  try {
    const window = world.openWindow();
    const stalls = monitorEventLoopDelay({ resolution: 1 });
    const began = performance.now();
    stalls.enable();
    const place = { folder, files: [] };
    const { collection } = await window.rpc.call('collection/add', { name: 'Corpus', place });
    const read = await until(window, ({ state }) => state === 'ready');
    stalls.disable();
    const readMs = performance.now() - began;
    await until(window, ({ withMeaning, passages }) => withMeaning === passages);
    const asked = drawn(corpus, questions, new Chance(seed));
    const find = (query: string): Promise<string[]> => search(window, collection, query);
    const [byWords, byParts] = [
      await placesOf(asked, find, 'byWords'),
      await placesOf(asked, find, 'byParts'),
    ];
    const isFound = (place: number): boolean => place !== -1 && place < first;
    return {
      files: read.files,
      passages: read.passages,
      read_s: readMs / 1_000,
      found_in_5_by_words: share(byWords, isFound),
      found_in_5: share(byParts, isFound),
      fresh: await freshness(folder, asked, find),
      left_behind: await leftBehind(world, collection, corpus),
      stall_ms: stalls.percentile(99) / nanoseconds,
      stall_max_ms: stalls.max / nanoseconds,
    };
  } finally {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function until({ rpc }: Window, isSo: (collection: Collection) => boolean): Promise<Collection> {
  for (;;) {
    const [collection] = (await rpc.call('collection/list', {})).collections;
    if (collection && isSo(collection)) return collection;
    await pause(lookMs);
  }
}

function drawn(corpus: readonly CorpusFile[], count: number, chance: Chance): CorpusFile[] {
  const left = [...corpus];
  return Array.from({ length: count }, () => left.splice(chance.below(left.length), 1)).flat();
}

async function search({ rpc }: Window, { id }: Collection, query: string): Promise<string[]> {
  const { passages, byMeaning } = await rpc.call('collection/search', { collectionId: id, query });
  if (!byMeaning) throw new Error('The simulator made no vector of a question.');
  return passages.map(({ path, text }) => `${path}\n${text}`);
}

async function placesOf(
  asked: readonly CorpusFile[],
  find: (query: string) => Promise<string[]>,
  form: 'byWords' | 'byParts',
): Promise<number[]> {
  const places: number[] = [];
  for (const file of asked) {
    const found = await find(file[form]);
    places.push(found.findIndex((each) => each.startsWith(`${file.path}\n`)));
  }
  return places;
}

/** Each file is changed or removed, and the search that comes next has to say so. */
async function freshness(
  folder: string,
  asked: readonly CorpusFile[],
  find: (query: string) => Promise<string[]>,
): Promise<number> {
  const isTold: boolean[] = [];
  const texts = asked.filter(({ path }) => /\.(?:txt|md)$/.test(path)).slice(0, 2 * changedFiles);
  for (const [at, { path, rareWord }] of texts.entries()) {
    const isRemoved = at % 2 === 0;
    const fresh = `${rareWord}anew`;
    if (isRemoved) rmSync(join(folder, path));
    else writeFileSync(join(folder, path), `The maker is called ${fresh} now.\n`);
    const old = (await find(rareWord)).some((each) => each.includes(`is ${rareWord},`));
    const now = (await find(fresh)).some((each) => each.includes(fresh));
    isTold.push(!old && now === !isRemoved);
  }
  return share(isTold, (each) => each);
}

/** Rare words that the files of the index still have once the collection is removed. */
async function leftBehind(world: World, { id }: Collection, corpus: readonly CorpusFile[]): Promise<number> {
  const data = join(world.dir, 'data');
  const kept = (): string =>
    readdirSync(data)
      .filter((name) => name.startsWith('andiron.passages.db'))
      .map((name) => readFileSync(join(data, name), 'latin1'))
      .join('');
  const countIn = (bytes: string): number => corpus.filter(({ rareWord }) => bytes.includes(rareWord)).length;
  if (countIn(kept()) < corpus.length / 2) throw new Error('The index was not looked at where it lies.');
  await world.openWindow().rpc.call('collection/remove', { collectionId: id });
  return countIn(kept());
}
