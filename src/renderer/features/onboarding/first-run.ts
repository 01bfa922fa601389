/** Can a turn be started? If not, what stands in the way. Pure; every answer has a screen with a next step (design 11). */
import type { EngineState, EngineStatus, ModelInfo } from '../../../protocol/model.ts';
import { canCallTools, type Target } from '../../stores/derive.ts';

type StatusOf<K extends EngineStatus['kind']> = Extract<EngineStatus, { kind: K }>;

export type FirstRunState =
  /** Not known yet: nothing is called missing before it was looked for. */
  | { kind: 'unknown' }
  | StatusOf<'absent'>
  | StatusOf<'stopped'>
  | StatusOf<'starting'>
  | StatusOf<'wrong'>
  | { kind: 'no-model' }
  /** The model pinned for the session is not installed (any more). */
  | { kind: 'missing'; model: string }
  | { kind: 'no-tools'; model: string }
  | { kind: 'ready'; model: string };

/** `target` null = sessions and profiles are not known yet. */
export function firstRunState(
  engine: Pick<EngineState, 'status' | 'models' | 'modelsReadAt'> | null,
  target: Pick<Target, 'profile' | 'chosenModel'> | null,
): FirstRunState {
  if (!engine || engine.status.kind === 'searching') return { kind: 'unknown' };
  if (engine.status.kind !== 'running') return engine.status;
  if (engine.modelsReadAt === null || !target) return { kind: 'unknown' };
  return modelState(engine.models, target);
}

function modelState(models: ModelInfo[], target: Pick<Target, 'profile' | 'chosenModel'>): FirstRunState {
  const { profile, chosenModel } = target;
  const chats = models.filter(canChat);
  if (chats.length === 0) return { kind: 'no-model' };
  const model = pickModel(models, chats, target);
  if (!model) return { kind: 'missing', model: chosenModel ?? '' };
  const needsTools = !profile || profile.tools.length > 0;
  if (needsTools && canCallTools(model) === false) return { kind: 'no-tools', model: model.name };
  return { kind: 'ready', model: model.name };
}

/** The host's rule: the session's own choice, else the profile's first that is installed, else one with tools, else any. */
function pickModel(
  models: ModelInfo[],
  chats: ModelInfo[],
  { profile, chosenModel }: Pick<Target, 'profile' | 'chosenModel'>,
): ModelInfo | undefined {
  const named = (name: string): ModelInfo | undefined =>
    models.find((model) => model.name === name || model.name === `${name}:latest`);
  if (chosenModel !== null) return named(chosenModel);
  for (const name of profile?.models ?? []) {
    const model = named(name);
    if (model) return model;
  }
  return chats.find((model) => canCallTools(model) === true) ?? chats[0];
}

/** Embedding models are installed too, and no turn can use them. Unknown is not refused. */
function canChat({ capabilities }: ModelInfo): boolean {
  return capabilities === null || capabilities.includes('completion');
}

/**
 * Whether the first start is on screen. It opens when something stands in the way, and stays for "ready" so that the
 * person sees the last step; a start at which all is well never shows it, nor does a moment in which nothing is known.
 */
export function staysOpen(open: boolean, state: FirstRunState): boolean {
  return state.kind === 'unknown' || state.kind === 'ready' ? open : true;
}
