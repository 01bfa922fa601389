/** What the engine says about a model → what Andiron says about it. */
import { modelNumber, trainedContext } from '../../ollama/model-info.ts';
import type { ShowReply, TagsReply } from '../../ollama/schemas.ts';
import type { ModelInfo } from '../../protocol/model.ts';

export type Tag = TagsReply['models'][number];

export function describeModel(tag: Tag, show: ShowReply | undefined): ModelInfo {
  return {
    name: tag.name,
    sizeBytes: tag.size,
    digest: tag.digest,
    family: tag.details.family,
    parameterSize: tag.details.parameter_size,
    quantization: tag.details.quantization_level,
    // Those of the list miss what only a GGUF's own template offers.
    capabilities: show?.capabilities ?? null,
    trainedContext: show ? trainedContext(show) : null,
    thinkingValues: show ? thinkingValues(show, tag.details.family) : null,
    modifiedAt: tag.modified_at,
  };
}

/** Newer engines say it themselves; for older ones it follows from the capabilities (docs/engine.md, Thinking). */
function thinkingValues(show: ShowReply, family: string): ModelInfo['thinkingValues'] {
  if (show.thinking) return show.thinking.values;
  if (!show.capabilities) return null;
  if (!show.capabilities.includes('thinking')) return [false];
  return family === 'gptoss' || family === 'gpt-oss' ? ['low', 'medium', 'high'] : [false, true];
}

/**
 * Bytes of cache per token of window, as Ollama itself predicts them when it decides on evictions.
 * null = the model does not say (per-layer lists are left out of the short answer).
 */
export function predictedBytesPerToken(show: ShowReply): number | null {
  const blocks = modelNumber(show, 'block_count');
  const heads = modelNumber(show, 'attention.head_count');
  const kvHeads = modelNumber(show, 'attention.head_count_kv');
  const width = modelNumber(show, 'embedding_length');
  if (blocks === null || kvHeads === null || width === null || !heads) return null;
  return 2 * blocks * kvHeads * (width / heads) * 2;
}
