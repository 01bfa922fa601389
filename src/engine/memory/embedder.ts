/**
 * Makes vectors of texts: on the processor, and behind everything else. Ollama weighs what is to run there against no GPU,
 * so the only way in which it could cost a chat model its place is Ollama's limit of models: nothing is loaded where that
 * may be reached. A load holds up every other load, so it is given up as soon as anybody wants the GPU.
 */
import type { EmbedOptions, KeepAlive } from '../../ollama/api.ts';
import type { Clock } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { EngineMethods } from '../../protocol/engine-methods.ts';
import type { EmbedAnswer } from '../../protocol/engine-room.ts';
import type { ModelInfo } from '../../protocol/model.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import { onlyMakesVectors } from '../../rules/choose-model.ts';
import { nobodyWaits } from '../../rules/nobody-waits.ts';
import type { EngineDeps, Machine } from '../base/engine-deps.ts';
import type { Facts } from '../base/engine-facts.ts';
import type { StateStore } from '../base/state.ts';
import { DeadlineExceeded, withDeadline } from '../base/timing.ts';
import type { Incidents } from '../incidents/incidents.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { PlanStore } from '../models/plan-store.ts';
import type { Supervisor } from '../supervision/supervisor.ts';
import type { SideModels } from './ours.ts';
import { findResident, type Residency, type Resident } from './residency.ts';

interface EmbedParams {
  model: string;
  texts: string[];
  urgent: boolean;
}

export interface EmbedderOptions {
  supervisor: Pick<Supervisor, 'url'>;
  catalogue: Pick<Catalogue, 'find'>;
  residency: Pick<Residency, 'read'>;
  incidents: Pick<Incidents, 'add'>;
  plans: Pick<PlanStore, 'get'>;
  side: SideModels;
  facts: Facts;
}

/** Ollama's own limit, where nobody has set another one. */
const usualPlaces = 3;
/** Facts and questions are short. A window that Ollama chooses by the VRAM could take gigabytes of main memory. */
const windowTokens = 2_048;
/**
 * Who works on the machine comes first. And Ollama's threads wait for each other at every step: where something else has a core,
 * two of them on two cores take six times as long as one.
 */
const coresShare = 0.25;
/** Main memory is cheap, but a program that ends must not leave it taken. Shorter than a chat model's: it goes first. */
const keepAlive: KeepAlive = '5m';
/** A load, and then a handful of texts on a slow processor. */
const maxMs = 120_000;

const notNow = (why: NonNullable<EmbedAnswer['why']>): EmbedAnswer => ({ vectors: null, why, tokens: null });

export function createEmbedder(
  { clock, ollama, log, machine }: Pick<EngineDeps, 'clock' | 'ollama' | 'log' | 'machine'>,
  state: StateStore,
  options: EmbedderOptions,
): Pick<Handlers<EngineMethods>, 'model/embed'> {
  const { supervisor, catalogue, residency, side, facts } = options;
  const places = createPlaces(clock, options);
  /** What is given up when somebody else comes. */
  let running: AbortController | null = null;

  const forget = (): void => {
    places.forget();
    side.clear();
  };
  facts.on('engine/appeared', forget);
  facts.on('engine/gone', forget);
  state.onChange(() => {
    if (!nobodyWaits(state.current())) running?.abort(givenUp());
  });

  const send = async (
    url: string,
    model: ModelInfo,
    request: { texts: string[]; keepAlive?: KeepAlive },
    signal: AbortSignal,
  ): Promise<EmbedAnswer> => {
    const reply = await ollama.embed(
      url,
      { model: model.name, options: embedOptions(model, machine), ...request },
      signal,
    );
    if (reply.embeddings.length !== request.texts.length) throw unreadable(model.name);
    return { vectors: reply.embeddings, why: null, tokens: reply.prompt_eval_count ?? null };
  };

  /** For a message that waits: nothing is loaded, and what is made for later gives way. */
  const embedNow = async (url: string, model: ModelInfo, texts: string[], signal: AbortSignal) => {
    running?.abort(givenUp());
    if (!findResident(await residency.read(url), model)) return notNow('not_loaded');
    return send(url, model, { texts }, signal);
  };

  const embedIdly = async (url: string, model: ModelInfo, texts: string[], signal: AbortSignal) => {
    const before = await residency.read(url);
    places.saw(before);
    const isLoaded = findResident(before, model) !== undefined;
    if (!isLoaded && !places.hasRoom(before)) return notNow('no_place');
    signal.throwIfAborted();
    side.add(model.name);
    const answer = await send(url, model, { texts, keepAlive }, signal);
    if (!isLoaded) places.noteEvicted(model.name, before, await residency.read(url));
    return answer;
  };

  const idly = async (
    url: string,
    model: ModelInfo,
    texts: string[],
    signal: AbortSignal,
  ): Promise<EmbedAnswer> => {
    if (!nobodyWaits(state.current()) || running) return notNow('gpu_wanted');
    const own = new AbortController();
    running = own;
    try {
      return await withDeadline(clock, maxMs, (late) =>
        embedIdly(url, model, texts, AbortSignal.any([own.signal, signal, late])),
      );
    } catch (error) {
      if (own.signal.aborted) return notNow('gpu_wanted');
      if (error instanceof DeadlineExceeded) freeSlot(url, model.name);
      throw error;
    } finally {
      running = null;
    }
  };

  /** A runner that says nothing for so long has lost its slot, or is no use: the next load has a new one. */
  const freeSlot = (url: string, name: string): void => {
    withDeadline(clock, maxMs, (signal) => ollama.unload(url, name, signal)).catch((error: unknown) =>
      log.warn('a model that makes vectors was not unloaded', { model: name, reason: String(error) }),
    );
  };

  return {
    async 'model/embed'({ model: name, texts, urgent }: EmbedParams, { signal }) {
      const url = await supervisor.url(signal);
      const model = await catalogue.find(name);
      if (!onlyMakesVectors(model))
        throw new AndironError(
          'invalid_params',
          `${model.name} does not only make vectors.`,
          'Choose a model that is made for embeddings.',
        );
      return urgent ? embedNow(url, model, texts, signal) : idly(url, model, texts, signal);
    },
  };
}

/** How many models Ollama keeps at the same time, as far as it was seen: it does not say. */
function createPlaces(clock: Pick<Clock, 'now'>, { incidents, plans }: EmbedderOptions) {
  let seen = usualPlaces;
  return {
    forget: (): void => void (seen = usualPlaces),
    saw: (residents: readonly Resident[]): void => void (seen = Math.max(seen, residents.length)),
    hasRoom: (residents: readonly Resident[]): boolean => residents.length === 0 || residents.length < seen,
    /** Who had to go for a load shows a lower limit: from now on nothing is loaded beside as many. */
    noteEvicted(loaded: string, before: readonly Resident[], now: readonly Resident[]): void {
      const gone = before.filter(
        (each) => !now.some(({ name }) => name === each.name) && Date.parse(each.expires_at) > clock.now(),
      );
      if (gone.length === 0) return;
      seen = before.length;
      for (const { name } of gone)
        incidents.add({
          kind: 'evicted',
          model: name,
          message: `${name} had to leave memory for ${loaded}, with which Andiron finds memories by meaning.`,
          advice: `Ollama keeps only ${String(seen)} in memory here, so this does not happen again. To have both, raise OLLAMA_MAX_LOADED_MODELS.`,
          costMs: plans.get(name)?.loadMs ?? null,
        });
    },
  };
}

/** The same in every request: another one would load the model again. */
function embedOptions({ trainedContext }: ModelInfo, { cores }: Pick<Machine, 'cores'>): EmbedOptions {
  return {
    num_gpu: 0,
    num_ctx: Math.min(windowTokens, trainedContext ?? windowTokens),
    num_thread: Math.max(1, Math.floor(cores * coresShare)),
  };
}

const givenUp = (): AndironError =>
  new AndironError('cancelled', 'Somebody needs Ollama for more than this.');

const unreadable = (model: string): AndironError =>
  new AndironError(
    'engine_refused',
    `${model} did not make one vector for each text.`,
    'Choose another model that makes vectors.',
  );
