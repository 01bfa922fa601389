import { describe, expect, it } from 'vitest';
import { sameHead } from './same-head.ts';

const head = { persona: 'A', systemPrompt: 'You write.', tools: ['read_file', 'search'] };

describe('two profiles', () => {
  it.each([
    ['alike', {}, true],
    ['alike but for blanks around their texts, which are not sent', { systemPrompt: ' You write.\n' }, true],
    ['not alike with other words', { systemPrompt: 'You test.' }, false],
    ['not alike with another persona', { persona: '' }, false],
    ['not alike with a tool less', { tools: ['read_file'] }, false],
    ['not alike with the same tools in another order', { tools: ['search', 'read_file'] }, false],
    // Joined by commas these would be equal.
    ['not alike with a name that holds two', { tools: ['read_file,search'] }, false],
  ])('begin %s', (_, changes, expected) => {
    expect(sameHead(head, { ...head, ...changes })).toBe(expected);
  });
});
