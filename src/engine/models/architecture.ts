/** Which memory each layer of a model keeps, by architecture (key names as llama.cpp writes them). */
import type { ModelNumbers } from './numbers.ts';

/** Widths are numbers of elements, for each token that is kept. */
export type LayerMemory =
  | { kind: 'full'; keyWidth: number; valueWidth: number }
  | { kind: 'sliding'; keyWidth: number; valueWidth: number; window: number }
  /** A state of fixed size, whatever the window. */
  | { kind: 'recurrent'; bytes: number }
  /** Feed-forward only, or it uses an earlier layer's cache. */
  | { kind: 'none' };

export interface ModelShape {
  layers: LayerMemory[];
  /** Layers that guess tokens ahead; each has a cache of its own kind. */
  draftLayers: LayerMemory[];
  /** Elements that one token of a batch takes at the widest point of the graph. */
  activationWidth: number;
  /** Elements of one token in the stream between layers. */
  embeddingWidth: number;
  /** False = the architecture is not in these tables, and every layer is taken for plain attention. */
  known: boolean;
}

/** Every n-th layer attends to everything, the others to a window; where the file names no pattern itself. */
const slidingPattern: Readonly<Record<string, number>> = {
  gemma2: 2,
  gemma3: 6,
  gemma3n: 5,
  gemma4: 6,
  gptoss: 2,
  'gpt-oss': 2,
  cohere2: 4,
  exaone4: 4,
  olmo2: 4,
  olmo3: 4,
};

/** They name a window in their file, but are run with full attention. */
const windowUnused = new Set(['phi3', 'llama', 'mistral3', 'qwen2', 'qwen3', 'qwen2moe', 'qwen3moe']);

/** Attention in every n-th layer, a gated delta net in the others. */
const deltaNet = new Set(['qwen35', 'qwen35moe', 'qwen3next']);

const plain = new Set([
  ...windowUnused,
  'llama4',
  'qwen25vl',
  'qwen2vl',
  'qwen3vl',
  'qwen3vlmoe',
  'gemma',
  'granite',
  'granitemoe',
  'command-r',
  'glm4',
  'glm4moe',
  'smollm3',
  'starcoder2',
  'stablelm',
  'phi2',
  'deepseek2',
  'lfm2',
  'lfm2moe',
  'nemotron',
  'nemotron_h',
  'nemotron_h_moe',
  'granitehybrid',
  'mamba',
  'mamba2',
  'jamba',
]);

const floatBytes = 4;
/** No model is deeper; whoever says so says nothing. */
const maxBlocks = 4_096;

/** null = the file does not say enough. */
export function shapeOf(numbers: ModelNumbers): ModelShape | null {
  const read = reader(numbers);
  const blocks = read.one('block_count');
  const embedding = read.one('embedding_length');
  const guessing = read.one('nextn_predict_layers') ?? 0;
  if (blocks === null || embedding === null || blocks <= guessing || blocks > maxBlocks) return null;
  const draft = numbers.draftTokens > 0 ? guessing : 0;
  const main = blocks - guessing;
  const layers = Array.from({ length: main }, (_, index) => layerOf(numbers, read, index, main));
  const draftLayers = Array.from({ length: draft }, (_, index): LayerMemory => ({
    kind: 'full',
    ...cacheWidths(numbers, read, main + index, false),
  }));
  return {
    layers,
    draftLayers,
    activationWidth: activationWidth(numbers, read, layers),
    embeddingWidth: embedding,
    known:
      plain.has(numbers.architecture) ||
      deltaNet.has(numbers.architecture) ||
      numbers.architecture in slidingPattern,
  };
}

interface Reader {
  /** One value for the whole model; null where it is a list or absent. */
  one(key: string): number | null;
  list(key: string): readonly number[] | null;
  /** Of one layer, whether the value is one for all or a list. */
  at(key: string, index: number): number | null;
  /** Of the widest layer. */
  most(key: string): number | null;
}

function reader({ values }: ModelNumbers): Reader {
  const list = (key: string): readonly number[] | null => {
    const value = values[key];
    return Array.isArray(value) ? value : null;
  };
  const one = (key: string): number | null => {
    const value = values[key];
    return typeof value === 'number' ? value : null;
  };
  return {
    one,
    list,
    at: (key, index) => list(key)?.[index] ?? one(key),
    most: (key) => list(key)?.reduce((most, each) => Math.max(most, each), 0) ?? one(key),
  };
}

function layerOf(numbers: ModelNumbers, read: Reader, index: number, layers: number): LayerMemory {
  const ownCaches = layers - (read.one('attention.shared_kv_layers') ?? 0);
  if (index >= ownCaches) return { kind: 'none' };
  if (!attends(numbers, read, index)) {
    const bytes = stateBytes(read, index);
    return bytes === 0 ? { kind: 'none' } : { kind: 'recurrent', bytes };
  }
  const window = windowOf(numbers, read, index);
  const widths = cacheWidths(numbers, read, index, window !== null);
  return window === null ? { kind: 'full', ...widths } : { kind: 'sliding', ...widths, window };
}

function attends({ architecture }: ModelNumbers, read: Reader, index: number): boolean {
  if (architecture === 'mamba' || architecture === 'mamba2') return false;
  if (deltaNet.has(architecture)) {
    const interval = read.one('full_attention_interval') ?? 4;
    return (index + 1) % interval === 0;
  }
  return read.at('attention.head_count_kv', index) !== 0;
}

/** Of a layer without attention; 0 = feed-forward only. Always 32-bit floats, whatever the cache type. */
function stateBytes(read: Reader, index: number): number {
  const shortConvolution = read.one('shortconv.l_cache');
  const embedding = read.one('embedding_length') ?? 0;
  if (shortConvolution !== null) return (shortConvolution - 1) * embedding * floatBytes;
  // Where layers are of one kind each, the feed-forward ones are listed with their width and the others with 0.
  const isFeedForward = (read.list('feed_forward_length')?.[index] ?? 0) > 0;
  const isOneKindEach = read.list('feed_forward_length')?.includes(0) ?? false;
  if (isOneKindEach && isFeedForward) return 0;
  const inner = read.one('ssm.inner_size') ?? 0;
  const state = read.one('ssm.state_size') ?? 0;
  const groups = read.one('ssm.group_count') ?? 0;
  const kernel = read.one('ssm.conv_kernel') ?? 1;
  return ((kernel - 1) * (inner + 2 * groups * state) + state * inner) * floatBytes;
}

/** Tokens that a layer looks back; null = all of them. */
function windowOf({ architecture }: ModelNumbers, read: Reader, index: number): number | null {
  const window = read.one('attention.sliding_window');
  if (window === null || window === 0) return null;
  const said = read.list('attention.sliding_window_pattern');
  if (said) return said[index] === 1 ? window : null;
  const every = read.one('attention.sliding_window_pattern') ?? slidingPattern[architecture] ?? null;
  if (every === null || windowUnused.has(architecture)) return null;
  return (index + 1) % every === 0 ? null : window;
}

function cacheWidths(
  { architecture }: ModelNumbers,
  read: Reader,
  index: number,
  sliding: boolean,
): { keyWidth: number; valueWidth: number } {
  const latent = read.one('attention.kv_lora_rank');
  if (architecture === 'deepseek2' && latent !== null && read.one('attention.key_length_mla') !== null) {
    // The compressed pair is kept once for all heads, and values are read out of the keys.
    return { keyWidth: latent + (read.one('rope.dimension_count') ?? 64), valueWidth: 0 };
  }
  const heads = read.at('attention.head_count_kv', index) ?? read.at('attention.head_count', index) ?? 0;
  const width = headWidth(read);
  const own = (key: string): number =>
    (sliding ? read.one(`attention.${key}_swa`) : null) ?? read.one(`attention.${key}`) ?? width;
  return { keyWidth: heads * own('key_length'), valueWidth: heads * own('value_length') };
}

function headWidth(read: Reader): number {
  const heads = read.most('attention.head_count');
  return heads === null || heads === 0 ? 0 : (read.one('embedding_length') ?? 0) / heads;
}

/**
 * The feed-forward part is the widest point of the graph: its two halves and their product, beside the residual stream.
 * Measured on the runner's own reservations for llama, qwen2, qwen3, gemma2, gemma3, gpt-oss, lfm2, qwen35, deepseek2.
 */
function activationWidth(
  { architecture }: ModelNumbers,
  read: Reader,
  layers: readonly LayerMemory[],
): number {
  const embedding = read.one('embedding_length') ?? 0;
  const heads = read.most('attention.head_count') ?? 0;
  const query = heads * (read.one('attention.key_length') ?? headWidth(read));
  // Gemma's embeddings per layer are made for all layers at once, and stay until the last has used its own.
  const perLayer = (read.one('embedding_length_per_layer_input') ?? 0) * layers.length;
  const feedForward = feedForwardWidth(read, embedding) + 3 * embedding + perLayer;
  const latent = read.one('attention.kv_lora_rank');
  if (architecture === 'deepseek2' && latent !== null) {
    const compressed = latent + (read.one('rope.dimension_count') ?? 64);
    return Math.max(feedForward, heads * (2 * compressed + 3 * latent) + embedding);
  }
  const attentionOnly = layers.every(({ kind }) => kind !== 'recurrent');
  return attentionOnly ? feedForward + query : feedForward;
}

/** Elements of the widest feed-forward part: its two halves, their product, and what comes out of several experts. */
function feedForwardWidth(read: Reader, embedding: number): number {
  const dense = 3 * (read.most('feed_forward_length') ?? 0);
  const experts = read.one('expert_used_count') ?? 0;
  const expertWidth = read.one('expert_feed_forward_length');
  if (experts === 0 || expertWidth === null) return dense;
  // What comes out is as wide as the stream, for each expert; it has room where the halves were, unless it is wider.
  const out = embedding > 2 * expertWidth ? experts * embedding : 0;
  const sparse = 3 * experts * expertWidth + out;
  const someDense = (read.one('leading_dense_block_count') ?? 0) > 0;
  return someDense ? Math.max(dense, sparse) : sparse;
}
