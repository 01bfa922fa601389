/** What replies taught about each model, kept by the digest of its bytes (W11). */
import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { abilities, type Ability, type AbilityRow } from '../../protocol/abilities.ts';
import type { EngineStatus, ModelInfo } from '../../protocol/model.ts';
import { lazyObject } from '../../protocol/lazy-object.ts';
import {
  addObservation,
  fadeEvidence,
  holds,
  isHopeful,
  isExpected,
  isTelling,
  maxEvidence,
  scoreOf,
  type Evidence,
} from '../../rules/ability-scores.ts';
import type { ModelKnowledge } from '../loop/deps.ts';
import type { AbilityStore } from '../store/ability-store.ts';
import type { FactStore } from '../store/fact-store.ts';

const leaksSchema = lazyObject(() => ({ user: z.boolean(), tool: z.boolean() }));
/** The questions of the first meeting that it has answered. */
const meetingSchema = lazyObject(() => ({ asked: z.array(z.string()) }));
const ratioSchema = lazyObject(() => ({ ratio: z.number(), seen: z.number().int() }));

/** No model is further from four characters a token than this (W11). */
const [minRatio, maxRatio] = [0.5, 2.5];
/** The first replies teach more than later ones. */
const [earlyWeight, lateWeight] = [0.35, 0.15];
const early = 5;
/** A shorter prompt is mostly scaffolding. */
const minTokens = 200;

/** A new version of the engine may take other grammars. */
const decidedByEngine: ReadonlySet<Ability> = new Set(['grammar', 'pattern', 'values']);

/** What a model that makes its own calls well needs none of Andiron's help for. */
const ofCapableModels: ReadonlySet<Ability> = new Set([
  'native',
  'text',
  'settles',
  'restraint',
  'planning',
  'notes',
]);

export interface ModelAbilities extends ModelKnowledge {
  /** One for each ability, in their order. */
  rowsOf(model: IdentifiedModel): AbilityRow[];
  /** It is held, or was not seen to fail more often than not. */
  mayTry(model: IdentifiedModel, ability: Ability): boolean;
  /** There is enough evidence of it to decide. @param observations that it takes; left out = as few as decide anything. */
  isTold(model: IdentifiedModel, ability: Ability, observations?: number): boolean;
  /** It has answered that question of its first meeting. */
  wasAsked(model: IdentifiedModel, question: string): boolean;
  noteAsked(model: IdentifiedModel, question: string): void;
  /** As if it had never been asked for that one. */
  restart(model: IdentifiedModel, ability: Ability): void;
  /** The model starts as one that was never asked anything. */
  forget(model: IdentifiedModel): void;
}

export type IdentifiedModel = Pick<ModelInfo, 'name' | 'digest'> & Partial<Pick<ModelInfo, 'parameterSize'>>;

export interface AbilitiesDeps {
  store: FactStore & AbilityStore;
  /** undefined = not connected. */
  engineStatus: () => EngineStatus | undefined;
  clock: Pick<Clock, 'now'>;
  /** The evidence of that model has changed. */
  onChange: (model: string) => void;
  /** What is known of a model before it was ever asked: what it can do, and so what it cannot; undefined = nothing. */
  knownAbilities: (model: IdentifiedModel) => ReadonlySet<Ability> | undefined;
}

export function createModelAbilities(deps: AbilitiesDeps): ModelAbilities {
  const { store } = deps;
  const ratioOf = (digest: string) =>
    store.readModelFact(digest, 'tokens', ratioSchema) ?? { ratio: 1, seen: 0 };
  const leaksOf = (digest: string) =>
    store.readModelFact(digest, 'leaks', leaksSchema) ?? { user: false, tool: false };
  const askedOf = (digest: string) => store.readModelFact(digest, meetingKey, meetingSchema)?.asked ?? [];
  return {
    ...evidenceIn(deps),
    wasAsked: ({ digest }, question) => askedOf(digest).includes(question),
    noteAsked({ digest }, question) {
      store.writeModelFact(digest, meetingKey, { asked: [...new Set([...askedOf(digest), question])] });
    },
    leaksThinking: ({ digest }, place) => leaksOf(digest)[place],
    learnLeak: ({ digest }, place, leaks) =>
      store.writeModelFact(digest, 'leaks', { ...leaksOf(digest), [place]: leaks }),
    tokenRatio: ({ digest }) => ratioOf(digest).ratio,
    learnTokens({ digest }, estimated, counted) {
      if (estimated < minTokens) return;
      const { ratio, seen } = ratioOf(digest);
      const weight = seen === 0 ? 1 : seen < early ? earlyWeight : lateWeight;
      const now = Math.min(maxRatio, Math.max(minRatio, counted / estimated));
      store.writeModelFact(digest, 'tokens', { ratio: ratio + (now - ratio) * weight, seen: seen + 1 });
    },
  };
}

function evidenceIn({ store, engineStatus, clock, onChange, knownAbilities }: AbilitiesDeps) {
  /** null = which engine it is cannot be told now. */
  const engineOf = (model: IdentifiedModel, ability: Ability): string | null => {
    if (!decidedByEngine.has(ability) || isOnOtherHost(model)) return '';
    const status = engineStatus();
    return status?.kind === 'running' ? `ollama ${status.version}` : null;
  };
  const untried = (model: IdentifiedModel, ability: Ability, at: number): Evidence => {
    const isCapable = ofCapableModels.has(ability);
    const known = knownAbilities(model);
    if (known && isExpected(ability) && !known.has(ability))
      return { good: 0, bad: maxEvidence, held: false, at };
    const good = !isExpected(ability) && known?.has(ability) === true ? maxEvidence : 0;
    // Until it is met, or seen at work: it may never be met, and its server reads calls in its own way.
    const held = isExpected(ability) || good > 0 || (isCapable && isOnOtherHost(model));
    return { good, bad: 0, held, at };
  };
  const stored = (model: IdentifiedModel, ability: Ability): Evidence | null => {
    const engine = engineOf(model, ability);
    return engine === null ? null : store.readEvidence({ digest: model.digest, engine, ability });
  };
  const evidenceOf = (model: IdentifiedModel, ability: Ability, now: number): Evidence =>
    stored(model, ability) ?? untried(model, ability, now);

  function isHeld(model: IdentifiedModel, ability: Ability): boolean {
    const now = clock.now();
    return holds(ability, evidenceOf(model, ability, now), now);
  }
  function isTold(model: IdentifiedModel, ability: Ability, observations?: number): boolean {
    if (knownAbilities(model)) return true;
    const now = clock.now();
    return isTelling(fadeEvidence(evidenceOf(model, ability, now), now), observations);
  }

  function mayTry(model: IdentifiedModel, ability: Ability): boolean {
    if (knownAbilities(model)) return isHeld(model, ability);
    const now = clock.now();
    const evidence = evidenceOf(model, ability, now);
    return holds(ability, evidence, now) || isHopeful(ability, evidence, now);
  }

  return {
    holds: isHeld,
    observe(model: IdentifiedModel, ability: Ability, isGood: boolean): void {
      const engine = engineOf(model, ability);
      if (engine === null) return;
      const now = clock.now();
      const next = addObservation(ability, evidenceOf(model, ability, now), isGood, now);
      store.writeEvidence({ digest: model.digest, engine, ability }, next);
      onChange(model.name);
    },
    mayTry,
    isTold,
    rowsOf(model: IdentifiedModel): AbilityRow[] {
      const now = clock.now();
      return abilities.map((ability) => {
        const known = stored(model, ability);
        const evidence = known ?? untried(model, ability, now);
        const { good, bad } = fadeEvidence(evidence, now);
        return {
          ability,
          good,
          bad,
          score: scoreOf(ability, { good, bad }),
          holds: holds(ability, evidence, now),
          at: known?.at ?? null,
        };
      });
    },
    restart(model: IdentifiedModel, ability: Ability): void {
      const engine = engineOf(model, ability);
      if (engine === null) return;
      const evidence = untried(model, ability, clock.now());
      store.writeEvidence({ digest: model.digest, engine, ability }, evidence);
      onChange(model.name);
    },
    forget(model: IdentifiedModel): void {
      store.forgetEvidence(model.digest);
      store.writeModelFact(model.digest, meetingKey, { asked: [] });
      onChange(model.name);
    },
  };
}

const meetingKey = 'meeting';

/** Their models have no bytes that could be told apart. */
const isOnOtherHost = ({ name, digest }: IdentifiedModel): boolean => name === digest;
