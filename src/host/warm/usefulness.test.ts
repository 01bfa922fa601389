import { describe, expect, it } from 'vitest';
import type { RequestUsage } from '../../protocol/model.ts';
import { createUsefulness, type Wasted } from './usefulness.ts';

const warmUp = {
  sessionId: 'a',
  model: 'm',
  digest: 'd',
  kind: 'history' as const,
  tokens: 2000,
};

const usage = (cachedTokens: number | null, more: Partial<RequestUsage> = {}): RequestUsage => ({
  requestId: 'r',
  iteration: 1,
  model: 'm',
  profileId: 'p',
  promptTokens: 2100,
  cachedTokens,
  evaluatedTokens: null,
  outputTokens: 1,
  promptMs: 5,
  outputMs: 1,
  loadMs: 10,
  waitedMs: 1,
  ...more,
});

function open() {
  const kept = new Map<string, unknown>();
  const wasted: Wasted[] = [];
  const facts = {
    read: (id: string) => kept.get(id),
    write: (id: string, is: unknown) => void kept.set(id, is),
  };
  const usefulness = createUsefulness(facts, (what) => wasted.push(what));
  const after = (next: RequestUsage, sessionId = 'a'): void => {
    usefulness.evaluated(warmUp);
    usefulness.measured(sessionId, next);
  };
  const isOff = (): boolean => usefulness.isOff('d', 'history');
  return { usefulness, wasted, after, isOff, again: () => createUsefulness(facts, () => undefined) };
}

describe('a warm-up', () => {
  it('that the next request finds stays on, also where a few tokens are read again', () => {
    const { after, isOff, wasted } = open();
    after(usage(1960));
    expect([isOff(), wasted]).toEqual([false, []]);
  });

  it('whose tokens are read again is told once and switched off, for its template and kind alone', () => {
    const { after, usefulness, isOff, wasted } = open();
    after(usage(300));
    usefulness.measured('a', usage(300));
    expect(wasted).toEqual([{ ...warmUp, cachedTokens: 300, promptMs: 5 }]);
    expect([isOff(), usefulness.isOff('d', 'head'), usefulness.isOff('e', 'history')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('that is off is tried every eighth time, and stays on once it has proved itself', () => {
    const { after, isOff } = open();
    after(usage(300));
    expect(Array.from({ length: 8 }, isOff)).toEqual([true, true, true, true, true, true, true, false]);
    after(usage(2000));
    expect(isOff()).toBe(false);
  });

  it('stays off over a restart', () => {
    const { after, again } = open();
    after(usage(300));
    expect(again().isOff('d', 'history')).toBe(true);
  });

  it.each<[string, RequestUsage, string]>([
    ['the engine does not say what it found', usage(null), 'a'],
    ['the model was loaded for the request', usage(0, { loadMs: 4000 }), 'a'],
    ['another session used the model first', usage(0), 'b'],
  ])('is not judged where %s', (_why, next, sessionId) => {
    const { after, usefulness, isOff } = open();
    after(next, sessionId);
    usefulness.measured('a', usage(0));
    expect(isOff()).toBe(false);
  });

  it.each<[string, RequestUsage]>([
    ['a subagent', usage(0, { parentCallId: 'c' })],
    ['another model', usage(0, { model: 'other' })],
  ])('is judged by the next request of its own, not by that of %s', (_who, first) => {
    const { after, usefulness, isOff } = open();
    after(first);
    usefulness.measured('a', usage(0));
    expect(isOff()).toBe(true);
  });

  it('is not judged when the engine lost everything in between', () => {
    const { usefulness, isOff } = open();
    usefulness.evaluated(warmUp);
    usefulness.disturbed();
    usefulness.measured('a', usage(0));
    expect(isOff()).toBe(false);
  });
});
