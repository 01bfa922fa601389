/** Can a turn be started? If not, what stands in the way. Pure; every answer has a screen with a next step. */
import type { EngineState, EngineStatus } from '../../../protocol/model.ts';
import { isOnHost } from '../../../rules/model-names.ts';
import { canCallTools, canChat, effectiveModel, type Target } from '../../stores/derive.ts';
import type { FirstRunMemory } from '../../stores/first-run-memory.ts';

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
  target: Target | null,
): FirstRunState {
  const wanted = target && effectiveModel(target, engine);
  // A model of another host needs no Ollama here.
  if (target && wanted !== null && isOnHost(wanted, target.hosts)) return { kind: 'ready', model: wanted };
  if (!engine || engine.status.kind === 'searching') return { kind: 'unknown' };
  if (engine.status.kind !== 'running') return engine.status;
  if (engine.modelsReadAt === null || !target) return { kind: 'unknown' };
  return modelState(engine, target);
}

function modelState(engine: Pick<EngineState, 'models'>, target: Target): FirstRunState {
  const { models } = engine;
  const name = models.some(canChat) ? effectiveModel(target, engine) : null;
  if (name === null) return { kind: 'no-model' };
  const model = models.find((candidate) => candidate.name === name);
  if (!model) return { kind: 'missing', model: name };
  const { profile } = target;
  // In a fixed form every model calls them: who chose that knows what it is worth.
  const needsTools = !profile || (profile.tools.length > 0 && profile.calls !== 'constrained');
  return { kind: needsTools && canCallTools(model) === false ? 'no-tools' : 'ready', model: name };
}

/**
 * Whether the first start is on screen. It opens when something stands in the way, and stays for "ready" so that the
 * person sees the last step; a start at which all is well never shows it, nor does a moment in which nothing is known.
 * Who left it is not brought back as long as the same thing is missing.
 */
export function nowShown(before: FirstRunMemory['shown'], state: FirstRunState): FirstRunMemory['shown'] {
  if (state.kind === 'unknown') return before;
  if (state.kind === 'ready') return before === 'left' ? 'auto' : before;
  return before === 'left' ? 'left' : 'open';
}
