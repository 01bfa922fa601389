import { expect, test } from 'vitest';
import type { ModelInfo } from '../../../protocol/model.ts';
import { wordsOnly } from '../../../rules/choose-model.ts';
import { embeddingModels, pickEmbeddingModel } from './embedding-model.ts';

const model = (name: string, sizeBytes: number, ...capabilities: string[]): ModelInfo => ({
  name,
  sizeBytes,
  digest: `of ${name}`,
  family: '',
  parameterSize: '',
  quantization: '',
  capabilities,
  trainedContext: null,
  thinkingValues: null,
  modifiedAt: '',
});
const large = model('large', 600, 'embedding');
const small = model('small', 40, 'embedding');
const both = model('both', 10, 'completion', 'embedding');
const chat = model('chat', 10, 'completion', 'tools');
const listed = embeddingModels([large, both, chat, small]);

test('only models that make vectors and nothing else are taken, the smallest first', () => {
  expect(listed).toEqual([small, large]);
});

test.each([
  ['the smallest one where nobody chose', null, null, 'small'],
  ['the chosen one', 'large', null, 'large'],
  ['the one that the vectors are of, though a smaller one was installed since', null, 'of large', 'large'],
  ['the smallest one where the one of the vectors is gone', null, 'of gone', 'small'],
  ['none where words alone are wanted', wordsOnly, 'of large', undefined],
  ['none in place of a chosen one that is gone', 'gone', 'of large', undefined],
])('%s makes the vectors', (_, choice, used, name) => {
  expect(pickEmbeddingModel(listed, choice, used)?.name).toBe(name);
});
