/** How many bytes the engine takes beside the weights (docs/engine.md, Memory). Pure. */
import type { LayerMemory, ModelShape } from './architecture.ts';

export type CacheType = 'f16' | 'q8_0' | 'q4_0';

export interface Window {
  /** Tokens of one conversation. */
  contextTokens: number;
  /** Tokens that are read at once. */
  batch: number;
  cacheType: CacheType;
  /** Conversations that are kept at the same time; each has the whole window. */
  parallel: number;
}

/** Block bytes ÷ block length. */
const bytesPerElement: Readonly<Record<CacheType, number>> = { f16: 2, q8_0: 34 / 32, q4_0: 18 / 32 };
/** Caches are rounded up to this many tokens. */
const cellStep = 256;
const maskBytes = 2;
const floatBytes = 4;

/** Of keys, values and states. */
export function cacheBytes({ layers, draftLayers }: ModelShape, window: Window, draftTokens: number): number {
  const kept = [...layers, ...draftLayers];
  const each = kept.map((layer) => layerBytes(layer, window, draftTokens));
  return each.reduce((sum, bytes) => sum + bytes, 0);
}

/** A guess ahead may be wrong, so a state is kept for each guessed token too. */
function layerBytes(layer: LayerMemory, window: Window, draftTokens: number): number {
  switch (layer.kind) {
    case 'none':
      return 0;
    case 'recurrent':
      return layer.bytes * window.parallel * (1 + draftTokens);
    case 'full':
    case 'sliding': {
      const elements = cellsOf(layer, window) * (layer.keyWidth + layer.valueWidth);
      return elements * window.parallel * bytesPerElement[window.cacheType];
    }
  }
}

/** Of one conversation. */
function cellsOf(layer: Extract<LayerMemory, { kind: 'full' | 'sliding' }>, window: Window): number {
  const all = upTo(cellStep, window.contextTokens);
  return layer.kind === 'full' ? all : Math.min(all, upTo(cellStep, layer.window + window.batch));
}

/**
 * What the graph needs while a batch is read: activations at its widest point, and who may attend to whom, once for
 * each kind of attention layer. The last token's logits are all that comes out.
 */
export function bufferBytes(shape: ModelShape, window: Window, vocabulary: number): number {
  const batch = Math.min(window.batch, window.contextTokens);
  const masks = maskCells(shape.layers, window) * batch * maskBytes;
  const activations = shape.activationWidth * batch * floatBytes;
  const output = vocabulary * floatBytes * window.parallel;
  const drafting = shape.draftLayers.length > 0 ? activations / 2 + masks : 0;
  return masks + activations + output + drafting;
}

function maskCells(layers: readonly LayerMemory[], window: Window): number {
  const attention = layers.filter((layer) => layer.kind === 'full' || layer.kind === 'sliding');
  // Conversations that are read together share the batch, so there is no mask for each.
  const kinds = new Map(attention.map((layer) => [layer.kind, cellsOf(layer, window)]));
  return [...kinds.values()].reduce((sum, cells) => sum + cells, 0);
}

function upTo(step: number, tokens: number): number {
  return Math.ceil(tokens / step) * step;
}

/**
 * What `/api/ps` leaves out: of a model with both kinds of attention layer it counts the sliding ones alone, because the
 * runner writes one line for each kind and Ollama keeps the last (measured; `memoryParsingWriter`).
 */
export function unreportedCacheBytes({ layers }: ModelShape, window: Window): number {
  if (!layers.some(({ kind }) => kind === 'sliding')) return 0;
  const full = layers.filter(({ kind }) => kind === 'full');
  return full.reduce((sum, layer) => sum + layerBytes(layer, window, 0), 0);
}

/** For each further token of the window; the sliding layers and the states take no more. */
export function cacheBytesPerToken({ layers }: ModelShape, cacheType: CacheType): number {
  const elements = layers.map((layer) => (layer.kind === 'full' ? layer.keyWidth + layer.valueWidth : 0));
  return elements.reduce((sum, each) => sum + each, 0) * bytesPerElement[cacheType];
}
