/** Profile, head, model and lease of the next request; follows the person when the profile is switched mid-turn (F10). */
import { AndironError } from '../../protocol/errors.ts';
import type { ModelInfo } from '../../protocol/model.ts';
import { sameHead } from '../prompt/head.ts';
import type { Setting } from './ask-model.ts';
import type { ActiveProfile, Emit, TurnDeps, TurnInput } from './deps.ts';

/** Waits for the GPU and, where needed, for the model. */
export async function takeSetting(
  active: ActiveProfile,
  input: TurnInput,
  deps: TurnDeps,
  emit: Emit,
  signal: AbortSignal,
): Promise<Setting> {
  emit({ type: 'turn/phase', phase: 'lease' });
  const choose = () => deps.engine.chooseModel(active.profile, active.pinnedModel, signal);
  const first = await choose();
  try {
    return await leaseFor(first, active, input, deps, emit, signal);
  } catch (error) {
    if (!(error instanceof AndironError) || error.code !== 'model_missing') throw error;
    // The list was older than the library; now it is not.
    const other = await choose();
    if (other.name === first.name) throw error;
    return leaseFor(other, active, input, deps, emit, signal);
  }
}

async function leaseFor(
  model: ModelInfo,
  active: ActiveProfile,
  input: TurnInput,
  deps: TurnDeps,
  emit: Emit,
  signal: AbortSignal,
): Promise<Setting> {
  emit({ type: 'turn/model', model: model.name, profileId: active.profile.id });
  if (active.head.tools.length > 0 && model.capabilities?.includes('tools') === false) {
    throw new AndironError(
      'model_without_tools',
      `${model.name} cannot call tools, and the profile ${active.profile.name} needs them.`,
      'Choose a model with tools.',
    );
  }
  const lease = await deps.engine.acquire(
    { model: model.name, contextTokens: active.profile.contextTokens, label: input.text.slice(0, 80) },
    (phase) => emit({ type: 'turn/phase', phase }),
    signal,
  );
  return { active, lease };
}

/** The setting for the next iteration: the same one, or a new head and perhaps another model, announced as a card. */
export async function followProfile(
  setting: Setting,
  input: TurnInput,
  deps: TurnDeps,
  emit: Emit,
  signal: AbortSignal,
): Promise<Setting> {
  const active = deps.active();
  const before = setting.active;
  const sameProfile = active.profile.id === before.profile.id && sameHead(active.head, before.head);
  if (sameProfile && active.pinnedModel === before.pinnedModel) return { ...setting, active };

  const model = await deps.engine.chooseModel(active.profile, active.pinnedModel, signal);
  const now = deps.clock.now();
  emit({
    type: 'item/started',
    item: {
      id: deps.newId('item_'),
      turnId: input.turnId,
      index: deps.nextIndex(),
      startedAt: now,
      completedAt: now,
      cut: false,
      kind: 'switch',
      from: { profileId: before.profile.id, name: before.profile.name, model: setting.lease.model.name },
      to: { profileId: active.profile.id, name: active.profile.name, model: model.name },
      usage: null,
    },
  });
  const sameLoad =
    model.name === setting.lease.model.name && active.profile.contextTokens === before.profile.contextTokens;
  if (sameLoad) {
    emit({ type: 'turn/model', model: model.name, profileId: active.profile.id });
    return { ...setting, active };
  }
  setting.lease.release(false);
  return takeSetting(active, input, deps, emit, signal);
}
