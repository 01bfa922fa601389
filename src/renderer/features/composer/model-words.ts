/** The installed models as the composer lists them, and what it says of each. */
import type { EngineState, ModelInfo, Profile, Warmth } from '../../../protocol/model.ts';
import { composer, dates, engine as engineText, prices, settings } from '../../text.ts';
import { canChat, wayToTools } from '../../stores/derive.ts';
import { modelState } from '../../stores/model-state.ts';
import type { Price } from '../../../rules/price.ts';

/** Those that can chat: what is loaded first, the others by name. */
export function listedModels({ models, loaded }: Pick<EngineState, 'models' | 'loaded'>): ModelInfo[] {
  const isLoaded = new Set(loaded.map(({ name }) => name));
  const rank = ({ name }: ModelInfo): number => (isLoaded.has(name) ? 0 : 1);
  return models.filter(canChat).toSorted((a, b) => rank(a) - rank(b) || dates.compare(a.name, b.name));
}

/** null = the engine has not said. */
export function canSee({ capabilities }: Pick<ModelInfo, 'capabilities'>): boolean | null {
  return capabilities === null ? null : capabilities.includes('vision');
}

const { models: words } = settings;
const namedAbilities = ['thinking', 'vision'] as const;

/** "Tools, thinking, images": what matters to an agent, and how it comes to its tools in this profile. */
export function abilityWords(model: ModelInfo, profile: Profile | undefined): string {
  const way = wayToTools(model, profile);
  if (way === null) return sentence(words.capabilitiesUnknown);
  const others = namedAbilities.filter((name) => model.capabilities?.includes(name));
  const tools = { own: words.capabilities.tools, fixed_form: words.fixedForm, none: words.noTools }[way];
  return sentence([tools, ...others.map((name) => words.capabilities[name])].join(', '));
}

/** Where it is now: its state when it is on the GPU, else what loading it takes. */
export function standingWords(engine: EngineState, model: ModelInfo, warmth: Warmth | undefined): string {
  const state = modelState(engine, model.name, warmth);
  const here = state === 'hot' || state === 'warm' || state === 'loading';
  return here ? engineText.states[state] : composer.model.loads(model.sizeBytes);
}

/** What loading it does besides taking its time; empty = nothing. */
export function loadWords({ load }: Price): string {
  const others = load?.unloads?.filter((name) => name !== load.model) ?? [];
  const parts = [
    others.length > 0 ? prices.unloads(others.join(', ')) : null,
    load?.verdict === 'spills' ? prices.spills : null,
    load?.verdict === 'too_big' ? prices.tooBig : null,
    load?.verdict === 'tight' ? prices.tight : null,
  ];
  return sentence(parts.filter((part) => part !== null).join(', '));
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
