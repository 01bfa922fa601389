/** Can a turn be started? If not, what stands in the way. Pure; every answer has a step that leads on. */
import type { EngineState, EngineStatus, Pull } from '../../../protocol/model.ts';
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

export type StepName = 'engine' | 'model' | 'folder' | 'task';

interface Progress {
  state: FirstRunState;
  pulls: readonly Pull[];
  hasFolder: boolean;
}

/** The step that the person does now. A download that is on its way needs nobody, so the steps after it go on. */
export function stepNow({ state: { kind }, pulls, hasFolder }: Progress): StepName {
  const atModel = kind === 'no-model' || kind === 'missing' || kind === 'no-tools';
  if (kind !== 'ready' && !atModel) return 'engine';
  if (atModel && !pulls.some(isComing)) return 'model';
  return hasFolder ? 'task' : 'folder';
}

/** Without anybody doing anything. */
export function isComing({ phase }: Pull): boolean {
  return phase === 'waiting' || phase === 'pulling' || phase === 'verifying';
}

/**
 * Whether the page is on screen. It opens for a new person when something stands in the way, and stays until a task has
 * begun; a start at which all is well never shows it, nor does a moment in which nothing is known. Who has sessions is
 * told above the message box, and who left the page is not brought back as long as the same thing is missing.
 */
export function nowShown(
  before: FirstRunMemory['shown'],
  kind: FirstRunState['kind'],
  isNew: boolean,
): FirstRunMemory['shown'] {
  if (kind === 'unknown') return before;
  if (kind === 'ready') return before === 'left' ? 'auto' : before;
  return before === 'auto' && isNew ? 'open' : before;
}
