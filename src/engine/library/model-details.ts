/** Everything about an installed model that its page shows. */
import type { ShowReply } from '../../ollama/schemas.ts';
import type { ModelDetails } from '../../protocol/engine-room.ts';
import type { EngineState, ModelInfo } from '../../protocol/model.ts';
import { canonicalName } from '../models/catalogue.ts';

/** Of a licence or a table of parameters; whole licences are a tenth of it. */
const maxTextLength = 200_000;

/** Profiles and sessions that use it are known to the host, which adds them. */
export function detailsOf(
  model: ModelInfo,
  show: ShowReply,
  cacheBytesPerToken: number | null,
  state: EngineState,
): ModelDetails {
  const architecture = show.model_info?.['general.architecture'];
  const layers =
    typeof architecture === 'string' ? show.model_info?.[`${architecture}.block_count`] : undefined;
  return {
    name: model.name,
    digest: model.digest,
    sizeBytes: Math.max(0, model.sizeBytes),
    family: model.family,
    architecture: typeof architecture === 'string' ? architecture : null,
    parameterSize: model.parameterSize,
    quantization: model.quantization,
    capabilities: show.capabilities ?? model.capabilities ?? [],
    trainedContext: model.trainedContext,
    layers: typeof layers === 'number' && Number.isSafeInteger(layers) ? layers : null,
    cacheBytesPerToken,
    parameters: (show.parameters ?? '').slice(0, maxTextLength),
    licence: (show.license ?? '').slice(0, maxTextLength),
    dependents: dependentsOf(model, state),
    modifiedAt: model.modifiedAt,
  };
}

function dependentsOf(model: ModelInfo, { loaded, models }: EngineState): ModelDetails['dependents'] {
  const name = canonicalName(model.name);
  return [
    ...loaded
      .filter((each) => canonicalName(each.name) === name)
      .map((each) => ({ kind: 'loaded' as const, name: each.name })),
    ...sameModel(model, models).map((each) => ({ kind: 'tag' as const, name: each.name })),
  ];
}

/** Other tags of the very same model: they share its files and its runner. */
export function sameModel(model: ModelInfo, models: readonly ModelInfo[]): ModelInfo[] {
  const { name, digest } = model;
  return models.filter((other) => digest !== '' && other.digest === digest && other.name !== name);
}
