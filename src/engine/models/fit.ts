/** What a model would take here, with any window: before a download, before a load, as a slider moves. */
import type { fitMethods } from '../../protocol/engine-room-methods.ts';
import type { CatalogueEntry, Fit } from '../../protocol/engine-room.ts';
import type { EngineState, LoadedModel, ModelInfo } from '../../protocol/model.ts';
import { defaultContextTokens } from '../../protocol/profile-limits.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import { freeBytes, predictedBytes } from './load-need.ts';
import { canonicalName, type Catalogue } from './catalogue.ts';
import { cpuBatch } from './load-plan.ts';
import type { PlanStore } from './plan-store.ts';
import type { StateStore } from '../base/state.ts';
import { createAskNumbers, type AskNumbersOptions } from './ask-numbers.ts';
import { shapeOf } from './architecture.ts';
import {
  marginOf,
  overheadPerGpu,
  partsOf,
  totalOf,
  verdictOf,
  type Memory,
  type Place,
} from './estimate.ts';
import { shapeByName } from './families.ts';
import type { FitStore } from './fit-store.ts';
import { cacheTypeOf, learnFrom, type Learnt, type MeasuredLoad, type Predict } from './learnt.ts';
import { cacheBytesPerToken } from './cache-bytes.ts';
import { ollamaBatch, ollamaPrediction } from './ollama-prediction.ts';
import type { ModelNumbers } from './numbers.ts';

export interface FitOptions extends AskNumbersOptions {
  /** Whether its memory is this machine's: another one's is unknown here. */
  onThisMachine: () => boolean;
  catalogue: Pick<Catalogue, 'find' | 'bytesPerToken'>;
  plans: Pick<PlanStore, 'get'>;
  store: FitStore;
  /** Bytes to download, of a model that is not installed; null = unknown. */
  listedBytes: (name: string) => number | null;
}

export interface FitRoom {
  handlers: Handlers<typeof fitMethods>;
  /** For each window, in the order asked. Throws `model_missing`. */
  fitsOf(name: string, contextTokens: readonly number[]): Promise<Fit[]>;
  /** Of a model of the library, with the usual window. Asks nobody. */
  fitOf: (entry: Pick<CatalogueEntry, 'name' | 'downloadBytes'>) => Fit['verdict'];
  /** The same question for an installed model and so many free bytes. Asks Ollama once for each model. */
  judge(model: ModelInfo, contextTokens: number, freeBytes: number | null): Promise<Fit['verdict']>;
  /** What it will take; null = nothing but its size is known so far. Asks nobody. */
  estimate(model: ModelInfo, contextTokens: number): number | null;
  /** What a load has to be given, by everything that is known of the model. Asks nobody. */
  neededBytes(model: ModelInfo, contextTokens: number): number;
  /** Bytes of cache for each further token; null = not known so far. Asks nobody. */
  cacheBytesPerToken: (model: ModelInfo) => number | null;
  /** Of the VRAM of a model that lies whole on the GPU; null = it does not, or not known so far. Asks nobody. */
  weightsOf(row: LoadedModel): number | null;
  stop(): Promise<void>;
}

type Planned = Pick<MeasuredLoad, 'contextTokens' | 'batch'>;

interface Subject {
  name: string;
  fileBytes: number;
  numbers: ModelNumbers | null;
  /** '' = not installed: nothing was ever loaded. */
  digest: string;
  trainedContext: number | null;
}

export function createFit(deps: EngineDeps, state: StateStore, options: FitOptions): FitRoom {
  const { plans, store } = options;
  const askNumbers = createAskNumbers(deps, options);
  const installed = (name: string): ModelInfo | undefined => {
    const wanted = canonicalName(name);
    return state.current().models.find((model) => canonicalName(model.name) === wanted);
  };

  /** By what is known of it without asking. */
  const knownSubject = (model: ModelInfo): Subject => subjectOf(model, store.numbers(model.digest) ?? null);

  const placeNow = (): Place => ({ gpus: state.current().gpus?.length ?? 1 });

  /** As it would be planned: the batch of its own plan, else what Ollama takes by itself with so much free. */
  const planOf = (subject: Subject, contextTokens: number, place: Place, free: number | null): Planned => {
    const { name, trainedContext } = subject;
    const window = Math.min(contextTokens, trainedContext ?? contextTokens);
    const usual = place.gpus === 0 ? cpuBatch : usualBatch(subject, window, free);
    return { contextTokens: window, batch: plans.get(name)?.plan.options.num_batch ?? usual };
  };

  const loadsOf = ({ digest }: Subject, place: Place): MeasuredLoad[] =>
    store.loads(digest).filter(({ onGpu }) => onGpu === place.gpus > 0);

  /** @param free null = enough for the batch that goes with the window. */
  const learntOf = (subject: Subject, contextTokens: number, free: number | null = null): Learnt => {
    const place = placeNow();
    const plan = planOf(subject, contextTokens, place, free);
    return learnFrom(loadsOf(subject, place), plan, predictFor(subject, place));
  };

  const fitNow = (subject: Subject, contextTokens: number, memory: Memory): Fit => {
    const place = placeNow();
    const { parts, basis } = learntOf(subject, contextTokens, memory.freeBytes);
    const needed = totalOf(parts);
    const overheadBytes = overheadPerGpu * gpusFor(needed, state.current().gpus);
    const totalBytes = needed + overheadBytes;
    return {
      model: subject.name,
      contextTokens,
      weightsBytes: Math.round(parts.weightsBytes),
      cacheBytes: Math.round(parts.cacheBytes),
      bufferBytes: Math.round(parts.bufferBytes),
      overheadBytes,
      totalBytes: Math.round(totalBytes),
      freeBytes: memory.freeBytes,
      verdict: verdictOf(totalBytes, marginOf(basis, parts.known), place, memory),
      basis,
    };
  };

  /** What its runner holds now, with what `/api/ps` leaves out of it. */
  const heldBytes = (row: LoadedModel, subject: Subject): number => {
    const noGpu = state.current().gpus?.length === 0;
    const listed = noGpu ? row.sizeBytes : row.vramBytes;
    const isWhole = noGpu || row.vramBytes === row.sizeBytes;
    if (!isWhole || row.contextTokens === null) return listed;
    const { parts } = learntOf(subject, row.contextTokens);
    const lacking = totalOf(parts) - listed;
    return lacking > parts.unreportedBytes / 2 ? listed + parts.unreportedBytes : listed;
  };

  /** What is loaded of the model itself would go before it comes back. */
  const memoryFor = (subject: Subject): Memory => {
    const now = state.current();
    const free = options.onThisMachine() ? freeBytes(now) : null;
    const { name, digest } = subject;
    const isOwn = (each: string): boolean =>
      each === name || (digest !== '' && installed(each)?.digest === digest);
    const own = now.loaded.find((row) => isOwn(row.name));
    const held = own ? heldBytes(own, subject) : 0;
    return { freeBytes: free === null ? null : free + held, spillBytes: mainMemory(now) };
  };

  const fitOfSubject = (subject: Subject, contextTokens: number): Fit =>
    fitNow(subject, contextTokens, memoryFor(subject));

  /** After a load: what `/api/ps` says of one that lies as planned, and in one place. */
  const learn = (): void => {
    const now = state.current();
    if (!options.onThisMachine() || now.gpus === null) return;
    for (const row of now.loaded) {
      const record = plans.get(row.name);
      const isWhole = row.vramBytes === 0 ? now.gpus.length === 0 : row.vramBytes === row.sizeBytes;
      if (!record || row.asPlanned !== true || !isWhole || row.sizeBytes <= 0) continue;
      const { num_ctx: contextTokens, num_batch } = record.plan.options;
      const onGpu = row.vramBytes > 0;
      const model = installed(row.name);
      const subject = model && knownSubject(model);
      const batch =
        num_batch ?? (subject && usualBatch(subject, contextTokens, memoryFor(subject).freeBytes));
      if (batch === undefined) continue;
      store.addLoad(record.digest, { contextTokens, batch, bytes: row.sizeBytes, onGpu });
    }
  };
  const unsubscribe = state.onChange((changes) => {
    if (changes.loaded) learn();
  });

  const fitsOf = async (name: string, contextTokens: readonly number[]): Promise<Fit[]> => {
    const known = installed(name);
    const listed = known ? null : offered(name, options.listedBytes(name));
    const model = known ?? (listed ? null : await options.catalogue.find(name));
    const subject = model ? subjectOf(model, await askNumbers(model)) : listed;
    return subject ? contextTokens.map((tokens) => fitOfSubject(subject, tokens)) : [];
  };

  const estimate = (model: ModelInfo, contextTokens: number): number | null => {
    const subject = knownSubject(model);
    return subject.numbers && totalOf(learntOf(subject, contextTokens).parts);
  };

  return {
    handlers: {
      'model/fit': async ({ model, contextTokens }) => ({ fits: await fitsOf(model, contextTokens) }),
    },
    fitsOf,
    fitOf({ name, downloadBytes }) {
      const model = installed(name);
      const subject = model ? knownSubject(model) : offered(name, downloadBytes);
      return subject ? fitOfSubject(subject, defaultContextTokens).verdict : 'unknown';
    },
    async judge(model, contextTokens, free) {
      const subject = subjectOf(model, await askNumbers(model));
      const memory = { freeBytes: free, spillBytes: mainMemory(state.current()) };
      return fitNow(subject, contextTokens, memory).verdict;
    },
    estimate,
    neededBytes(model, contextTokens) {
      const record = plans.get(model.name);
      const samePlan = record?.digest === model.digest && record.plan.options.num_ctx === contextTokens;
      return predictedBytes({
        model,
        contextTokens,
        bytesPerToken: options.catalogue.bytesPerToken(model),
        measuredBytes: samePlan ? record.sizeBytes : null,
        estimatedBytes: estimate(model, contextTokens),
      });
    },
    cacheBytesPerToken(model) {
      const subject = knownSubject(model);
      const shape = subject.numbers && shapeOf(subject.numbers);
      if (!shape) return null;
      const place = placeNow();
      return cacheBytesPerToken(shape, cacheTypeOf(loadsOf(subject, place), predictFor(subject, place)));
    },
    weightsOf({ name, vramBytes, sizeBytes, contextTokens }) {
      const model = installed(name);
      const subject = model && knownSubject(model);
      if (!subject?.numbers || contextTokens === null || vramBytes === 0 || vramBytes !== sizeBytes)
        return null;
      return Math.min(vramBytes, Math.round(learntOf(subject, contextTokens).parts.weightsBytes));
    },
    async stop() {
      unsubscribe();
      await store.flushed();
    },
  };
}

/** @param numbers null = not known yet. Where they say too little, its name may say more. */
function subjectOf(model: ModelInfo, numbers: ModelNumbers | null): Subject {
  const { name, sizeBytes: fileBytes, digest, trainedContext } = model;
  const says = numbers !== null && shapeOf(numbers) !== null;
  return { name, fileBytes, numbers: says ? numbers : shapeByName(name), digest, trainedContext };
}

function offered(name: string, downloadBytes: number | null): Subject | null {
  if (downloadBytes === null) return null;
  return { name, fileBytes: downloadBytes, numbers: shapeByName(name), digest: '', trainedContext: null };
}

function predictFor({ numbers, fileBytes }: Subject, place: Place): Predict {
  return (load, cacheType) => partsOf(numbers, fileBytes, { ...load, cacheType, parallel: 1 }, place);
}

function usualBatch({ numbers, fileBytes }: Subject, contextTokens: number, free: number | null): number {
  const predicted = numbers && ollamaPrediction(numbers, fileBytes, contextTokens);
  return ollamaBatch(contextTokens, predicted, free);
}

/** A single GPU that can hold it is preferred. */
function gpusFor(neededBytes: number, gpus: EngineState['gpus']): number {
  if (gpus === null) return 1;
  const largest = gpus.reduce((most, { vramTotalBytes }) => Math.max(most, vramTotalBytes ?? 0), 0);
  return gpus.length > 0 && neededBytes <= largest ? 1 : gpus.length;
}

function mainMemory({ memory: { totalBytes, usedBytes } }: EngineState): number | null {
  return totalBytes === null || usedBytes === null ? null : totalBytes - usedBytes;
}
