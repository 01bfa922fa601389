import { describe, expect, it } from 'vitest';
import type { TemplateCard } from '../prompt/card/card.ts';
import { isWorthIt, memoryFacts } from './worth.ts';

const kept = { inLoop: true, firstInLoop: true, afterNextUser: true };
const dropped = { ...kept, afterNextUser: false };
const bends = { rewinds: true };

/** What the decision looks at; the rest is that of a template that shows everything as it was written. */
function card(thinking: Partial<TemplateCard['thinking']>, place: TemplateCard['tools']['place'] = 'head') {
  return {
    tools: { place, inLoop: true },
    thinking: { supported: true, byDefault: kept, off: kept, ...thinking },
  } as TemplateCard;
}

describe('the history is evaluated at the end of a turn', () => {
  it('not where the template keeps everything and the memory rewinds', () => {
    expect(isWorthIt(card({}), undefined, bends)).toBe(false);
    expect(isWorthIt(card({ supported: false, byDefault: dropped }), undefined, bends)).toBe(false);
  });

  it('where thinking is dropped at the next message', () => {
    expect(isWorthIt(card({ byDefault: dropped }), undefined, bends)).toBe(true);
  });

  it('where thinking is off and the template marks that in the newest reply only', () => {
    const marks = card({ off: dropped });
    expect(isWorthIt(marks, undefined, bends)).toBe(false);
    expect(isWorthIt(marks, false, bends)).toBe(true);
  });

  it('where the tools move with the newest message', () => {
    expect(isWorthIt(card({}, 'last user message'), undefined, bends)).toBe(true);
  });

  it('where the memory goes back to checkpoints only, and where nothing is known', () => {
    expect(isWorthIt(card({}), undefined, { rewinds: false })).toBe(true);
    expect(isWorthIt(undefined, undefined, bends)).toBe(true);
  });
});

describe('what the metadata of a model tells', () => {
  it.each([
    ['full attention', { 'llama.block_count': 32 }, true],
    ['a sliding window', { 'gemma3.attention.sliding_window': 512 }, false],
    ['a window of nothing', { 'qwen2.attention.sliding_window': 0 }, true],
    ['a recurrent state', { 'qwen35.ssm.state_size': 128 }, false],
    ['short convolutions', { 'lfm2.shortconv.l_cache': 3 }, false],
    ['nothing', {}, false],
  ])('%s', (_what, info, rewinds) => {
    expect(memoryFacts(info).rewinds).toBe(rewinds);
  });

  it('a tokenizer adds the begin-of-text mark unless it says that it does not', () => {
    expect(memoryFacts({ 'tokenizer.ggml.add_bos_token': false }).addsBeginOfText).toBe(false);
    expect(memoryFacts({}).addsBeginOfText).toBe(true);
  });
});
