import { expect, test } from 'vitest';
import type { ShowReply } from '../../ollama/schemas.ts';
import { describeModel, predictedBytesPerToken, type Tag } from './to-model-info.ts';

const tag = (family = 'qwen35'): Tag => ({
  name: 'qwen3.5:9b',
  modified_at: '2026-11-21T22:51:52.23037797Z',
  size: 6_000_000_000,
  digest: 'b18d',
  details: { family, parameter_size: '9B', quantization_level: 'Q4_K_M' },
});

const show: ShowReply = {
  capabilities: ['completion', 'tools', 'thinking'],
  model_info: {
    'general.architecture': 'qwen35',
    'qwen35.context_length': 32_768,
    'qwen35.block_count': 24,
    'qwen35.attention.head_count': 14,
    'qwen35.attention.head_count_kv': 2,
    'qwen35.embedding_length': 896,
  },
};

test('before the model was described, what only its description tells is unknown', () => {
  expect(describeModel(tag(), undefined)).toMatchObject({
    name: 'qwen3.5:9b',
    sizeBytes: 6_000_000_000,
    capabilities: null,
    trainedContext: null,
    thinkingValues: null,
  });
});

test('capabilities and the trained window come from the description', () => {
  expect(describeModel(tag(), show)).toMatchObject({
    capabilities: ['completion', 'tools', 'thinking'],
    trainedContext: 32_768,
  });
});

test.each([
  [
    'newer engines name the values',
    { ...show, thinking: { values: [false, 'low', 'high'] } },
    'x',
    [false, 'low', 'high'],
  ],
  ['a thinking model can be switched', show, 'qwen35', [false, true]],
  ['gpt-oss always thinks, at a level', show, 'gptoss', ['low', 'medium', 'high']],
  ['without the capability it cannot think', { ...show, capabilities: ['completion'] }, 'x', [false]],
  ['no capabilities, nothing known', { model_info: {} }, 'x', null],
])('thinking: %s', (_, reply, family, expected) => {
  expect(describeModel(tag(family), reply).thinkingValues).toEqual(expected);
});

test('bytes per token follow the formula by which Ollama predicts its own need', () => {
  // 2 × blocks × key-value heads × head width × 2 bytes.
  expect(predictedBytesPerToken(show)).toBe(2 * 24 * 2 * (896 / 14) * 2);
});

test('per-layer head counts are left out of the short description, so the need is unknown', () => {
  const layered = { ...show, model_info: { ...show.model_info, 'qwen35.attention.head_count_kv': null } };
  expect(predictedBytesPerToken(layered)).toBeNull();
});
