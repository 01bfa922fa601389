/** What is waited for, in words. */
import type { EngineStatus, TurnPhase } from '../../protocol/model.ts';
import { transcript as text } from '../text.ts';

export type EngineKind = EngineStatus['kind'] | undefined;

/** Without an engine there is no GPU to wait for. */
export function waitWords(phase: TurnPhase, engine: EngineKind): string {
  return phase === 'lease' && isAway(engine) ? text.phases.engine : text.phases[phase];
}

export function isAway(engine: EngineKind): boolean {
  return engine !== undefined && engine !== 'running';
}
