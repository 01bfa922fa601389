/** What follows from an exam for a profile: a window that fits this GPU, and the way to call that was clearly better. Pure. */
import type { ExamResult, ExamScore, Fit, Profile } from '../../protocol/model.ts';

export type ExamAdvice = WindowAdvice | CallsAdvice;

interface WindowAdvice {
  kind: 'window';
  before: number;
  tokens: number;
  /** What stays free of VRAM beside it; null = unknown. */
  leavesBytes: number | null;
  /** As long as it takes to read it full; null = unknown. */
  readMs: number | null;
  /** The one before does not fit wholly. */
  spills: boolean;
}

interface CallsAdvice {
  kind: 'calls';
  before: Profile['calls'];
  way: 'native' | 'constrained';
  better: ExamScore;
  other: ExamScore;
}

/** After a load all of the prompt is read anew: longer than this nobody would wait for it. */
const maxReadMs = 120_000;
/** A little more room is not worth loading again. */
const worthwhile = 1.5;
/** Questions that one way has to be better by: fewer are chance. */
const clearly = 3;
const telling = 6;

/** @param fits of the windows that may be chosen, the one in force among them, as the engine reckons now. */
export function examAdvice(result: ExamResult, profile: Profile, fits: readonly Fit[]): ExamAdvice[] {
  return [windowAdvice(result, profile, fits), callsAdvice(result, profile)].filter((each) => each !== null);
}

function windowAdvice(
  { readsPerSecond }: ExamResult,
  { contextTokens: before }: Profile,
  fits: readonly Fit[],
): WindowAdvice | null {
  const verdict = fits.find(({ contextTokens }) => contextTokens === before)?.verdict;
  const spills = verdict === 'spills' || verdict === 'too_big';
  if (!spills && verdict !== 'fits') return null;
  const readMs = (tokens: number): number | null =>
    readsPerSecond === null ? null : (tokens / readsPerSecond) * 1_000;
  const wanted = ({ contextTokens: tokens }: Fit): boolean =>
    spills ? tokens < before : tokens >= before * worthwhile && (readMs(tokens) ?? Infinity) <= maxReadMs;
  const best = fits
    .filter((fit) => fit.verdict === 'fits' && wanted(fit))
    .toSorted((a, b) => b.contextTokens - a.contextTokens)[0];
  if (!best) return null;
  const { contextTokens: tokens, totalBytes, freeBytes } = best;
  return {
    kind: 'window',
    before,
    tokens,
    leavesBytes: freeBytes === null ? null : freeBytes - totalBytes,
    readMs: readMs(tokens),
    spills,
  };
}

function callsAdvice({ native, constrained, byItself }: ExamResult, { calls }: Profile): CallsAdvice | null {
  if (!native || !constrained || Math.min(native.asked, constrained.asked) < telling) return null;
  const scores = { native, constrained };
  const way = share(native) >= share(constrained) ? 'native' : 'constrained';
  const better = scores[way];
  const other = scores[way === 'native' ? 'constrained' : 'native'];
  const ahead = (share(better) - share(other)) * Math.min(better.asked, other.asked);
  const inForce = calls === 'auto' ? byItself : calls;
  if (inForce === undefined || inForce === way || ahead < clearly) return null;
  return { kind: 'calls', before: calls, way, better, other };
}

const share = ({ valid, asked }: ExamScore): number => valid / asked;
