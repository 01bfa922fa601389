/** Which installed model makes the vectors of facts. */
import type { EmbedAnswer } from '../../../protocol/engine-room.ts';
import type { EngineState, ModelInfo } from '../../../protocol/model.ts';
import { onlyMakesVectors, wordsOnly } from '../../../rules/choose-model.ts';

/** The engine, as far as vectors need it. */
export interface VectorEngine {
  /** undefined = not connected. */
  state(): EngineState | undefined;
  /** Calls back after every change; returns the way to stop that. */
  onState(listener: () => void): () => void;
  /** See `model/embed`. */
  embed(model: string, texts: readonly string[], urgent: boolean, signal: AbortSignal): Promise<EmbedAnswer>;
}

export type EmbeddingModel = Pick<ModelInfo, 'name' | 'digest' | 'sizeBytes'>;

/** Those that make vectors and nothing else: a chat model would be loaded anew for each. The smallest first. */
export function embeddingModels(installed: readonly ModelInfo[]): ModelInfo[] {
  return installed
    .filter((model) => onlyMakesVectors(model) && model.digest !== '')
    .toSorted((a, b) => a.sizeBytes - b.sizeBytes || a.name.localeCompare(b.name));
}

/**
 * @param choice of the person; null = none.
 * @param usedDigest of the model that most vectors are of: it stays although a smaller one is installed later.
 */
export function pickEmbeddingModel(
  models: readonly ModelInfo[],
  choice: string | null,
  usedDigest: string | null,
): ModelInfo | null {
  if (choice === wordsOnly) return null;
  if (choice !== null) return models.find(({ name }) => name === choice) ?? null;
  return models.find(({ digest }) => digest === usedDigest) ?? models[0] ?? null;
}
