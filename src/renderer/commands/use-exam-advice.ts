import { useState } from 'react';
import type { ExamResult, Profile } from '../../protocol/model.ts';
import { examAdvice, type ExamAdvice } from '../stores/exam-advice.ts';
import { changePrice, type Price } from '../../rules/price.ts';
import { useEngine } from '../stores/stores.ts';
import { usePricing } from '../stores/use-pricing.ts';
import { windowSteps } from '../stores/windows.ts';
import { useCommands, type Commands } from './commands.ts';
import { useAnswer } from './use-answer.ts';
import { usePrice } from './use-prices.ts';
import { exam } from '../text.ts';

interface Advised {
  id: ExamAdvice['kind'];
  why: string;
  /** On its button. */
  action: string;
  /** The one that it changes. */
  profile: Pick<Profile, 'name' | 'builtIn'>;
  price: Price;
  onTake: () => void;
}

interface Taken {
  id: ExamAdvice['kind'];
  done: string;
  onUndo: () => void;
}

interface Take {
  advice: ExamAdvice;
  profileId: string;
  /** The first of them made a copy of a built-in profile. */
  copied: boolean;
}

const free: Price = { load: null, reread: null, unread: true };

/** What follows from the exam for the profile in use, and what of it was taken here. Nothing is changed without a press. */
export function useExamAdvice(model: string, result: ExamResult | null): { open: Advised[]; taken: Taken[] } {
  const { run } = useCommands();
  const pricing = usePricing();
  const { profile } = pricing.target;
  const [takes, setTakes] = useState<readonly Take[]>([]);
  const trained = useEngine(
    ({ engine }) => engine?.models.find(({ name }) => name === model)?.trainedContext ?? null,
  );
  const windows = profile ? windowSteps(trained, profile.contextTokens) : [];
  const key = result && profile ? `advice:${model}:${windows.join()}:${result.at}` : null;
  const { value: fits } = useAnswer(key, (ask) => ask.fits(model, windows));
  const advices = result && profile ? examAdvice(result, profile, fits ?? []) : [];
  const window = advices.find(({ kind }) => kind === 'window');
  const widened = profile && window && after(profile, window);
  const price = usePrice(
    widened ? changePrice(pricing, profile, widened) : free,
    widened?.contextTokens ?? 0,
  );
  if (!profile) return { open: [], taken: [] };
  const forget = (take: Take): void => setTakes((all) => all.filter((each) => each !== take));
  // Noted before the profile says so: its way back then comes at once in place of the button that was pressed.
  const take = async (advice: ExamAdvice): Promise<void> => {
    const ofCopy = takes.some((each) => each.profileId === profile.id && each.copied);
    const next = { advice, profileId: profile.id, copied: profile.builtIn || ofCopy };
    setTakes((all) => [...all.filter((each) => each.advice.kind !== advice.kind), next]);
    if (!(await apply(next, 'after', run))) forget(next);
  };
  const revert = async (take: Take): Promise<void> => {
    if (await apply(take, 'before', run)) forget(take);
  };
  return {
    open: advices.map((advice) => ({
      id: advice.kind,
      why: whyWords(advice),
      action: takeWords(advice),
      profile,
      price: advice.kind === 'window' ? price : changePrice(pricing, profile, after(profile, advice)),
      onTake: () => void take(advice),
    })),
    // What was changed again elsewhere is not taken back from here.
    taken: takes
      .filter(({ advice, profileId }) => profileId === profile.id && holds(profile, advice))
      .map((each) => ({
        id: each.advice.kind,
        done: doneWords(each.advice, profile.name),
        onUndo: () => void revert(each),
      })),
  };
}

const holds = (profile: Profile, advice: ExamAdvice): boolean =>
  advice.kind === 'window' ? profile.contextTokens === advice.tokens : profile.calls === advice.way;

const after = (profile: Profile, advice: ExamAdvice): Profile =>
  advice.kind === 'window' ? { ...profile, contextTokens: advice.tokens } : { ...profile, calls: advice.way };

function apply(
  { advice, profileId, copied }: Take,
  to: 'before' | 'after',
  run: Commands['run'],
): Promise<boolean> {
  const which = { profileId, takesBack: to === 'before' && copied };
  if (advice.kind === 'window') {
    const contextTokens = to === 'after' ? advice.tokens : advice.before;
    return run('profile/set-window', { ...which, contextTokens });
  }
  return run('profile/set-calls', { ...which, calls: to === 'after' ? advice.way : advice.before });
}

/** What follows from an exam, in words. */
const text = exam.advice;

function whyWords(advice: ExamAdvice): string {
  if (advice.kind === 'window') {
    const { before, tokens, leavesBytes, readMs, spills } = advice;
    return spills ? text.spills(before, tokens) : text.fits(before, tokens, leavesBytes, readMs);
  }
  const { way, better, other } = advice;
  return text.better(
    exam.correct(better.valid, better.asked, exam.ways[way]),
    exam.other(exam.ways[way === 'native' ? 'constrained' : 'native'], other.valid, other.asked),
  );
}

/** On its button. */
const takeWords = (advice: ExamAdvice): string =>
  advice.kind === 'window' ? text.window(advice.tokens) : text.calls[advice.way];

const doneWords = (advice: ExamAdvice, profile: string): string =>
  advice.kind === 'window'
    ? text.windowDone(profile, advice.tokens)
    : text.callsDone(profile, exam.ways[advice.way]);
