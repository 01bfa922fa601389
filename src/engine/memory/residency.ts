/** What the engine holds in memory, as `/api/ps` says. Loading models are not in it. */
import type { PsReply } from '../../ollama/schemas.ts';
import type { LoadedModel, LoadPlan, ModelInfo } from '../../protocol/model.ts';
import { ask } from '../base/ask.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import type { Facts } from '../base/engine-facts.ts';
import type { FitRoom } from '../models/fit.ts';
import { onlyMakesVectors } from '../../rules/choose-model.ts';
import { canonicalName } from '../models/catalogue.ts';
import type { PlanStore } from '../models/plan-store.ts';
import type { StateStore } from '../base/state.ts';
import { createTicker } from '../base/timing.ts';

export type Resident = PsReply['models'][number];

export interface Residency {
  /** Asks now, and brings the state up to date. Throws `engine_unavailable` when it cannot be asked. */
  read(url: string): Promise<Resident[]>;
  /** The steady reading, now. Never rejects. */
  now(): Promise<void>;
  stop(): void;
}

export interface ResidencyOptions {
  url: () => string | null;
  watched: () => boolean;
  plans: Pick<PlanStore, 'get'>;
  fit: Pick<FitRoom, 'weightsOf'>;
  /** Called when it is asked; what it returns is called with the answer, before the state has it. */
  look: () => (residents: readonly Resident[]) => void;
  facts: Facts;
}

const readMs = 5_000;
const watchedPaceMs = 2_000;
const hiddenPaceMs = 30_000;

export function createResidency(deps: EngineDeps, state: StateStore, options: ResidencyOptions): Residency {
  const { facts } = options;
  const read = async (url: string): Promise<Resident[]> => {
    const compare = options.look();
    try {
      const models = await ask(deps.clock, readMs, (signal) => deps.ollama.ps(url, signal));
      compare(models);
      const installed = state.current().models;
      state.update({ loaded: models.map((model) => describe(model, options, installed)) });
      return models;
    } catch (error) {
      facts.publish({ type: 'engine/unanswered' });
      throw error;
    }
  };

  const readQuietly = async (): Promise<void> => {
    const url = options.url();
    if (!url) return;
    try {
      await read(url);
      facts.publish({ type: 'residency/read' });
    } catch (error) {
      deps.log.warn('/api/ps could not be read', { reason: String(error) });
    }
  };
  const ticker = createTicker(
    deps.clock,
    () => (options.watched() ? watchedPaceMs : hiddenPaceMs),
    readQuietly,
  );
  facts.on('engine/appeared', () => void ticker.now());
  facts.on('engine/gone', () => state.update({ loaded: [] }));
  facts.on('window/shown', () => void ticker.now());
  facts.on('lease/ended', ({ idle }) => {
    // Who waits asks Ollama himself, and first.
    if (idle) void ticker.now();
  });
  return { read, now: () => ticker.now(), stop: () => ticker.stop() };
}

/** Copies of a model share its runner, and the list shows the name that loaded it. */
export function findResident(
  residents: readonly Resident[],
  model: Pick<ModelInfo, 'name' | 'digest'>,
): Resident | undefined {
  const name = canonicalName(model.name);
  return (
    residents.find((resident) => canonicalName(resident.name) === name) ??
    residents.find((resident) => resident.digest !== '' && resident.digest === model.digest)
  );
}

/** The window is all that the list tells of the options a model was loaded with. */
export function hasWindow(resident: Resident, plan: LoadPlan): boolean {
  return (resident.context_length ?? plan.options.num_ctx) === plan.options.num_ctx;
}

function describe(
  model: Resident,
  { plans, fit }: Pick<ResidencyOptions, 'plans' | 'fit'>,
  installed: readonly ModelInfo[],
): LoadedModel {
  const plan = plans.get(model.name)?.plan;
  const window = model.context_length ?? null;
  const row: LoadedModel = {
    name: model.name,
    sizeBytes: model.size,
    vramBytes: model.size_vram,
    contextTokens: window,
    expiresAt: model.expires_at,
    asPlanned: plan && window !== null ? window === plan.options.num_ctx : null,
    ...(plan && { plannedTokens: plan.options.num_ctx }),
    ...(onlyMakesVectors(installed.find(({ name }) => name === model.name)) && { makesVectors: true }),
  };
  const weightsBytes = fit.weightsOf(row);
  return weightsBytes === null ? row : { ...row, weightsBytes };
}
