import { expect, test } from 'vitest';

import { parseModelName, refuseCloudName } from './names.ts';

test.each([
  ['qwen3.5', 'qwen3.5:latest', 'registry.ollama.ai/library/qwen3.5:latest'],
  ['me/tiny:1b', 'me/tiny:1b', 'registry.ollama.ai/me/tiny:1b'],
  ['hf.co/me/tiny:Q4', 'hf.co/me/tiny:Q4', 'hf.co/me/tiny:Q4'],
])('%s is listed as %s and known as %s', (text, short, full) => {
  expect(parseModelName(text)).toEqual({ ok: true, value: { short, full } });
});

test.each(['', 'a b', 'a:', '/x', 'a/b/c/d'])('%j is no model name', (text) => {
  expect(parseModelName(text)).toMatchObject({ ok: false, status: 400 });
});

test('cloud names are refused, local ones are not', () => {
  expect(refuseCloudName('gpt:120b-cloud')).toMatchObject({ status: 403 });
  expect(refuseCloudName('gpt:cloud')).toMatchObject({ status: 403 });
  expect(refuseCloudName('gpt:local:cloud')).toMatchObject({ status: 400 });
  expect(refuseCloudName('cloudy:7b')).toBeUndefined();
});
