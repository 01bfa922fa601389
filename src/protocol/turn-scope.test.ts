import { describe, expect, it } from 'vitest';
import { hostMethods } from './host-methods.ts';
import { turnScopeSchema } from './turn-scope.ts';

const step = { act: 'look', what: 'notes.txt' };
const scope = { change: false, run: false, steps: [step] };
const isScope = (value: unknown): boolean => turnScopeSchema.safeParse(value).success;
const isRegenerate = (allow: unknown): boolean =>
  hostMethods['turn/regenerate'].params.safeParse({ sessionId: 's', turnId: 't', allow }).success;

describe('the scope of a turn', () => {
  it('a scope counts characters as a JSON schema does, so a step of sixty emoji is taken', () => {
    for (const what of ['x'.repeat(60), '🚲'.repeat(60), '']) {
      expect(isScope({ ...scope, steps: [{ ...step, what }] })).toBe(true);
      expect(isScope({ ...scope, steps: [{ ...step, what: `${what}${'é'.repeat(61)}` }] })).toBe(false);
    }
  });

  it('a scope is refused with an act, a permission or a number of steps that Andiron does not know', () => {
    expect(isScope(scope)).toBe(true);
    expect(isScope({ ...scope, steps: [] })).toBe(true);
    expect(isScope({ ...scope, change: 'yes' })).toBe(false);
    expect(isScope({ change: false, steps: [] })).toBe(false);
    expect(isScope({ ...scope, steps: [{ ...step, act: 'delete' }] })).toBe(false);
    const steps = Array.from({ length: 9 }, () => ({ ...step }));
    expect(isScope({ ...scope, steps: steps.slice(1) })).toBe(true);
    expect(isScope({ ...scope, steps })).toBe(false);
  });

  it('a turn is asked again only with permissions that exist, each named at most once', () => {
    for (const allow of [undefined, [], ['change'], ['run', 'change']])
      expect(isRegenerate(allow)).toBe(true);
    for (const allow of [
      'change',
      ['delete'],
      [true],
      [null],
      { change: true },
      ['run', 'run'],
      ['change', 'run', 'run'],
    ])
      expect(isRegenerate(allow)).toBe(false);
  });
});
