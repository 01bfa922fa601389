/** Any corpus through the whole house with a real engine behind it: which share of questions finds its file. */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Collection } from '../../../src/protocol/collection-methods.ts';
import { wordsOnly } from '../../../src/rules/choose-model.ts';
import { House, type Window } from '../../helpers/host-world.ts';
import { share } from './share.ts';

export interface RealFigures {
  passages: number;
  read_s: number;
  vectors_s: number;
  passages_per_s: number;
}

export interface Answered {
  questions: string;
  way: 'both' | 'words';
  asked: number;
  in_5: number;
  in_1: number;
  /** Of the questions at even places, and of those at odd ones: a setting is chosen by the first. */
  even_in_5: number;
  odd_in_5: number;
  search_ms: number;
}

const questionsSchema = z.array(z.object({ question: z.string(), file: z.string() }));
export type Question = z.infer<typeof questionsSchema>[number];

/** A look at how far it is. */
const lookMs = 1_000;

/** @param onStep a line now and then */
export async function measureReal(
  { url, model, corpus, files }: { url: string; model: string; corpus: string; files: readonly string[] },
  onStep: (line: string) => void,
): Promise<{ figures: RealFigures; answers: Answered[] }> {
  const house = await House.open(url, { unproven: true });
  // No server of this process listens, so nothing else would keep it alive while only the engine is waited for.
  const awake = setInterval(() => undefined, 1_000);
  try {
    const window = house.openWindow();
    await house.engineUntil(({ models }) => models.length > 0);
    await window.rpc.call('memory/choose-model', { model });
    const began = performance.now();
    await window.rpc.call('collection/add', { name: 'Corpus', place: { folder: corpus, files: [] } });
    const read = await until(window, ({ state }) => state === 'ready', onStep);
    const readMs = performance.now() - began;
    const whole = await until(window, ({ withMeaning, passages }) => withMeaning === passages, onStep);
    const vectorsMs = performance.now() - began - readMs;
    const answers: Answered[] = [];
    for (const way of ['both', 'words'] as const) {
      await window.rpc.call('memory/choose-model', { model: way === 'both' ? model : wordsOnly });
      for (const file of files) {
        const questions = questionsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
        answers.push({ questions: file, way, ...(await askAll(window, whole, questions, way)) });
      }
    }
    const figures = {
      passages: read.passages,
      read_s: readMs / 1_000,
      vectors_s: vectorsMs / 1_000,
      passages_per_s: read.passages / (vectorsMs / 1_000),
    };
    return { figures, answers };
  } finally {
    clearInterval(awake);
    await house.close();
  }
}

async function until(
  { rpc }: Window,
  isSo: (collection: Collection) => boolean,
  onStep: (line: string) => void,
): Promise<Collection> {
  for (let looks = 1; ; looks += 1) {
    const [collection] = (await rpc.call('collection/list', {})).collections;
    if (collection && isSo(collection)) return collection;
    if (collection && looks % 30 === 0)
      onStep(
        `${String(collection.read)} of ${String(collection.files)} files, ${String(collection.withMeaning)} of ${String(collection.passages)} vectors`,
      );
    await pause(lookMs);
  }
}

async function askAll(
  { rpc }: Window,
  { id }: Collection,
  questions: readonly Question[],
  way: Answered['way'],
): Promise<Omit<Answered, 'questions' | 'way'>> {
  const places: number[] = [];
  const began = performance.now();
  for (const { question, file } of questions) {
    const found = await rpc.call('collection/search', { collectionId: id, query: question });
    if (found.byMeaning !== (way === 'both')) throw new Error(`Not searched by ${way}: ${question}`);
    const at = found.passages.findIndex(({ path }) => path === file);
    places.push(at === -1 ? Infinity : at);
  }
  const within = (few: number, of: (at: number) => boolean = () => true): number =>
    share(
      places.filter((_, at) => of(at)),
      (place) => place < few,
    );
  return {
    asked: questions.length,
    in_5: within(5),
    in_1: within(1),
    even_in_5: within(5, (at) => at % 2 === 0),
    odd_in_5: within(5, (at) => at % 2 === 1),
    search_ms: (performance.now() - began) / questions.length,
  };
}
