/** Profile, head, model and lease of the next request; follows the person when the profile is switched mid-turn (F10). */
import { AndironError } from '../../protocol/errors.ts';
import type { ModelInfo } from '../../protocol/model.ts';
import { contextWindow } from '../../rules/context-window.ts';
import { sameHead } from '../prompt/head.ts';
import type { ActiveProfile, Lease } from './deps.ts';
import { emitNote } from './note-item.ts';
import { itemBase, settingOf, reportModel, type Run, type Setting } from './run.ts';

/** Waits for the GPU and, where needed, for the model. */
export async function takeSetting(active: ActiveProfile, run: Run): Promise<void> {
  const { deps, emit, signal } = run;
  emit({ type: 'turn/phase', phase: 'lease' });
  const choose = () => deps.engine.chooseModel(active.profile, active.pinnedModel, signal);
  const first = await choose();
  try {
    run.setting = await leaseFor(first, active, run);
  } catch (error) {
    if (!(error instanceof AndironError) || error.code !== 'model_missing') throw error;
    // The list was older than the library; now it is not.
    const other = await choose();
    if (other.name === first.name) throw error;
    run.setting = await leaseFor(other, active, run);
  }
}

async function leaseFor(model: ModelInfo, active: ActiveProfile, run: Run): Promise<Setting> {
  const { input, deps, emit, signal } = run;
  reportModel(model.name, active.profile.id, run);
  const needsTools = active.head.tools.length > 0 && active.profile.calls === 'native';
  if (needsTools && model.capabilities?.includes('tools') === false) {
    throw new AndironError(
      'model_without_tools',
      `${model.name} cannot call tools by itself, and the profile ${active.profile.name} asks for that.`,
      'Let the profile call them in a fixed form, choose a model made for tools, or only talk.',
    );
  }
  const lease = await deps.engine.acquire(
    { model: model.name, contextTokens: active.profile.contextTokens, label: input.text.slice(0, 80) },
    (phase) => emit({ type: 'turn/phase', phase }),
    signal,
  );
  reportAssumedContext(lease, active, run);
  try {
    return { active, lease, policy: await deps.templates.policyOf(lease, signal) };
  } catch (error) {
    lease.release(true);
    throw error;
  }
}

/** Once in a session for each model (I7). A model that was loaded with more keeps that, and nothing is to be said. */
function reportAssumedContext({ model, plan }: Lease, { profile }: ActiveProfile, run: Run): void {
  const wish = { tokens: profile.contextTokens, trained: model.trainedContext };
  const { tokens, isAssumed } = contextWindow(wish);
  const key = `context size of ${model.name}`;
  if (!isAssumed || plan.options.num_ctx !== tokens || run.deps.told.has(key)) return;
  run.deps.told.add(key);
  const text = `How much context ${model.name} holds is unknown, so ${tokens.toLocaleString('en-US')} tokens are used. If it holds more, set the context in the profile ${profile.name}.`;
  emitNote('context_size', text, run);
}

/** The setting for the next iteration: the same one, or a new head and perhaps another model, announced as a card. */
export async function followProfile(run: Run): Promise<void> {
  const { deps, emit, signal } = run;
  const setting = settingOf(run);
  const active = deps.active();
  const before = setting.active;
  const sameProfile = active.profile.id === before.profile.id && sameHead(active.head, before.head);
  if (sameProfile && active.pinnedModel === before.pinnedModel) {
    if (setting.away) await takeSetting(active, run);
    else run.setting = { ...setting, active };
    return;
  }

  const model = await deps.engine.chooseModel(active.profile, active.pinnedModel, signal);
  emit({
    type: 'item/started',
    item: {
      ...itemBase(run, true),
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
    reportModel(model.name, active.profile.id, run);
    run.setting = { ...setting, active };
    return;
  }
  setting.lease.release(false);
  await takeSetting(active, run);
}
