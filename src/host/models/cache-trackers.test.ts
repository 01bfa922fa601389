import { describe, expect, it } from 'vitest';
import { memoryOf } from './cache-trackers.ts';

describe('what a model remembers, by its metadata', () => {
  it.each([
    [{}, { kind: 'full' }],
    [{ 'llama.attention.head_count': 8 }, { kind: 'full' }],
    [{ 'gemma3.attention.sliding_window': 512 }, { kind: 'sliding', window: 512 }],
    [{ 'qwen2.attention.sliding_window': 0 }, { kind: 'full' }],
    [{ 'qwen35.ssm.state_size': 128, 'qwen35.full_attention_interval': 4 }, { kind: 'recurrent' }],
    [{ 'lfm2.shortconv.l_cache': 3 }, { kind: 'recurrent' }],
    [{ 'gemma3.attention.sliding_window': 'many' }, { kind: 'full' }],
  ])('%j is %j', (info, memory) => {
    expect(memoryOf(info)).toEqual(memory);
  });
});
