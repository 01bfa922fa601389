/**
 * Closing a stream against a waiting line can cost a model its only slot: every later request then hangs without a byte,
 * while Ollama shows the model loaded and idle (docs/engine.md, Cancelling). Who closed knows the risk.
 */
import type { EngineState } from '../../protocol/model.ts';
import type { SlotWatch } from '../loop/deps.ts';

interface WatchedEngine {
  /** undefined = not connected. */
  state(): Pick<EngineState, 'loaded' | 'loading' | 'models'> | undefined;
  onState(listener: () => void): void;
}

/** @param engine what it loads again has a slot of its own, whatever became of the one before. */
export function createSlotWatch(engine: WatchedEngine): SlotWatch {
  const suspects = new Set<string>();
  engine.onState(() => {
    const now = engine.state();
    if (!now) return;
    for (const model of suspects) if (!holds(now, model)) suspects.delete(model);
  });
  return {
    closedWhileLinesCame: (model) => void suspects.add(model),
    answered: (model) => void suspects.delete(model),
    suspect: (model) => suspects.has(model),
  };
}

/** Copies of a model share its runner, and the list shows the name that loaded it. */
function holds({ loaded, loading, models }: NonNullable<ReturnType<WatchedEngine['state']>>, model: string) {
  const digestOf = (wanted: string) => models.find(({ name }) => name === wanted)?.digest ?? wanted;
  const isSame = (name: string): boolean => digestOf(name) === digestOf(model);
  return loaded.some(({ name }) => isSame(name)) && !(loading && isSame(loading.model));
}
