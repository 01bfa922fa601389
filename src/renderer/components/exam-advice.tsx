/** What follows from an exam: each thing with its button, why, and its price; and what was taken, with the way back. */
import { exam } from '../text.ts';
import { Button } from './button.tsx';
import { priceSentence, type Told } from './price-words.ts';
import { Mark } from './state-mark.tsx';

const text = exam.advice;

interface Score {
  valid: number;
  asked: number;
}

/** The shape that the stores work out. */
type Advice =
  | {
      kind: 'window';
      before: number;
      tokens: number;
      leavesBytes: number | null;
      readMs: number | null;
      spills: boolean;
    }
  | { kind: 'calls'; before: string; way: 'native' | 'constrained'; better: Score; other: Score };

export interface ExamAdviceProps {
  open: {
    advice: Advice;
    profile: { name: string; builtIn: boolean };
    price: Told;
    onTake: () => void;
  }[];
  taken: { advice: Advice; profile: { name: string }; onUndo: () => void }[];
}

export function ExamAdvice({ open, taken }: ExamAdviceProps) {
  if (open.length + taken.length === 0) return null;
  return (
    <ul className="exam-advice num" aria-label={text.label}>
      {open.map(({ advice, profile, price, onTake }) => (
        <li key={advice.kind}>
          <Button small onClick={onTake}>
            {advice.kind === 'window' ? text.window(advice.tokens) : text.calls[advice.way]}
          </Button>
          <p className="meta">
            {whyWords(advice)} {text.changes(profile.name)} {profile.builtIn && text.builtIn}{' '}
            {priceSentence(price)}
          </p>
        </li>
      ))}
      {taken.map(({ advice, profile, onUndo }) => (
        <li key={advice.kind} className="exam-taken">
          <span className="with-mark">
            <Mark icon="done" tone="ok" />
            <span>{doneWords(advice, profile.name)}</span>
          </span>
          <Button
            small
            kind="quiet"
            icon="undo"
            aria-description={doneWords(advice, profile.name)}
            onClick={onUndo}
          >
            {text.undo}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function whyWords(advice: Advice): string {
  if (advice.kind === 'window') {
    const { before, leavesBytes, readMs, spills } = advice;
    return spills ? text.spills(before) : text.fits(before, leavesBytes, readMs);
  }
  const { way, better, other } = advice;
  return text.better(
    exam.correct(better.valid, better.asked),
    exam.other(exam.ways[way === 'native' ? 'constrained' : 'native'], other.valid, other.asked),
  );
}

const doneWords = (advice: Advice, profile: string): string =>
  advice.kind === 'window'
    ? text.windowDone(profile, advice.tokens)
    : text.callsDone(profile, exam.ways[advice.way]);
