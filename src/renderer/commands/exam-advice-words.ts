/** What follows from an exam, in words. */
import type { ExamAdvice } from '../stores/exam-advice.ts';
import { exam } from '../text.ts';

const text = exam.advice;

export function whyWords(advice: ExamAdvice): string {
  if (advice.kind === 'window') {
    const { before, tokens, leavesBytes, readMs, spills } = advice;
    return spills ? text.spills(before, tokens) : text.fits(before, tokens, leavesBytes, readMs);
  }
  const { way, better, other } = advice;
  return text.better(
    `${exam.correct(better.valid, better.asked)} ${exam.ways[way]}`,
    exam.other(exam.ways[way === 'native' ? 'constrained' : 'native'], other.valid, other.asked),
  );
}

/** On its button. */
export const takeWords = (advice: ExamAdvice): string =>
  advice.kind === 'window' ? text.window(advice.tokens) : text.calls[advice.way];

export const doneWords = (advice: ExamAdvice, profile: string): string =>
  advice.kind === 'window'
    ? text.windowDone(profile, advice.tokens)
    : text.callsDone(profile, exam.ways[advice.way]);
