/** What the ledger learns of the engine: what a model is, and whatever was loaded, by whom. */
import type { Clock } from '../../platform/clock.ts';
import type { EngineState, Incident } from '../../protocol/model.ts';
import { createOllamaApi } from '../../ollama/api.ts';
import type { EngineClient } from '../engine-client/engine-client.ts';
import type { CacheTrackers, CacheTrackersDeps } from './cache-trackers.ts';

const showMs = 10_000;

export function showModel(clock: Clock): CacheTrackersDeps['show'] {
  const ollama = createOllamaApi(clock);
  return async (url, model, signal) => {
    const deadline = new AbortController();
    const timer = clock.after(showMs, () => deadline.abort());
    try {
      const { model_info: modelInfo, template } = await ollama.show(
        url,
        model,
        AbortSignal.any([signal, deadline.signal]),
      );
      return { modelInfo, template };
    } finally {
      timer.cancel();
    }
  };
}

const lossBy: Partial<Record<Incident['kind'], 'other_program' | 'engine'>> = {
  reload: 'other_program',
  evicted: 'other_program',
  runner_died: 'engine',
  slot_lost: 'engine',
};

/** A load empties the runner's cache: ours is told by the state, anybody else's by an incident. */
export function reportCacheLosses(
  engine: Pick<EngineClient, 'state' | 'onState'>,
  trackers: CacheTrackers,
): void {
  let before: EngineState | undefined;
  engine.onState(() => {
    const now = engine.state();
    const last = before;
    before = now;
    if (!now || now === last) return;
    const loading = last?.loading?.model;
    if (loading !== undefined && now.loading?.model !== loading)
      trackers.reloaded(loading, { by: 'andiron', reason: `Andiron loaded ${loading}.` });
    const newest = last?.incidents[0]?.id;
    for (const { id, kind, model, message } of now.incidents) {
      if (id === newest) break;
      const by = lossBy[kind];
      if (by && model !== null) trackers.reloaded(model, { by, reason: message });
    }
  });
}
