import { describe, expect, it } from 'vitest';
import { aTurn } from '../testing/fixtures.ts';
import { earlierMessages, recallStep, unsentWords, type Recall } from './recall.ts';

const messages = [
  { turnId: 't1', text: 'first' },
  { turnId: 't2', text: 'second' },
];

/** Goes through the steps as a person would, with what is typed in between. */
function walk(start: string, steps: (1 | -1 | string)[]): { shown: string; recall: Recall | undefined } {
  let shown = start;
  let recall: Recall | undefined;
  for (const step of steps) {
    if (typeof step === 'string') shown = step;
    else {
      const next = recallStep(messages, recall, shown, step);
      if (!next) continue;
      shown = next.text;
      recall = next.recall ?? undefined;
    }
  }
  return { shown, recall };
}

describe('earlier messages', () => {
  it('are those of the session in order, queued ones too, without the same twice in a row', () => {
    const turns = [
      aTurn({ id: 't1', text: 'one', status: 'finished' }),
      aTurn({ id: 't2', text: 'one', status: 'finished' }),
      aTurn({ id: 't3', text: '', status: 'finished' }),
      aTurn({ id: 't4', text: 'two', status: 'queued' }),
    ];
    expect(earlierMessages({ turns })).toEqual([
      { turnId: 't2', text: 'one' },
      { turnId: 't4', text: 'two' },
    ]);
  });

  it('come back one by one, and what was not sent waits at the end', () => {
    expect(walk('unsent', [-1]).shown).toBe('second');
    expect(walk('unsent', [-1, -1]).shown).toBe('first');
    expect(walk('unsent', [-1, -1, -1]).shown).toBe('first');
    expect(walk('unsent', [-1, -1, 1, 1]).shown).toBe('unsent');
    expect(walk('unsent', [1]).shown).toBe('unsent');
  });

  it('keep what was changed in them while one goes on', () => {
    expect(walk('unsent', [-1, 'second, changed', -1, 1]).shown).toBe('second, changed');
    expect(walk('unsent', [-1, 'second, changed', 1]).shown).toBe('unsent');
    expect(walk('unsent', [-1, 'second, changed', 1, -1]).shown).toBe('second, changed');
  });

  it('leave what was not sent in the box when one of them is sent', () => {
    expect(unsentWords(walk('unsent', [-1]).recall)).toBe('unsent');
    expect(unsentWords(walk('unsent', [-1, 'changed', 1]).recall)).toBe('');
    expect(unsentWords(undefined)).toBe('');
  });

  it('begin at the end again when the one in the box is gone', () => {
    const recall = { turnId: 'gone', unsent: 'unsent', changed: {} };
    expect(recallStep(messages, recall, 'shown', -1)).toMatchObject({ text: 'second' });
  });
});
