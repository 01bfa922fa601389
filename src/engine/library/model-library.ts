/** The library: what is installed, what could be, downloads, and what hangs on a model. */
import { dirname, join } from 'node:path';
import type { Recommendation } from '../../ollama/library.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { libraryMethods } from '../../protocol/engine-room-methods.ts';
import type { CatalogueEntry } from '../../protocol/engine-room.ts';
import type { ModelInfo } from '../../protocol/model.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import { ask } from '../base/ask.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import { inUse } from '../memory/loader.ts';
import { canonicalName, type Catalogue } from '../models/catalogue.ts';
import type { StateStore } from '../base/state.ts';
import { isCloudName, offersOf, type Offer } from './catalogue-entries.ts';
import { detailsOf, sameModel } from './model-details.ts';
import { createDisk, type Place } from './disk.ts';
import { ownHost, Pulls, type PullHost } from './pull-jobs.ts';
import { openWantedPulls } from './wanted-pulls.ts';

type Verdict = CatalogueEntry['verdict'];

export interface LibraryOptions {
  /** Where Ollama answers now; null = nowhere. */
  url: () => string | null;
  /** Whether it runs on this machine: another one's disk is not ours to measure. */
  onThisMachine: () => boolean;
  catalogue: Catalogue;
  /** Leaves the memory; refused with `busy` while it is in use. */
  unload: (model: string) => Promise<void>;
  /** Does it fit here with the usual window? */
  fitOf: (offer: Offer) => Verdict | Promise<Verdict>;
  /** Bytes of cache for each token of the window; null = unknown. */
  cacheBytesPerToken: (model: ModelInfo) => number | null;
}

export interface Library {
  handlers: Handlers<typeof libraryMethods>;
  /** Downloads are left, and offered again at the next start. */
  stop(): Promise<void>;
}

const askMs = 5_000;
/** Removing tens of gigabytes takes some disks their time. */
const deleteMs = 60_000;
/** Ollama asks for new suggestions every four hours itself. */
const suggestionsLastMs = 60 * 60_000;
const maxNameLength = 300;

export function createLibrary(deps: EngineDeps, state: StateStore, options: LibraryOptions): Library {
  const { clock, log, ollama } = deps;
  const { catalogue } = options;
  const pulls = openPulls(deps, state, options);
  let suggested: { url: string; at: number; list: Recommendation[] } | null = null;

  /** Empty where its cloud is switched off, or while Ollama does not run: the own list is there in any case. */
  const suggestions = async (): Promise<Recommendation[]> => {
    const url = options.url();
    if (url === null) return [];
    const isFresh = suggested?.url === url && clock.monotonic() - suggested.at < suggestionsLastMs;
    if (suggested && isFresh) return suggested.list;
    try {
      const list = await ask(clock, askMs, (signal) => ollama.recommendations(url, signal));
      suggested = { url, at: clock.monotonic(), list };
      return list;
    } catch (error) {
      log.info('Ollama suggests no models', { reason: String(error) });
      return [];
    }
  };

  const judged = async (offer: Offer): Promise<CatalogueEntry> => {
    try {
      return { ...offer, verdict: await options.fitOf(offer) };
    } catch (error) {
      log.warn('a model of the catalogue could not be judged', { model: offer.name, reason: String(error) });
      return { ...offer, verdict: 'unknown' };
    }
  };

  /** Somebody has a lease on it, waits for one, or loads it; or another tag of it, whose runner it shares. */
  const isUsed = (model: ModelInfo): boolean => {
    const { lease, loading, models, queue } = state.current();
    const wanted = new Set([lease, loading, ...queue].map((each) => each?.model));
    const names = [model, ...sameModel(model, models)].map(({ name }) => name);
    return names.some((name) => wanted.has(name));
  };

  const remove = async (name: string): Promise<void> => {
    const url = urlOr();
    const model = await catalogue.find(name);
    if (pulls.isRunning(model.name)) {
      throw new AndironError('busy', `${model.name} is being downloaded.`, 'Pause the download first.');
    }
    if (isUsed(model)) throw inUse(model.name);
    // Once the model is deleted, Ollama unloads no runner by its name.
    await options.unload(model.name);
    if (isUsed(model)) throw inUse(model.name);
    // Another Ollama may have a model of that name, too.
    if (options.url() !== url) throw movedOn(model.name, url);
    try {
      await ask(clock, deleteMs, (signal) => ollama.remove(url, model.name, signal));
    } finally {
      await catalogue.read();
    }
  };

  const urlOr = (): string => {
    const url = options.url();
    if (url !== null) return url;
    throw new AndironError('engine_unavailable', 'Ollama does not run.', 'Start Ollama, then try again.');
  };

  return {
    handlers: {
      async 'library/catalogue'() {
        const offers = offersOf(await suggestions(), state.current().models);
        return { entries: await Promise.all(offers.map(judged)) };
      },
      async 'library/lacking-room'({ models }) {
        return { lacking: await pulls.lackingRoom(models) };
      },
      async 'model/pull'({ model }) {
        await pulls.begin(pullName(model));
        return {};
      },
      'model/pull-pause'({ model }) {
        pulls.pause(model.trim());
        return {};
      },
      'model/pull-forget'({ model }) {
        pulls.forget(model.trim());
        return {};
      },
      async 'model/delete'({ model }) {
        await remove(model);
        return {};
      },
      async 'model/details'({ model: name }) {
        const url = urlOr();
        const model = await catalogue.find(name);
        const show = await ask(clock, askMs, (signal) => ollama.show(url, model.name, signal));
        return detailsOf(model, show, options.cacheBytesPerToken(model), state.current());
      },
    },
    stop: () => pulls.stop(),
  };
}

function openPulls(deps: EngineDeps, state: StateStore, options: LibraryOptions): Pulls {
  // A simulated library's downloads are not the real one's.
  const file = deps.simulated || deps.dataFile === null ? null : join(dirname(deps.dataFile), 'pulls.json');
  const isOwn = (): boolean => {
    const { status } = state.current();
    return status.kind === 'running' && status.own === true;
  };
  const place = (): Place => {
    if (!options.onThisMachine()) return 'elsewhere';
    return isOwn() ? 'own' : 'here';
  };
  const host = (): PullHost | null => {
    const url = options.url();
    return url === null ? null : { url, id: isOwn() ? ownHost : url };
  };
  return new Pulls(deps, state, {
    host,
    disk: createDisk(deps, place),
    wanted: openWantedPulls(deps.files, file, deps.log),
    onDone: () => options.catalogue.read(),
  });
}

function movedOn(model: string, url: string): AndironError {
  return new AndironError(
    'engine_unavailable',
    `${model} was not deleted: Andiron does not use the Ollama at ${url} any more.`,
    'Delete the model when that Ollama is used again.',
  );
}

/** As Ollama is asked for it: it judges names itself, but not what no name can be. */
function pullName(given: string): string {
  const name = given.trim();
  if (name === '' || name.length > maxNameLength || /\s/.test(name)) {
    throw new AndironError(
      'invalid_params',
      'That is not the name of a model.',
      'Names look like qwen3.5:9b, or hf.co/user/model:Q4_K_M.',
    );
  }
  if (isCloudName(name)) {
    throw new AndironError(
      'engine_refused',
      `${name} runs on ollama.com, not on this machine.`,
      'Choose a model that can be downloaded.',
    );
  }
  return canonicalName(name) === `${name.toLowerCase()}:latest` ? `${name}:latest` : name;
}
