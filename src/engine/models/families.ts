/**
 * Shapes of models that are not installed yet, by name: what their published files say of themselves (GGUF metadata, or
 * the `config.json` they are made from). A name that is not here is judged by its download alone.
 */
import type { ModelNumbers } from './numbers.ts';

type Values = ModelNumbers['values'];

const head = (width: number): Values => ({ 'attention.key_length': width, 'attention.value_length': width });

const dense = (
  blocks: number,
  embedding: number,
  feedForward: number,
  heads: number,
  cacheHeads: number,
): Values => ({
  block_count: blocks,
  embedding_length: embedding,
  feed_forward_length: feedForward,
  'attention.head_count': heads,
  'attention.head_count_kv': cacheHeads,
});

const experts = (used: number, width: number): Values => ({
  expert_used_count: used,
  expert_feed_forward_length: width,
});

const deltaNet = (inner: number): Values => ({
  full_attention_interval: 4,
  'ssm.conv_kernel': 4,
  'ssm.state_size': 128,
  'ssm.group_count': 16,
  'ssm.inner_size': inner,
});

/** Of gemma4: every n-th layer attends to everything, with heads of twice the width. */
const slides = (window: number, every: number): Values => ({
  ...head(512),
  'attention.key_length_swa': 256,
  'attention.value_length_swa': 256,
  'attention.sliding_window': window,
  'attention.sliding_window_pattern': every,
});

/** Of gemma4's larger ones: fewer cache heads where a layer attends to everything. */
const cacheHeads = (blocks: number, sliding: number, full: number): Values => ({
  'attention.head_count_kv': Array.from({ length: blocks }, (_, layer) =>
    (layer + 1) % 6 === 0 ? full : sliding,
  ),
});

const edge = (shared: number): Values => ({
  embedding_length_per_layer_input: 256,
  'attention.shared_kv_layers': shared,
});

const attentionOf = (layers: ReadonlySet<number>, blocks: number): Values => ({
  'attention.head_count_kv': Array.from({ length: blocks }, (_, layer) => (layers.has(layer) ? 8 : 0)),
  'shortconv.l_cache': 3,
});

const model = (architecture: string, vocabulary: number, ...values: Values[]): ModelNumbers => ({
  architecture,
  values: Object.assign({}, ...values),
  vocabulary,
  embeddings: null,
  draftTokens: 0,
});

const qwen = (...values: Values[]): ModelNumbers => model('qwen35', 248_320, head(256), ...values);
const qwenExperts = (...values: Values[]): ModelNumbers => model('qwen35moe', 248_320, head(256), ...values);
const gemma = (...values: Values[]): ModelNumbers => model('gemma4', 262_144, ...values);
const ministral = (...values: Values[]): ModelNumbers => model('mistral3', 131_072, head(128), ...values);

const qwen27b = qwen(dense(64, 5_120, 17_408, 24, 4), deltaNet(6_144));
const qwen35b = qwenExperts(dense(40, 2_048, 0, 16, 2), experts(8, 512), deltaNet(4_096));

/** By name and size, without what follows the size (`-instruct`, `-q4_K_M`). */
const shapes: Readonly<Record<string, ModelNumbers>> = {
  // https://huggingface.co/unsloth/Qwen3.5-9B-GGUF and its sizes
  'qwen3.5:0.8b': qwen(dense(24, 1_024, 3_584, 8, 2), deltaNet(2_048)),
  'qwen3.5:2b': qwen(dense(24, 2_048, 6_144, 8, 2), deltaNet(2_048)),
  'qwen3.5:4b': qwen(dense(32, 2_560, 9_216, 16, 4), deltaNet(4_096)),
  'qwen3.5:9b': qwen(dense(32, 4_096, 12_288, 16, 4), deltaNet(4_096)),
  'qwen3.5:27b': qwen27b,
  'qwen3.5:35b': qwen35b,
  // https://github.com/ollama/ollama/issues/17482, https://github.com/ggml-org/llama.cpp/issues/23679
  'qwen3.6:27b': qwen27b,
  'qwen3.6:35b': qwen35b,
  'qwen3.8:27b': qwen27b,
  // https://github.com/ollama/ollama/issues/18123, https://github.com/ggml-org/llama.cpp/issues/21730
  'gemma4:e4b': gemma(dense(42, 2_560, 10_240, 8, 2), slides(512, 6), edge(18)),
  // https://huggingface.co/unsloth/gemma-4-E2B-it-GGUF and its sizes
  'gemma4:e2b': gemma(dense(35, 1_536, 12_288, 8, 1), slides(512, 5), edge(20)),
  'gemma4:12b': gemma(dense(48, 3_840, 15_360, 16, 8), slides(1_024, 6), cacheHeads(48, 8, 1)),
  'gemma4:26b': gemma(
    dense(30, 2_816, 2_112, 16, 8),
    experts(8, 704),
    slides(1_024, 6),
    cacheHeads(30, 8, 2),
  ),
  // https://github.com/ikawrakow/ik_llama.cpp/issues/822
  'gpt-oss:20b': model('gpt-oss', 201_088, dense(24, 2_880, 2_880, 64, 8), experts(4, 2_880), head(64), {
    'attention.sliding_window': 128,
  }),
  // https://huggingface.co/mistralai/Ministral-3-8B-Instruct-2512 and its sizes
  'ministral-3:3b': ministral(dense(26, 3_072, 9_216, 32, 8)),
  'ministral-3:8b': ministral(dense(34, 4_096, 14_336, 32, 8)),
  'ministral-3:14b': ministral(dense(40, 5_120, 16_384, 32, 8)),
  // https://huggingface.co/LiquidAI/LFM2.5-1.2B-Instruct
  'lfm2.5:1.2b': model(
    'lfm2',
    65_536,
    dense(16, 2_048, 8_192, 32, 8),
    attentionOf(new Set([2, 5, 8, 10, 12, 14]), 16),
  ),
  // https://huggingface.co/meta-llama/Llama-3.1-8B, https://huggingface.co/Qwen/Qwen3-8B and its sizes
  'llama3.1:8b': model('llama', 128_256, dense(32, 4_096, 14_336, 32, 8), head(128)),
  'qwen3:4b': model('qwen3', 151_936, dense(36, 2_560, 9_728, 32, 8), head(128)),
  'qwen3:8b': model('qwen3', 151_936, dense(36, 4_096, 12_288, 32, 8), head(128)),
};

/** null = not known by name. */
export function shapeByName(name: string): ModelNumbers | null {
  const [, family = '', size = ''] = /(?:^|\/)([^/:]+):([^-/]+)[^/]*$/.exec(name.toLowerCase()) ?? [];
  const key = `${family}:${size}`;
  return Object.hasOwn(shapes, key) ? (shapes[key] ?? null) : null;
}
