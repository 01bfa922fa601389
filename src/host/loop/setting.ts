/** Profile, head, model and lease of the next request; follows the person when the profile is switched mid-turn (F10). */
import { AndironError } from '../../protocol/errors.ts';
import type { ModelInfo } from '../../protocol/model.ts';
import { contextWindow } from '../../rules/context-window.ts';
import { sameHead } from '../prompt/head.ts';
import { readMessage, type PersonMessage } from '../prompt/person-message.ts';
import type { ActiveProfile, Granted, Lease, ModelKnowledge, Setting } from './deps.ts';
import { isGuided, opensTurns } from './calls/call-mode.ts';
import { toolSearch } from './steps/steps.ts';
import { guidedHead, headWith, isReachTool } from './calls/toolsets.ts';
import type { Output } from './output.ts';
import type { ModelPort } from './ports.ts';

/** Whom the GPU is taken for: what is asked, and where it is shown. */
interface Taker {
  model: ModelPort;
  out: Output;
}

/** Of a message that others see while it has the GPU. */
const maxLabel = 80;

/** Waits for the GPU and, where needed, for the model. @param label what is worked on, for who waits behind it. */
export async function takeSetting(
  active: ActiveProfile,
  label: PersonMessage | string,
  taker: Taker,
  signal: AbortSignal,
): Promise<Setting> {
  taker.out.emit({ type: 'turn/phase', phase: 'lease' });
  const choose = () => taker.model.engine.chooseModel(active.profile, active.pinnedModel, signal);
  const first = await choose();
  try {
    return await leaseFor(first, active, label, taker, signal);
  } catch (error) {
    if (!(error instanceof AndironError) || error.code !== 'model_missing') throw error;
    // The list was older than the library; now it is not.
    const other = await choose();
    if (other.name === first.name) throw error;
    return leaseFor(other, active, label, taker, signal);
  }
}

async function leaseFor(
  model: ModelInfo,
  active: ActiveProfile,
  label: PersonMessage | string,
  { model: { engine, templates, models }, out }: Taker,
  signal: AbortSignal,
): Promise<Setting> {
  out.model(model.name, active.profile.id);
  const needsTools = active.head.tools.length > 0 && active.profile.calls === 'native';
  if (needsTools && model.capabilities?.includes('tools') === false) {
    throw new AndironError(
      'model_without_tools',
      `${model.name} does not support tools, and the profile ${active.profile.name} uses native calls.`,
      'Set the profile to constrained calls, choose a model made for tools, or only chat.',
    );
  }
  const shown = typeof label === 'string' ? label : readMessage(label);
  const lease = await engine.acquire(
    {
      model: model.name,
      contextTokens: active.profile.contextTokens,
      label: shown.slice(0, maxLabel),
      ...(active.wantedFor && { wantedFor: active.wantedFor }),
      ...(active.headId && { head: active.headId(model) }),
    },
    (phase, ahead) => out.emit({ type: 'turn/phase', phase, ...(ahead !== undefined && { ahead }) }),
    signal,
  );
  reportAssumedContext(lease, active, out);
  try {
    return settingOf({ active, lease, policy: await templates.policyOf(lease, signal) }, models);
  } catch (error) {
    lease.release(true);
    throw error;
  }
}

/** By what is known of the model now. */
export function settingOf(granted: Granted, models: Pick<ModelKnowledge, 'holds' | 'mayTry'>): Setting {
  const { active, lease, policy } = granted;
  const guided = isGuided(active, lease.model, policy, models);
  const opens = guided && opensTurns(lease.model, models);
  const lead = { isGuided: guided, opensTurns: opens };
  return { ...granted, ...headFor(active, lease.model, guided), ...lead };
}

/** As it is sent: a model is shown no tool that it is never offered or has no use for, since each of them misleads it. */
function headFor(
  active: ActiveProfile,
  model: ModelInfo,
  guided: boolean,
): Pick<Setting, 'active' | 'whole' | 'mayUse' | 'mayFind'> {
  const { head: whole, toolsets } = active;
  const head = guided ? guidedHead(whole) : headWith(toolsets.of(model), whole);
  const mayUse = guided && whole.tools.some(({ name }) => isReachTool(name));
  const mayFind = guided && whole.tools.some(({ name }) => name === toolSearch);
  return { active: { ...active, head }, whole, mayUse, mayFind };
}

/** A guided model is sent none; nor is one that writes their words into files and answers. */
export const takesNotes = (
  { lease, isGuided: guided }: Setting,
  models: Pick<ModelKnowledge, 'holds'>,
): boolean => !guided && models.holds(lease.model, 'notes');

/** Once in a session for each model (I7). A model that was loaded with more keeps that, and nothing is to be said. */
function reportAssumedContext({ model, plan }: Lease, { profile }: ActiveProfile, out: Output): void {
  const wish = { tokens: profile.contextTokens, trained: model.trainedContext };
  const { tokens, isAssumed } = contextWindow(wish);
  if (!isAssumed || plan.options.num_ctx !== tokens) return;
  const text = `How much context ${model.name} holds is unknown, so ${tokens.toLocaleString('en-US')} tokens are used. If it holds more, set the context in the profile ${profile.name}.`;
  out.noteOnce('session', `context size of ${model.name}`, 'context_size', text);
}

/** The setting for the next iteration, and the toolset of its head is kept from then on. */
export async function followProfile(
  setting: Setting,
  label: PersonMessage | string,
  taker: Taker,
  signal: AbortSignal,
): Promise<Setting> {
  const next = await nextSetting(setting, label, taker, signal);
  keepToolset(next);
  return next;
}

/** Before its first request. */
export function keepToolset({ active, lease, isGuided: guided }: Setting): void {
  if (!guided) active.toolsets.keep(lease.model);
}

/** The setting for the next iteration: the same one, or a new head and perhaps another model, announced as a card. */
async function nextSetting(
  setting: Setting,
  label: PersonMessage | string,
  taker: Taker,
  signal: AbortSignal,
): Promise<Setting> {
  const { model: asked, out } = taker;
  const active = asked.active();
  const before = setting.active;
  const sameProfile = active.profile.id === before.profile.id && sameHead(active.head, setting.whole);
  if (sameProfile && active.pinnedModel === before.pinnedModel) {
    return setting.away ? takeSetting(active, label, taker, signal) : changed(setting, active);
  }

  const model = await asked.engine.chooseModel(active.profile, active.pinnedModel, signal);
  out.emit({
    type: 'item/started',
    item: {
      ...out.itemBase(true),
      kind: 'switch',
      from: { profileId: before.profile.id, name: before.profile.name, model: setting.lease.model.name },
      to: { profileId: active.profile.id, name: active.profile.name, model: model.name },
      usage: null,
    },
  });
  const sameLoad =
    !setting.away &&
    model.name === setting.lease.model.name &&
    active.profile.contextTokens === before.profile.contextTokens;
  if (sameLoad) {
    out.model(model.name, active.profile.id);
    return changed(setting, active);
  }
  setting.lease.release(false);
  return takeSetting(active, label, taker, signal);
}

/** The same model goes on as it was led. */
const changed = (setting: Setting, active: ActiveProfile): Setting => ({
  ...setting,
  ...headFor(active, setting.lease.model, setting.isGuided),
});
