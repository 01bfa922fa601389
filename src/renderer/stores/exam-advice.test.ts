import { describe, expect, it } from 'vitest';
import type { ExamResult, ExamScore, Fit } from '../../protocol/model.ts';
import { aProfile } from '../testing/fixtures.ts';
import { examAdvice } from './exam-advice.ts';

const gib = 1024 ** 3;

const score = (valid: number, asked = 12): ExamScore => ({ valid, asked, mended: 0 });

function anExam(over: Partial<ExamResult> = {}): ExamResult {
  return {
    model: 'qwen3:8b',
    digest: 'sha256:1',
    at: 0,
    tookMs: 48_000,
    gpu: null,
    contextTokens: 16_384,
    readsPerSecond: 800,
    writesPerSecond: 34,
    native: score(12),
    constrained: score(12),
    byItself: 'native',
    largestWindow: 32_768,
    complete: true,
    ...over,
  };
}

/** Windows that fit up to `most` and run partly on the processor beyond. */
function fitsUpTo(most: number, windows = [8_192, 16_384, 24_576, 32_768, 65_536, 131_072]): Fit[] {
  return windows.map((contextTokens) => ({
    model: 'qwen3:8b',
    contextTokens,
    weightsBytes: 5 * gib,
    cacheBytes: contextTokens * 2 ** 16,
    bufferBytes: 0,
    overheadBytes: 0,
    totalBytes: 5 * gib + contextTokens * 2 ** 16,
    freeBytes: 10 * gib,
    verdict: contextTokens <= most ? 'fits' : 'spills',
    basis: 'formula',
  }));
}

const profile = aProfile({ contextTokens: 16_384, calls: 'auto' });

const windowOf = (exam: ExamResult, fits: readonly Fit[]) => {
  const advice = examAdvice(exam, profile, fits).find(({ kind }) => kind === 'window');
  return advice?.kind === 'window' ? advice : null;
};

const wayOf = (exam: Partial<ExamResult>, calls = profile.calls) =>
  examAdvice(anExam(exam), { ...profile, calls }, [])[0];

describe('the window that follows from an exam', () => {
  it('is the largest that fits, with what it leaves and how long a full one is read', () => {
    expect(windowOf(anExam(), fitsUpTo(32_768))).toMatchObject({
      before: 16_384,
      tokens: 32_768,
      leavesBytes: 3 * gib,
      readMs: 40_960,
      spills: false,
    });
  });

  it('is no larger than what this GPU reads in two minutes', () => {
    expect(windowOf(anExam({ readsPerSecond: 1_000 }), fitsUpTo(131_072))?.tokens).toBe(65_536);
    expect(windowOf(anExam({ readsPerSecond: 150 }), fitsUpTo(131_072))).toBeNull();
  });

  it('does not grow where nobody knows how fast it reads', () => {
    expect(windowOf(anExam({ readsPerSecond: null }), fitsUpTo(131_072))).toBeNull();
  });

  it('shrinks to what fits where the one in force would run partly on the processor', () => {
    const advice = windowOf(anExam({ readsPerSecond: null }), fitsUpTo(8_192));
    expect(advice).toMatchObject({ tokens: 8_192, spills: true });
  });

  it('is left alone where nothing fits, a little more is all there is, or the engine has not said', () => {
    expect(windowOf(anExam(), fitsUpTo(0))).toBeNull();
    expect(windowOf(anExam(), fitsUpTo(20_480, [16_384, 20_480]))).toBeNull();
    expect(windowOf(anExam(), [])).toBeNull();
    const barely = fitsUpTo(32_768).map((fit): Fit => ({ ...fit, verdict: 'tight' }));
    expect(windowOf(anExam(), barely)).toBeNull();
  });
});

describe('the way to call that follows from an exam', () => {
  it('is the one that was clearly better than what is in force', () => {
    expect(wayOf({ native: score(7) })).toMatchObject({ kind: 'calls', before: 'auto', way: 'constrained' });
    expect(wayOf({ constrained: score(5) }, 'constrained')).toMatchObject({ way: 'native' });
    expect(wayOf({ constrained: score(5), byItself: 'constrained' })).toMatchObject({ way: 'native' });
  });

  it('is not spoken of where it is in force already', () => {
    expect(wayOf({ native: score(7) }, 'constrained')).toBeUndefined();
    expect(wayOf({ native: score(7), byItself: 'constrained' })).toBeUndefined();
  });

  it('is not told from a difference that chance makes, nor from few questions, nor from one way alone', () => {
    expect(wayOf({ native: score(10) })).toBeUndefined();
    expect(wayOf({ native: score(1, 5), constrained: score(5, 5) })).toBeUndefined();
    expect(wayOf({ native: null })).toBeUndefined();
  });

  it('is not told where an older exam did not say what Andiron does by itself', () => {
    const { byItself: _, ...older } = anExam({ native: score(7) });
    expect(examAdvice(older, profile, [])).toEqual([]);
  });
});
