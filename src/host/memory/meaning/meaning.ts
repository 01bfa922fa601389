/** Facts found by what they mean: which model does it, how far it is, and what is near to a message. */
import { z } from 'zod';
import { unlessAborted } from '../../../platform/event-loop.ts';
import { maxEmbedCharacters } from '../../../protocol/engine-methods.ts';
import { AndironError } from '../../../protocol/errors.ts';
import type { MeaningStatus } from '../../../protocol/person-methods.ts';
import { wordsOnly } from '../../../rules/choose-model.ts';
import type { Store } from '../../store/store.ts';
import {
  embeddingModels,
  pickEmbeddingModel,
  type EmbeddingModel,
  type VectorEngine,
} from './embedding-model.ts';
import { nearestFacts, toVector, type Near } from './nearest.ts';
import { questionVector, type QuestionVector, type QuestionVectorDeps } from './question-vector.ts';
import { createVectorWork, isIdle, type VectorWorkDeps } from './vector-work.ts';

export interface MeaningDeps
  extends Pick<VectorWorkDeps, 'onChange' | 'more'>, Omit<QuestionVectorDeps, 'engine'> {
  store: VectorWorkDeps['store'] &
    Pick<Store, 'vectorsAfter' | 'countVectors' | 'readSetting' | 'writeSetting' | 'speakerOf'>;
  engine: VectorEngine;
}

export interface Meaning {
  /**
   * Facts of whoever the session belongs to that are near to the text, the nearest first; empty where that takes too long.
   * Never rejects. null = there is nothing to wait for: words alone find.
   */
  near(sessionId: string, text: string, signal: AbortSignal): Promise<readonly Near[]> | null;
  status(userId: string): MeaningStatus;
  /** null = Andiron chooses; `wordsOnly` = none. Throws `not_found`. */
  choose(choice: string | null): void;
  /** Somebody may write soon: the model is made ready for that. */
  sessionOpened(): void;
  /** There are other texts than before. */
  textsChanged(): void;
  /** The model in use; null = words alone find. */
  model(): EmbeddingModel | null;
  /** Of a question; null = there is no model for it, or it takes too long. Rejects with the signal's reason alone. */
  vectorOf(text: string, sessionId: string | null, signal: AbortSignal): Promise<QuestionVector | null>;
  /** About so long for texts of so many characters; null = it was not timed yet. */
  msFor(characters: number): number | null;
  turns(count: number): void;
  close(): Promise<void>;
}

/** A message waits so long for its vector and no longer. */
const maxWaitMs = 300;
/** More than a message gets, so that what words found too counts twice. */
const maxNear = 15;

const choiceKey = 'memoryModel';
const choiceSchema = z.string().nullable();

export function createMeaning(deps: MeaningDeps): Meaning {
  const { store, engine, clock, log } = deps;
  const installed = () => embeddingModels(engine.state()?.models ?? []);
  const choice = (): string | null => store.readSetting(choiceKey, choiceSchema) ?? null;
  const inUse = (): EmbeddingModel | null => pickEmbeddingModel(installed(), choice(), store.digestOfMost());
  const work = createVectorWork({
    ...deps,
    model: inUse,
    countTokens: (model, tokens) => deps.countTokens(model, tokens, null),
  });

  const stopWatching = watchModels(engine, installed, (isOther) => {
    if (isOther) {
      work.forgetProblem();
      deps.onChange();
    }
    work.lookSoon();
  });

  const find = async (
    query: { sessionId: string; text: string; model: EmbeddingModel; bound: number; userId: string },
    stopped: AbortSignal,
  ): Promise<readonly Near[]> => {
    const late = new AbortController();
    const timer = clock.after(maxWaitMs, () => late.abort());
    const signal = AbortSignal.any([stopped, late.signal]);
    const { model, sessionId, bound, userId } = query;
    try {
      const text = query.text.slice(0, maxEmbedCharacters);
      const asking = engine.embed(model.name, [text], true, signal);
      const { vectors, tokens } = await unlessAborted(asking, signal);
      const vector = toVector(vectors?.[0] ?? []);
      if (!vector) return [];
      deps.countTokens(model.name, tokens, sessionId);
      const whose = { userId, digest: model.digest, vector, bound, limit: maxNear };
      return await nearestFacts(store, whose, clock.now(), signal);
    } catch (error) {
      log.info('A message was given what words found alone', { reason: String(error) });
      return [];
    } finally {
      timer.cancel();
    }
  };

  return {
    near(sessionId, text, signal) {
      const model = inUse();
      const bound = model && work.boundFor(model.digest);
      const userId = store.speakerOf(sessionId);
      if (!model || bound === null || userId === null || text.trim() === '') return null;
      if (store.countVectors(userId, model.digest, clock.now()).indexed === 0) return null;
      return find({ sessionId, text, model, bound, userId }, signal);
    },
    status(userId) {
      const models = installed();
      const model = inUse();
      return {
        choice: choice(),
        model: model?.name ?? null,
        models: models.map(({ name, sizeBytes }) => ({ name, sizeBytes })),
        ...store.countVectors(userId, model?.digest ?? '', clock.now()),
        problem: problemOf(models.length),
      };
    },
    choose(wanted) {
      if (wanted !== null && wanted !== wordsOnly && !installed().some(({ name }) => name === wanted))
        throw new AndironError(
          'not_found',
          `${wanted} is not installed, or does not only make vectors.`,
          'Choose one of the models that are listed.',
        );
      store.writeSetting(choiceKey, wanted);
      work.forgetProblem();
      deps.onChange();
      work.lookSoon();
    },
    sessionOpened: () => work.useExpected(),
    textsChanged: () => work.lookSoon(),
    model: inUse,
    async vectorOf(text, sessionId, signal) {
      const model = inUse();
      if (!model) return null;
      work.useExpected();
      return questionVector(deps, model, { text, sessionId }, signal);
    },
    msFor: (characters) => work.msFor(characters),
    turns: (count) => work.turns(count),
    async close() {
      stopWatching();
      await work.close();
    },
  };

  function problemOf(models: number): MeaningStatus['problem'] {
    const wanted = choice();
    if (wanted === wordsOnly) return { kind: 'off', text: '' };
    if (engine.state()?.status.kind !== 'running') return { kind: 'no_engine', text: '' };
    if (inUse()) return work.problem();
    return { kind: models > 0 || wanted !== null ? 'gone' : 'no_model', text: wanted ?? '' };
  }
}

/** Tells where there are other models than before, or where the engine has become idle or is it no more. */
function watchModels(
  engine: Pick<VectorEngine, 'state' | 'onState'>,
  installed: () => readonly EmbeddingModel[],
  onChange: (isOther: boolean) => void,
): () => void {
  let seen = '';
  return engine.onState(() => {
    const models = installed().map(({ digest }) => digest);
    const now = `${models.join()} ${String(isIdle(engine.state()))}`;
    if (now === seen) return;
    const isOther = !seen.startsWith(`${models.join()} `);
    seen = now;
    onChange(isOther);
  });
}
