/** What is known of a model's abilities, for the window. */
import type { abilityMethods } from '../../protocol/abilities.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { EngineState, ModelInfo } from '../../protocol/model.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import { isOnHost } from '../../rules/model-names.ts';
import type { ModelAbilities } from '../models/model-abilities.ts';

export interface AbilityDeps {
  models: Pick<ModelAbilities, 'rowsOf' | 'forget'>;
  /** `state` undefined = not connected. */
  engine: { state(): EngineState | undefined; readModels(signal: AbortSignal): Promise<EngineState> };
  otherHosts: ReadonlySet<string>;
}

export function abilityHandlers({
  models,
  engine,
  otherHosts,
}: AbilityDeps): Handlers<typeof abilityMethods> {
  const find = (name: string): Pick<ModelInfo, 'name' | 'digest'> => {
    // Whatever is learnt of a model on another host is kept under its name.
    if (isOnHost(name, otherHosts)) return { name, digest: name };
    const model = engine.state()?.models.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (model) return model;
    throw new AndironError('model_missing', `${name} is not installed.`, 'Download it, then try again.');
  };
  return {
    'model/abilities': ({ model }) => ({ abilities: models.rowsOf(find(model)) }),
    'model/forget-abilities': ({ model }) => {
      models.forget(find(model));
      return {};
    },
  };
}
