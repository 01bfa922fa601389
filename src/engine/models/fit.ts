/** What a model would take here, with any window: before a download, before a load, as a slider moves. */
import type { fitMethods } from '../../protocol/engine-room-methods.ts';
import type { CatalogueEntry, Fit } from '../../protocol/engine-room.ts';
import type { EngineState, LoadedModel, ModelInfo } from '../../protocol/model.ts';
import { defaultContextTokens } from '../../protocol/profile-limits.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import { freeBytes, predictedBytes, spillBytes } from './load-need.ts';
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
  /** The GPU that is read here runs the models: that of another machine is unknown. */
  seesGpu: () => boolean;
  catalogue: Pick<Catalogue, 'find' | 'bytesPerToken'>;
  plans: Pick<PlanStore, 'get'>;
  store: FitStore;
  /** Bytes to download, of a model that is not installed; null = unknown. */
  listedBytes: (name: string) => number | null;
}

interface Subject {
  name: string;
  fileBytes: number;
  numbers: ModelNumbers | null;
  /** '' = not installed: nothing was ever loaded. */
  digest: string;
  trainedContext: number | null;
}

export class FitRoom {
  readonly #state: StateStore;
  readonly #options: FitOptions;
  readonly #askNumbers: (model: ModelInfo) => Promise<ModelNumbers | null>;
  readonly #unsubscribe: () => void;

  constructor(deps: EngineDeps, state: StateStore, options: FitOptions) {
    this.#state = state;
    this.#options = options;
    this.#askNumbers = createAskNumbers(deps, options);
    this.#unsubscribe = state.onChange((changes) => {
      if (changes.loaded) this.#learn();
    });
  }

  readonly handlers: Handlers<typeof fitMethods> = {
    'model/fit': async ({ model, contextTokens }) => ({ fits: await this.fitsOf(model, contextTokens) }),
  };

  /** For each window, in the order asked. Throws `model_missing`. */
  async fitsOf(name: string, contextTokens: readonly number[]): Promise<Fit[]> {
    const known = this.#installed(name);
    const listed = known ? null : offered(name, this.#options.listedBytes(name));
    const model = known ?? (listed ? null : await this.#options.catalogue.find(name));
    const subject = model ? subjectOf(model, await this.#askNumbers(model)) : listed;
    return subject ? contextTokens.map((tokens) => this.#fit(subject, tokens, this.#memoryFor(subject))) : [];
  }

  /** Of a model of the library, with the usual window. Asks nobody. */
  fitOf({ name, downloadBytes }: Pick<CatalogueEntry, 'name' | 'downloadBytes'>): Fit['verdict'] {
    const subject = this.#knownSubject(name) ?? offered(name, downloadBytes);
    return subject ? this.#fit(subject, defaultContextTokens, this.#memoryFor(subject)).verdict : 'unknown';
  }

  /** The same question for an installed model and so many free bytes. Asks Ollama once for each model. */
  async judge(model: ModelInfo, contextTokens: number, free: number | null): Promise<Fit['verdict']> {
    const subject = subjectOf(model, await this.#askNumbers(model));
    const memory = { freeBytes: free, spillBytes: spillBytes(this.#state.current()) };
    return this.#fit(subject, contextTokens, memory).verdict;
  }

  /** What it will take; null = nothing but its size is known so far. Asks nobody. */
  estimate(model: ModelInfo, contextTokens: number): number | null {
    const subject = this.#subjectOf(model);
    return subject.numbers && totalOf(this.#learntOf(subject, contextTokens).parts);
  }

  /** What a load has to be given, by everything that is known of the model. Asks nobody. */
  neededBytes(model: ModelInfo, contextTokens: number): number {
    const { plans, catalogue } = this.#options;
    const record = plans.get(model.name);
    const samePlan = record?.digest === model.digest && record.plan.options.num_ctx === contextTokens;
    return predictedBytes({
      model,
      contextTokens,
      bytesPerToken: catalogue.bytesPerToken(model),
      measuredBytes: samePlan ? record.sizeBytes : null,
      estimatedBytes: this.estimate(model, contextTokens),
    });
  }

  /** Bytes of cache for each further token; null = not known so far. Asks nobody. */
  cacheBytesPerToken(model: ModelInfo): number | null {
    const subject = this.#subjectOf(model);
    const shape = subject.numbers && shapeOf(subject.numbers);
    if (!shape) return null;
    const place = this.#place();
    return cacheBytesPerToken(shape, cacheTypeOf(this.#loadsOf(subject, place), predictFor(subject, place)));
  }

  /** Of the VRAM of a model that lies whole on the GPU; null = it does not, or not known so far. Asks nobody. */
  weightsOf({ name, vramBytes, sizeBytes, contextTokens }: LoadedModel): number | null {
    const subject = this.#knownSubject(name);
    if (!subject?.numbers || contextTokens === null || vramBytes === 0 || vramBytes !== sizeBytes)
      return null;
    return Math.min(vramBytes, Math.round(this.#learntOf(subject, contextTokens).parts.weightsBytes));
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#options.store.flushed();
  }

  #installed(name: string): ModelInfo | undefined {
    const wanted = canonicalName(name);
    return this.#state.current().models.find((model) => canonicalName(model.name) === wanted);
  }

  /** By what is known of it without asking. */
  #subjectOf(model: ModelInfo): Subject {
    return subjectOf(model, this.#options.store.numbers(model.digest) ?? null);
  }

  #knownSubject(name: string): Subject | undefined {
    const model = this.#installed(name);
    return model && this.#subjectOf(model);
  }

  #place(): Place {
    return { gpus: this.#state.current().gpus?.length ?? 1 };
  }

  #loadsOf({ digest }: Subject, place: Place): MeasuredLoad[] {
    return this.#options.store.loads(digest).filter(({ onGpu }) => onGpu === place.gpus > 0);
  }

  /**
   * With the batch of its own plan, else with what Ollama takes by itself with so much free.
   * @param free null = enough for the batch that goes with the window.
   */
  #learntOf(subject: Subject, contextTokens: number, free: number | null = null): Learnt {
    const place = this.#place();
    const window = Math.min(contextTokens, subject.trainedContext ?? contextTokens);
    const usual = place.gpus === 0 ? cpuBatch : usualBatch(subject, window, free);
    const batch = this.#options.plans.get(subject.name)?.plan.options.num_batch ?? usual;
    return learnFrom(
      this.#loadsOf(subject, place),
      { contextTokens: window, batch },
      predictFor(subject, place),
    );
  }

  #fit(subject: Subject, contextTokens: number, memory: Memory): Fit {
    const { parts, basis } = this.#learntOf(subject, contextTokens, memory.freeBytes);
    const needed = totalOf(parts);
    const overheadBytes = overheadPerGpu * gpusFor(needed, this.#state.current().gpus);
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
      verdict: verdictOf(totalBytes, marginOf(basis, parts.known), this.#place(), memory),
      basis,
    };
  }

  /** What is loaded of the model itself would go before it comes back. */
  #memoryFor(subject: Subject): Memory {
    const now = this.#state.current();
    const free = this.#options.seesGpu() ? freeBytes(now) : null;
    const { name, digest } = subject;
    const isOwn = (each: string): boolean =>
      each === name || (digest !== '' && this.#installed(each)?.digest === digest);
    const own = now.loaded.find((row) => isOwn(row.name));
    const held = own ? this.#heldBytes(own, subject) : 0;
    return { freeBytes: free === null ? null : free + held, spillBytes: spillBytes(now) };
  }

  /** What its runner holds now, with what `/api/ps` leaves out of it. */
  #heldBytes(row: LoadedModel, subject: Subject): number {
    const noGpu = this.#state.current().gpus?.length === 0;
    const listed = noGpu ? row.sizeBytes : row.vramBytes;
    const isWhole = noGpu || row.vramBytes === row.sizeBytes;
    if (!isWhole || row.contextTokens === null) return listed;
    const { parts } = this.#learntOf(subject, row.contextTokens);
    const lacking = totalOf(parts) - listed;
    return lacking > parts.unreportedBytes / 2 ? listed + parts.unreportedBytes : listed;
  }

  /** After a load: what `/api/ps` says of one that lies as planned, and in one place. */
  #learn(): void {
    const { seesGpu, plans, store } = this.#options;
    const now = this.#state.current();
    if (!seesGpu() || now.gpus === null) return;
    for (const row of now.loaded) {
      const record = plans.get(row.name);
      const isWhole = row.vramBytes === 0 ? now.gpus.length === 0 : row.vramBytes === row.sizeBytes;
      if (!record || row.asPlanned !== true || !isWhole || row.sizeBytes <= 0) continue;
      const { num_ctx: contextTokens, num_batch } = record.plan.options;
      const onGpu = row.vramBytes > 0;
      const subject = this.#knownSubject(row.name);
      const batch =
        num_batch ?? (subject && usualBatch(subject, contextTokens, this.#memoryFor(subject).freeBytes));
      if (batch === undefined) continue;
      store.addLoad(record.digest, { contextTokens, batch, bytes: row.sizeBytes, onGpu });
    }
  }
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
