/** What is learnt of models and what decides how each is asked. All sessions share it: the GPU is the same. */
import type { Clock, NewId } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { renderPrompt } from '../../ollama/render.ts';
import { abilities as everyAbility, type Ability } from '../../protocol/abilities.ts';
import type { EngineStatus } from '../../protocol/model.ts';
import type { EngineClient } from '../engine-client/engine-client.ts';
import type { SlotWatch } from '../loop/deps.ts';
import type { Store } from '../store/store.ts';
import type { Tool } from '../tools/tool.ts';
import { createModelAbilities, type AbilitiesDeps, type ModelAbilities } from './model-abilities.ts';
import { reportCacheLosses, showModel } from './cache-events.ts';
import { createCacheTrackers, type CacheTrackers } from './cache-trackers.ts';
import { createHeadSource, type HeadSource, type ProfileSource } from './head-source.ts';
import { createReadingRates, type ReadingRates } from './reading-rates.ts';
import { createSlotWatch } from './slot-watch.ts';
import { createTemplates, type KnownTemplates, type RenderFor } from './templates.ts';

export interface Models {
  abilities: ModelAbilities;
  heads: HeadSource;
  rates: ReadingRates;
  slots: SlotWatch;
  templates: KnownTemplates;
  trackers: CacheTrackers;
}

export interface ModelsDeps {
  store: Store;
  engine: Pick<EngineClient, 'state' | 'onState' | 'reportPrefill'>;
  profiles: ProfileSource;
  tools: ReadonlyMap<string, Tool>;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** The evidence of what that model can do has changed. */
  onAbilities: (model: string) => void;
  /** What a model can do is known before it was ever asked; absent = of those of a demo alone. */
  knownAbilities?: AbilitiesDeps['knownAbilities'] | undefined;
}

export function createModels(deps: ModelsDeps): Models {
  const { store, engine, profiles, tools, clock, newId, log, onAbilities, knownAbilities } = deps;
  const templates = createTemplates(store, renderFor(clock), log);
  const { cardOf } = templates;
  const trackers = createCacheTrackers({ cardOf, show: showModel(clock), clock, newId, log });
  reportCacheLosses(engine, trackers);
  const engineStatus = (): EngineStatus | undefined => engine.state()?.status;
  const isDemo = (): boolean => {
    const status = engineStatus();
    return status?.kind === 'running' && status.simulated;
  };
  const abilities = createModelAbilities({
    store,
    engineStatus,
    clock,
    onChange: onAbilities,
    knownAbilities: knownAbilities ?? (() => (isDemo() ? demoAbilities : undefined)),
  });
  return {
    abilities,
    heads: createHeadSource(store, profiles, tools, abilities),
    rates: createReadingRates((...prefill) => engine.reportPrefill(...prefill)),
    slots: createSlotWatch(engine),
    templates,
    trackers,
  };
}

/** Its models make their own calls and plan. A demo is there to be looked at: nobody waits for what they are asked first. */
const demoAbilities: ReadonlySet<Ability> = new Set(everyAbility.filter((each) => each !== 'opens'));

const renderFor =
  (clock: Clock): RenderFor =>
  ({ url, plan }) =>
  ({ messages, tools, think }, signal) =>
    renderPrompt({ url, plan, messages, tools, ...(think !== undefined && { think }), clock, signal });
