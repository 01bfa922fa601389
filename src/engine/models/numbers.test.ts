import { expect, test } from 'vitest';
import { readNumbers } from './describe-model.ts';

const tensors = [
  { name: 'token_embd.weight', type: 'Q6_K', shape: [2_048, 1_000] },
  { name: 'output_norm.weight', type: 'F32', shape: [2_048] },
];
const show = {
  model_info: {
    'general.architecture': 'gemma4',
    'general.parameter_count': 5_000_000,
    'gemma4.block_count': 2,
    'gemma4.attention.head_count_kv': [8, 1],
    'gemma4.attention.sliding_window_pattern': [true, false],
    'gemma4.rope.scaling.type': 'yarn',
    'tokenizer.ggml.tokens': Array.from({ length: 1_000 }, (_, index) => `token ${String(index)}`),
  },
  tensors,
};

test('of the vocabulary only its size is kept, of the rest what is a number', () => {
  const numbers = readNumbers(show);
  expect(numbers).toEqual({
    architecture: 'gemma4',
    values: { block_count: 2, 'attention.head_count_kv': [8, 1], 'attention.sliding_window_pattern': [1, 0] },
    vocabulary: 1_000,
    embeddings: { lookedUpBytes: 0, sharedBytes: (2_048 * 1_000 * 210) / 256 },
    draftTokens: 0,
  });
  expect(JSON.stringify(numbers)).not.toContain('token 1');
});

test('embeddings that are not the output layer too are only looked up', () => {
  const own = { name: 'output.weight', type: 'Q6_K', shape: [2_048, 1_000] };
  const perLayer = { name: 'per_layer_token_embd.weight', type: 'Q8_0', shape: [512, 1_000] };
  expect(readNumbers({ ...show, tensors: [...tensors, own, perLayer] })?.embeddings).toEqual({
    lookedUpBytes: (2_048 * 1_000 * 210) / 256 + (512 * 1_000 * 34) / 32,
    sharedBytes: 0,
  });
});

test.each([
  ['no tensors were told', undefined],
  ['a way of storing is new', [{ ...tensors[0], type: 'Q3_NEW' }]],
  ['they are not what they should be', [{ name: 7 }]],
])('embeddings are unknown when %s', (_, told) => {
  expect(readNumbers({ ...show, tensors: told })?.embeddings).toBeNull();
});

test('a short answer, in which lists are null, still gives its single numbers', () => {
  const model_info = {
    'general.architecture': 'llama',
    'llama.block_count': 16,
    'llama.vocab_size': 128_256,
    'llama.rope.freqs': null,
    'tokenizer.ggml.tokens': null,
  };
  expect(readNumbers({ model_info })).toMatchObject({ values: { block_count: 16 }, vocabulary: 128_256 });
});

test('a short answer that leaves out how its layers cache is worth nothing', () => {
  const model_info = { ...show.model_info, 'gemma4.attention.head_count_kv': null };
  expect(readNumbers({ model_info })).toBeNull();
});

test('the number of tokens that a model guesses ahead stands among its parameters', () => {
  const parameters =
    'stop                           "<|im_end|>"\ndraft_num_predict              4\ntop_k 20';
  expect(readNumbers({ ...show, parameters })?.draftTokens).toBe(4);
});

test.each([[null], ['text'], [{}], [{ model_info: [] }], [{ model_info: { 'general.architecture': 3 } }]])(
  'an answer that says nothing gives nothing: %j',
  (reply) => {
    expect(readNumbers(reply)).toBeNull();
  },
);

test('endless lists and impossible numbers are left out', () => {
  const model_info = {
    'general.architecture': 'a',
    'a.x': Array.from({ length: 5_000 }, () => 1),
    'a.y': 2,
    'a.z': -1,
    'a.w': 1e300,
  };
  expect(readNumbers({ model_info })?.values).toEqual({ y: 2 });
});
