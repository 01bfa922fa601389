/** The installed models. None is hidden. */
import { AndironError } from '../../protocol/errors.ts';
import type { ModelInfo } from '../../protocol/model.ts';
import { ask } from '../base/ask.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import type { Facts } from '../base/engine-facts.ts';
import type { StateStore } from '../base/state.ts';
import { createTicker } from '../base/timing.ts';
import { createDescriptions } from './descriptions.ts';
import { describeModel, predictedBytesPerToken, type Tag } from './to-model-info.ts';

const readMs = 20_000;
const paceMs = 30_000;
/** Somebody looks at "no model": a pull in a terminal should be seen at once. Or the very first reading failed. */
const soonMs = 2_000;

export interface CatalogueOptions {
  url: () => string | null;
  watched: () => boolean;
  facts: Facts;
}

export function createCatalogue(deps: EngineDeps, state: StateStore, options: CatalogueOptions) {
  const { clock, log, ollama } = deps;
  const { facts } = options;
  const descriptions = createDescriptions(deps);
  let failure: unknown;
  let listed: readonly Tag[] = [];
  const wanted = new Map<string, ModelInfo>();
  let showing: Promise<void> | undefined;
  let names: { of: readonly ModelInfo[]; byName: Map<string, ModelInfo> } | undefined;

  const publish = (tags: readonly Tag[]): void => {
    listed = tags;
    const models = tags.map((tag) => describeModel(tag, descriptions.of(tag)));
    const { models: before, modelsReadAt } = state.current();
    const same = modelsReadAt !== null && JSON.stringify(before) === JSON.stringify(models);
    // The moment of an unchanged reading is no news.
    if (!same) state.update({ models, modelsReadAt: clock.now() });
  };

  const readOnce = async (): Promise<void> => {
    const at = options.url();
    if (!at) return;
    try {
      const tags = onePerName(await ask(clock, readMs, (signal) => ollama.tags(at, signal)));
      // Described before it is told: who chooses a model by its capabilities must not meet a half-known list.
      descriptions.forgetAllBut(tags);
      await descriptions.describeSome(at, tags);
      publish(tags);
      failure = undefined;
    } catch (error) {
      failure = error;
      facts.publish({ type: 'engine/unanswered' });
      log.warn('the list of models could not be read', { reason: String(error) });
    }
  };

  /** One that nobody had wanted yet. A window may want all that it lists at once: they wait for each other. */
  const showNow = async (name: string): Promise<ModelInfo | undefined> => {
    const known = lookUp(name);
    if (!known || !options.url() || descriptions.of(known)) return known;
    // Copies of a model are described once.
    wanted.set(known.digest || known.name, known);
    await (showing ??= showWanted());
    return lookUp(name);
  };

  const showWanted = async (): Promise<void> => {
    // Whoever asks in the same moment is in the same list, which is told once.
    await Promise.resolve();
    const at = options.url();
    if (at) await descriptions.describeAll(at, nextWanted);
    else wanted.clear();
    showing = undefined;
    publish(listed);
  };

  const nextWanted = (): ModelInfo | undefined => {
    const [first] = wanted;
    if (first) wanted.delete(first[0]);
    return first?.[1];
  };

  const pace = (): number => {
    // Until the first list is there, every message waits for it.
    const wanted = state.current().modelsReadAt === null && failure !== undefined;
    return wanted || (options.watched() && state.current().models.length === 0) ? soonMs : paceMs;
  };
  const ticker = createTicker(clock, pace, readOnce);
  facts.on('engine/appeared', () => void ticker.now());
  facts.on('engine/invalidated', () => void ticker.now());
  facts.on('window/shown', () => {
    // Where there was none, the list may not have been read for long: now somebody waits for a model to appear.
    if (state.current().models.length === 0) void ticker.now();
  });

  const lookUp = (name: string): ModelInfo | undefined => {
    const { models } = state.current();
    if (names?.of !== models) {
      // The first one of a name, as a list is read.
      const entries = models.map((model) => [canonicalName(model.name), model] as const);
      names = { of: models, byName: new Map(entries.toReversed()) };
    }
    return names.byName.get(canonicalName(name));
  };

  return {
    /** Reads the list now. Never rejects: what went wrong is in the log, the old list stays. */
    read: (): Promise<void> => ticker.now(),
    /** By name, tag left out or not, in any case; asks again before it says `model_missing`. Throws what that met. */
    async find(name: string): Promise<ModelInfo> {
      const known = await showNow(name);
      if (known?.capabilities) return known;
      await ticker.now();
      const found = await showNow(name);
      if (found) return found;
      if (failure !== undefined) throw failure;
      throw new AndironError(
        'model_missing',
        `${name} is not installed.`,
        `Choose another model, or run: ollama pull ${name}`,
      );
    },
    /** As Ollama predicts it; null = unknown. */
    bytesPerToken(model: ModelInfo): number | null {
      const reply = descriptions.of(model);
      return reply ? predictedBytesPerToken(reply) : null;
    },
    stop: (): void => ticker.stop(),
  };
}

export type Catalogue = ReturnType<typeof createCatalogue>;

/** Names match in any case, and no tag means `latest`. */
export function canonicalName(name: string): string {
  const lower = name.toLowerCase();
  return lower.slice(lower.lastIndexOf('/') + 1).includes(':') ? lower : `${lower}:latest`;
}

/** A model may be listed once per runner: the first one is the one that a plain name means. */
function onePerName(tags: readonly Tag[]): Tag[] {
  return [...new Map(tags.toReversed().map((tag) => [tag.name, tag])).values()].toReversed();
}
