/** What is learnt of models, in a store, with an engine and a clock that a test sets. */
import type { EngineStatus } from '../../protocol/model.ts';
import type { Store } from '../store/store.ts';
import { createModelAbilities, type AbilitiesDeps, type ModelAbilities } from './model-abilities.ts';

export const runningEngine = (version: string): EngineStatus => ({
  kind: 'running',
  url: 'http://engine',
  version,
  simulated: true,
  exposed: false,
});

export function knowledgeIn(store: Store, changes: Partial<AbilitiesDeps> = {}): ModelAbilities {
  return createModelAbilities({
    store,
    engineStatus: () => runningEngine('0.40.2'),
    clock: { now: () => 1_000 },
    onChange: () => undefined,
    knownAbilities: () => undefined,
    ...changes,
  });
}
