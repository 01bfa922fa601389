/** What a change costs before it is made: a model that has to be loaded, a prompt that has to be read anew. */
import type { EngineState, LoadPrice, Profile, RequestUsage } from '../protocol/model.ts';
import { effectiveModel } from './choose-model.ts';
import { isOnHost } from './model-names.ts';
import { sameHead } from './same-head.ts';

interface PricedLoad {
  model: string;
  again: boolean;
  bytes: number | null;
  /** As the engine expects; absent = not asked, or unknown. */
  ms?: number;
  /** What has to leave the GPU first. */
  unloads?: string[];
  verdict?: LoadPrice['verdict'];
}

interface Reread {
  tokens: number | null;
  ms: number | null;
  maybe: boolean;
}

export interface Price {
  /** null = nothing is loaded. `again`: the same model with another window. Bytes null = not installed, so unknown. */
  load: PricedLoad | null;
  /** null = nothing is read anew. `maybe`: on some models only. Tokens or time null = unknown. */
  reread: Reread | null;
  /** The same where the engine says that nothing has to be loaded; absent = as `reread`. */
  rereadWithoutLoad?: Reread | null;
  /** The session has sent no request yet, so there is nothing to lose. */
  unread: boolean;
}

/** The session whose next turn is priced, or the one about to be made. */
interface PricedSession {
  profile: Profile | undefined;
  /** The model that the person chose; null = the profile decides. */
  chosenModel: string | null;
  /** Ids of the other hosts. */
  hosts: ReadonlySet<string>;
}

/** What is known of the session that would pay. */
export interface PricingContext {
  target: PricedSession;
  engine: EngineState | null;
  /** The session has sent something: there is something to lose. */
  asked: boolean;
  /** Its last answered request; null = none yet. */
  last: RequestUsage | null;
  /** What its prompt holds; null = not measured yet. */
  usedTokens?: number | null;
}

/** The session goes on with another profile. Without a profile before, it is as if it had the new one. */
export function switchPrice(pricing: PricingContext, to: Profile): Price {
  return changePrice(pricing, pricing.target.profile ?? to, to);
}

/** The profile of the session changes under it. */
export function changePrice(pricing: PricingContext, before: Profile, after: Profile): Price {
  const { target, engine, asked } = pricing;
  const modelBefore = modelOf({ ...target, profile: before }, engine);
  const model = modelOf({ ...target, profile: after }, engine);
  const load = loadPrice(pricing, modelBefore, model, after.contextTokens, before.contextTokens);
  const lost = modelBefore !== model || !sameHead(before, after);
  // Thinking, and tools that are called in a fixed form, change the prompt on some families; which is not known here.
  const maybe = !lost && (before.think !== after.think || before.calls !== after.calls);
  const reread = (maybe: boolean): Reread => ({ ...rereadPrice(pricing, model), maybe });
  const rereadWithoutLoad = asked && (lost || maybe) ? reread(maybe) : null;
  return {
    load,
    reread: asked && load !== null ? reread(false) : rereadWithoutLoad,
    rereadWithoutLoad,
    unread: !asked,
  };
}

/** The session goes on with another model; null = with the one that its profile chooses. */
export function modelPrice(pricing: PricingContext, chosenModel: string | null): Price {
  const { target, engine, asked } = pricing;
  const before = modelOf(target, engine);
  const after = modelOf({ ...target, chosenModel }, engine);
  const window = target.profile?.contextTokens ?? 0;
  const same = before === after;
  return {
    load: same ? null : loadPrice(pricing, before, after, window, window),
    reread: asked && !same ? { ...rereadPrice(pricing, after), maybe: false } : null,
    unread: !asked,
  };
}

const modelOf = ({ chosenModel: chosen, profile, hosts }: PricedSession, engine: EngineState | null) =>
  effectiveModel({ chosen, wanted: profile?.models ?? [], hosts, installed: engine?.models ?? [] });

function loadPrice(
  { engine, target }: PricingContext,
  before: string | null,
  model: string | null,
  window: number,
  windowBefore: number,
): Price['load'] {
  // What another host keeps in its memory is not Andiron's to load.
  if (model === null || isOnHost(model, target.hosts)) return null;
  const loaded = engine?.loaded.find(({ name }) => name === model);
  const again = before === model;
  // A cold model is loaded with the next message anyway; a warm one only when its window is another.
  if (again ? !loaded || window === windowBefore : loaded?.contextTokens === window) return null;
  const bytes = loaded?.sizeBytes ?? engine?.models.find(({ name }) => name === model)?.sizeBytes ?? null;
  return { model, again: loaded !== undefined, bytes };
}

/** Fewer tokens than this are read too fast to tell the speed of many. */
const tellingTokens = 200;

/** What it takes to read the whole session anew with `model`. */
export function rereadPrice(
  { last, usedTokens = null }: Pick<PricingContext, 'last' | 'usedTokens'>,
  model: string | null,
): { tokens: number | null; ms: number | null } {
  // The last request may have been a summary, behind which there is less.
  const tokens = usedTokens ?? last?.promptTokens ?? null;
  const rate = last?.model === model ? readingRate(last) : null;
  return { tokens, ms: rate === null || tokens === null ? null : tokens / rate };
}

/** Tokens per millisecond; null = unknown. */
export function readingRate({ evaluatedTokens, promptMs }: RequestUsage): number | null {
  const telling = evaluatedTokens !== null && evaluatedTokens >= tellingTokens;
  return telling && promptMs ? evaluatedTokens / promptMs : null;
}

/** The load as the engine prices it, which knows what is on the disk and what has to make room. */
export function withEngine(price: Price, engine: LoadPrice | null): Price {
  const { load } = price;
  if (!load || !engine || engine.model !== load.model) return price;
  if (!engine.loads) {
    const { rereadWithoutLoad = price.reread } = price;
    return { ...price, load: null, reread: rereadWithoutLoad };
  }
  const { loadBytes: bytes, loadMs, unloads, verdict } = engine;
  return { ...price, load: { ...load, bytes, unloads, verdict, ...(loadMs !== null && { ms: loadMs }) } };
}

export function isFree({ load, reread }: Price): boolean {
  return load === null && reread === null;
}
