/** Whether a turn would find a model, for messages that wait until one would. */
import { modelReadiness, type ModelReadiness } from '../../rules/choose-model.ts';
import type { EngineClient } from '../engine-client/engine-client.ts';
import { isOnHost } from '../../rules/model-names.ts';
import type { ProfileSource } from './head-source.ts';

export type ReadinessWatch = ReturnType<typeof watchModels>;

/** Models of other hosts count as ready: they are asked when the turn begins, not before. */
export function watchModels(
  engine: Pick<EngineClient, 'state' | 'onState'>,
  profiles: ProfileSource,
  hostIds: ReadonlySet<string>,
) {
  return {
    /** Would a turn of this profile, with the model that the person chose, find one that answers? */
    modelReadiness(profileId: string, pinned: string | null): ModelReadiness {
      const { models } = profiles.resolve(profileId);
      const named = pinned === null ? models : [pinned];
      return named.some((name) => isOnHost(name, hostIds))
        ? 'ready'
        : modelReadiness(engine.state(), models, pinned);
    },
    /** Calls when what `modelReadiness` says may have changed. */
    onModelsChanged(listener: () => void): void {
      let known: unknown[] = [];
      engine.onState(() => {
        const { status, models, modelsReadAt } = engine.state() ?? {};
        const now = [status, models, modelsReadAt === null];
        if (now.every((each, index) => each === known[index])) return;
        known = now;
        listener();
      });
    },
  };
}
