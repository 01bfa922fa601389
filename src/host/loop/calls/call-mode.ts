/** How a model is asked for calls, and whether it is led through its turns. */
import type { ModelInfo } from '../../../protocol/model.ts';
import type { TemplatePolicy } from '../../prompt/template-policy.ts';
import type { ActiveProfile, ModelKnowledge } from '../deps.ts';
import type { CallMode } from './ladder.ts';
import { guidedHead, isReachTool } from './toolsets.ts';

type Knows = Pick<ModelKnowledge, 'holds'>;
type Tries = Pick<ModelKnowledge, 'mayTry'>;
type Shows = Pick<TemplatePolicy, 'toolsInSystem'>;

/** By the profile, else as Andiron does by itself. */
export function callMode(
  { profile }: Pick<ActiveProfile, 'profile'>,
  model: ModelInfo,
  policy: Shows,
  models: Knows,
): CallMode {
  return profile.calls === 'auto' ? modeByItself(model, policy, models) : profile.calls;
}

/** The first of native calls and a grammar that the model is good at; without either its text is read for calls. */
export function modeByItself(model: ModelInfo, policy: Shows, models: Knows): CallMode {
  if (isGoodAtCalls(model, policy, models)) return 'native';
  return models.holds(model, 'grammar') ? 'constrained' : 'native';
}

/** It makes native calls that can be relied on, or its profile says so. */
export function callsByItself(
  { profile }: Pick<ActiveProfile, 'profile'>,
  model: ModelInfo,
  policy: Shows,
  models: Knows,
): boolean {
  if (profile.calls !== 'auto') return profile.calls === 'native';
  return isGoodAtCalls(model, policy, models);
}

function isGoodAtCalls(model: ModelInfo, { toolsInSystem }: Shows, models: Knows): boolean {
  const cannotCall = toolsInSystem || model.capabilities?.includes('tools') === false;
  return !cannotCall && models.holds(model, 'native');
}

/**
 * Whether a guided model was not seen to say wrongly what it is about to do: one of which nothing is known tries, and its
 * changes ask. Without an opening it would have to call a tool before it says good morning.
 */
export const opensTurns = (model: ModelInfo, models: Tries): boolean => models.mayTry(model, 'opens');

/**
 * It keeps to a grammar, and is not trusted with calls of its own. One that plans well though it does not open its turns well
 * is left to its plans.
 */
export function isGuided(
  active: ActiveProfile,
  model: ModelInfo,
  policy: Shows,
  models: Knows & Tries,
): boolean {
  if (callMode(active, model, policy, models) !== 'constrained') return false;
  const isLed = opensTurns(model, models) || !models.holds(model, 'planning');
  const { tools } = active.head;
  return isLed && (guidedHead(active.head).tools.length > 0 || tools.some(({ name }) => isReachTool(name)));
}
