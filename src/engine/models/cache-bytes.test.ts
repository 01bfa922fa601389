import { expect, test } from 'vitest';
import { shapeOf, type ModelShape } from './architecture.ts';
import {
  bufferBytes,
  cacheBytes,
  cacheBytesPerToken,
  unreportedCacheBytes,
  type Window,
} from './cache-bytes.ts';
import type { ModelNumbers } from './numbers.ts';

const mib = 1024 ** 2;
const window = (contextTokens: number, more: Partial<Window> = {}): Window => ({
  contextTokens,
  batch: 512,
  cacheType: 'f16',
  parallel: 1,
  ...more,
});

function shape(architecture: string, values: ModelNumbers['values'], draftTokens = 0): ModelShape {
  const found = shapeOf({ architecture, values, vocabulary: 1_000, embeddings: null, draftTokens });
  if (!found) throw new Error('no shape');
  return found;
}

const kinds = (of: ModelShape): string[] => of.layers.map(({ kind }) => kind);

const llama = {
  block_count: 16,
  embedding_length: 2_048,
  feed_forward_length: 8_192,
  'attention.head_count': 32,
};
const grouped = { ...llama, 'attention.head_count_kv': 8 };

test('grouped heads, with and without their own width', () => {
  expect(cacheBytes(shape('llama', grouped), window(8_192), 0)).toBe(256 * mib);
  const wide = { ...grouped, 'attention.key_length': 128, 'attention.value_length': 64 };
  expect(cacheBytes(shape('llama', wide), window(8_192), 0)).toBe(384 * mib);
});

test('without grouped heads every head has a cache', () => {
  expect(cacheBytes(shape('llama', llama), window(8_192), 0)).toBe(1_024 * mib);
});

test.each([
  ['q8_0', 136],
  ['q4_0', 72],
] as const)('a cache of %s takes %i MiB instead of 256', (cacheType, expected) => {
  expect(cacheBytes(shape('llama', grouped), window(8_192, { cacheType }), 0)).toBe(expected * mib);
});

test('a window is rounded up to 256 tokens, and taken once for each conversation', () => {
  const asked = cacheBytes(shape('llama', grouped), window(8_100), 0);
  expect(asked).toBe(256 * mib);
  expect(cacheBytes(shape('llama', grouped), window(8_100, { parallel: 2 }), 0)).toBe(2 * asked);
});

const gemma3 = {
  block_count: 34,
  embedding_length: 2_560,
  feed_forward_length: 10_240,
  'attention.head_count': 8,
  'attention.head_count_kv': 4,
  'attention.key_length': 256,
  'attention.value_length': 256,
  'attention.sliding_window': 1_024,
};

test('layers that look back over a window keep that and one batch', () => {
  // 5 layers attend to everything: 160 MiB; 29 keep 1,536 tokens: 174 MiB.
  expect(cacheBytes(shape('gemma3', gemma3), window(8_192), 0)).toBe(334 * mib);
  expect(unreportedCacheBytes(shape('gemma3', gemma3), window(8_192))).toBe(160 * mib);
  expect(cacheBytesPerToken(shape('gemma3', gemma3), 'f16')).toBe(5 * 4_096);
});

test('each of two conversations has its own window, and they share the masks of a batch', () => {
  const both = window(8_192, { parallel: 2 });
  expect(cacheBytes(shape('gemma3', gemma3), both, 0)).toBe(668 * mib);
  const more = bufferBytes(shape('gemma3', gemma3), both, 1_000);
  expect(more - bufferBytes(shape('gemma3', gemma3), window(8_192), 1_000)).toBe(1_000 * 4);
});

test('which layers slide is taken from the file where it says so', () => {
  const said = { ...gemma3, block_count: 3, 'attention.sliding_window_pattern': [1, 0, 1] };
  expect(shape('gemma3', said).layers.map(({ kind }) => kind)).toEqual(['sliding', 'full', 'sliding']);
});

test('a window that the runner does not use changes nothing', () => {
  const phi = { ...grouped, 'attention.sliding_window': 2_047 };
  expect(shape('phi3', phi).layers.every(({ kind }) => kind === 'full')).toBe(true);
  expect(unreportedCacheBytes(shape('phi3', phi), window(8_192))).toBe(0);
});

test('gemma4: other head widths where it slides, and later layers that share a cache', () => {
  const values = {
    block_count: 35,
    embedding_length: 1_536,
    feed_forward_length: 6_144,
    'attention.head_count': 8,
    'attention.head_count_kv': 1,
    'attention.key_length': 512,
    'attention.value_length': 512,
    'attention.key_length_swa': 256,
    'attention.value_length_swa': 256,
    'attention.sliding_window': 512,
    'attention.sliding_window_pattern': 5,
    'attention.shared_kv_layers': 20,
  };
  expect(cacheBytes(shape('gemma4', values), window(16_384), 0)).toBe((96 + 12) * mib);
});

test('a latent cache is kept once for all heads, keys only', () => {
  const values = {
    block_count: 27,
    embedding_length: 2_048,
    'attention.head_count': 16,
    'attention.head_count_kv': 1,
    'attention.key_length': 576,
    'attention.value_length': 512,
    'attention.key_length_mla': 192,
    'attention.kv_lora_rank': 512,
    'rope.dimension_count': 64,
  };
  expect(cacheBytes(shape('deepseek2', values), window(8_192), 0)).toBe(243 * mib);
});

const qwen35 = {
  block_count: 32,
  embedding_length: 2_560,
  feed_forward_length: 9_216,
  'attention.head_count': 16,
  'attention.head_count_kv': 4,
  'attention.key_length': 256,
  'attention.value_length': 256,
  full_attention_interval: 4,
  'ssm.conv_kernel': 4,
  'ssm.state_size': 128,
  'ssm.group_count': 16,
  'ssm.inner_size': 4_096,
};

test('every fourth layer caches, the others have a state that no window and no cache type changes', () => {
  const { layers } = shape('qwen35', qwen35);
  expect(layers.filter(({ kind }) => kind === 'full')).toHaveLength(8);
  const state = 50.25 * mib;
  expect(cacheBytes(shape('qwen35', qwen35), window(16_384), 0)).toBe(512 * mib + state);
  expect(cacheBytes(shape('qwen35', qwen35), window(16_384, { cacheType: 'q8_0' }), 0)).toBe(
    272 * mib + state,
  );
});

test('a model that guesses ahead keeps a state for each guess, and a cache for the guessing layer', () => {
  const values = { ...qwen35, block_count: 33, nextn_predict_layers: 1 };
  const plain = cacheBytes(shape('qwen35', values), window(16_384), 0);
  expect(plain).toBe(562.25 * mib);
  expect(cacheBytes(shape('qwen35', values, 4), window(16_384), 4)).toBe(plain + 4 * 50.25 * mib + 64 * mib);
});

test('layers with no cache heads are convolutions, states or feed-forward only', () => {
  const lfm2 = { ...llama, block_count: 4, 'attention.head_count_kv': [0, 8, 0, 8], 'shortconv.l_cache': 3 };
  expect(kinds(shape('lfm2', lfm2))).toEqual(['recurrent', 'full', 'recurrent', 'full']);
  expect(shape('lfm2', lfm2).layers[0]).toEqual({ kind: 'recurrent', bytes: 2 * 2_048 * 4 });
  const nemotron = {
    ...llama,
    block_count: 3,
    feed_forward_length: [0, 12_544, 0],
    'attention.head_count_kv': [0, 0, 8],
    'ssm.inner_size': 4_096,
    'ssm.state_size': 128,
  };
  expect(kinds(shape('nemotron_h', nemotron))).toEqual(['recurrent', 'none', 'full']);
});

const buffersAt = (contextTokens: number, batch: number, vocabulary = 128_256): number =>
  bufferBytes(shape('llama', grouped), window(contextTokens, { batch }), vocabulary) / mib;

test('buffers grow with the batch, the window and the vocabulary', () => {
  expect(buffersAt(8_192, 512)).toBeCloseTo(72.5, 1);
  expect(buffersAt(32_768, 1_024)).toBeCloseTo(192.5, 1);
  expect(buffersAt(8_192, 512, 256_512) - buffersAt(8_192, 512)).toBeCloseTo(0.49, 2);
});

test('experts count as wide as those that are asked together', () => {
  const moe = { ...grouped, expert_used_count: 4, expert_feed_forward_length: 2_048 };
  expect(shape('llama', moe).activationWidth).toBe(shape('llama', grouped).activationWidth);
});

test.each([
  ['nothing', {}],
  ['no layers', { block_count: 0, embedding_length: 2_048 }],
  ['absurdly many layers', { block_count: 1e9, embedding_length: 2_048 }],
  ['only guessing layers', { block_count: 8, embedding_length: 2_048, nextn_predict_layers: 1e9 }],
])('a file that says %s has no shape', (_, values) => {
  expect(
    shapeOf({ architecture: 'llama', values, vocabulary: null, embeddings: null, draftTokens: 0 }),
  ).toBeNull();
});

test('an architecture that nobody knows is taken for plain attention, and says so', () => {
  expect(shape('newest', grouped)).toMatchObject({ known: false });
  expect(shape('newest', grouped).layers.every(({ kind }) => kind === 'full')).toBe(true);
});
