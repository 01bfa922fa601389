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
  const [first] = open;
  return (
    <div className="exam-advice num">
      <ul aria-label={text.label}>
        {open.map(({ advice, price, onTake }) => (
          <li key={advice.kind}>
            <p>{whyWords(advice)}</p>
            <div className="exam-acts">
              <Button small onClick={onTake}>
                {advice.kind === 'window' ? text.window(advice.tokens) : text.calls[advice.way]}
              </Button>
              <span className="meta">{priceSentence(price)}</span>
            </div>
          </li>
        ))}
        {taken.map(({ advice, profile, onUndo }) => {
          const done = doneWords(advice, profile.name);
          return (
            <li key={advice.kind} className="exam-taken">
              <span className="with-mark">
                <Mark icon="done" tone="ok" />
                <span>{done}</span>
              </span>
              <Button small kind="quiet" icon="undo" aria-description={done} onClick={onUndo}>
                {text.undo}
              </Button>
            </li>
          );
        })}
      </ul>
      {first && <p className="meta">{text.changes(first.profile.name, first.profile.builtIn)}</p>}
    </div>
  );
}

function whyWords(advice: Advice): string {
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

const doneWords = (advice: Advice, profile: string): string =>
  advice.kind === 'window'
    ? text.windowDone(profile, advice.tokens)
    : text.callsDone(profile, exam.ways[advice.way]);
