/** The exam of a model: offered with its duration, how far it is, what it found. */
import type { ReactNode } from 'react';
import type { ExamProgress, ExamResult, ExamScore } from '../../protocol/model.ts';
import { exam as text } from '../text.ts';
import { ProgressBar } from './bar.tsx';
import { Button } from './button.tsx';
import { ExamAdvice, type ExamAdviceProps } from './exam-advice-list.tsx';
import { Mark } from './state-mark.tsx';
import styles from './exam.module.css';

interface ExamViewProps {
  /** The one that runs on this model; null = none does. */
  progress: ExamProgress | null;
  /** What the last one found; null = there was none. */
  result: ExamResult | null;
  /** null = not answered yet. */
  price: { questions: number; expectedMs: number | null; limitMs: number } | null;
  /** Another model has one now, or there is nobody to take it. */
  mayBegin: boolean;
  onBegin: () => void;
  onCancel: () => void;
  /** What follows from what it found. */
  advice: ExamAdviceProps;
  /** As the date is written here. */
  when: (at: number) => string;
}

export function ExamView(props: ExamViewProps) {
  const { progress, result, price, mayBegin, onBegin, onCancel, advice, when } = props;
  if (progress && progress.phase !== 'failed') return <ExamRunning progress={progress} onCancel={onCancel} />;
  return (
    <div className={styles.exam}>
      {result && <Findings result={result} />}
      <ExamAdvice {...advice} />
      <ExamProblem progress={progress} />
      <div className={styles.offer}>
        <p className={result ? 'meta num' : undefined}>
          {result ? text.facts.taken : text.none} {result && <span>{takenWords(result, when)}</span>}
          <span className="meta num block">{examPrice(price)}</span>
        </p>
        <Button small aria-disabled={!mayBegin} onClick={mayBegin ? onBegin : undefined}>
          {result ? text.again : text.begin}
        </Button>
      </div>
    </div>
  );
}

/** What one would cost; the engine may not have said yet. */
export function examPrice(price: ExamViewProps['price']): string {
  return price ? text.price(price.questions, price.expectedMs, price.limitMs) : text.pricing;
}

function takenWords({ at, gpu, tookMs, complete }: ExamResult, when: (at: number) => string): string {
  const taken = text.takenAt(when(at), gpu, tookMs);
  return complete ? taken : `${taken}. ${text.cutShort}`;
}

/** Why the last one came to nothing. */
export function ExamProblem({ progress }: { progress: ExamProgress | null }) {
  if (!progress?.problem) return null;
  const { message, advice } = progress.problem;
  return (
    <p className="with-mark" role="alert">
      <Mark icon="failed" tone="fail" />
      <span>
        {text.phases.failed}. {message} <span className="t2">{advice}</span>
      </span>
    </p>
  );
}

export function ExamRunning({ progress, onCancel }: { progress: ExamProgress; onCancel: () => void }) {
  const { model, phase, asked, total } = progress;
  return (
    <div className={styles.exam}>
      <p className={`${styles.phase} num`}>
        <span aria-live="polite">{text.phases[phase]}</span>
        <span className="grow" />
        <span>{text.progress(asked, total)}</span>
        <Button small onClick={onCancel}>
          {text.cancel}
        </Button>
      </p>
      <ProgressBar ratio={asked / total} label={text.progressLabel(model)} />
    </div>
  );
}

function Findings({ result }: { result: ExamResult }) {
  const { readsPerSecond, writesPerSecond, largestWindow: maxWindow, contextTokens } = result;
  const speeds = [
    readsPerSecond !== null && text.reads(readsPerSecond),
    writesPerSecond !== null && text.writes(writesPerSecond),
  ].filter((speed) => speed !== false);
  return (
    <dl className={`${styles.facts} num`}>
      <Fact label={text.facts.calls}>
        <ExamCalls result={result} />
      </Fact>
      <Fact label={text.facts.speed}>{speeds.length > 0 ? speeds.join(', ') : text.unknown}</Fact>
      <Fact label={text.facts.window}>
        {maxWindow === null ? text.unknown : text.largest(maxWindow, contextTokens)}
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

type Way = 'native' | 'constrained';

/** The better way to call first: Andiron finds it by itself. */
export function ExamCalls({ result }: { result: ExamResult }) {
  const [best, other] = ranked(result);
  if (!best) return text.unknown;
  const { way, score } = best;
  // One right answer proves nothing.
  const good = score.asked >= telling && score.valid / score.asked >= wellEnough;
  return (
    <>
      <span className="with-mark">
        <Mark icon={good ? 'done' : 'alert'} tone={good ? 'ok' : 'warn'} />
        <span>
          {text.correct(score.valid, score.asked, text.ways[way])}
          {score.mended > 0 && `, ${text.mended(score.mended)}`}
        </span>
      </span>
      {other && (
        <span className="meta">{text.other(text.ways[other.way], other.score.valid, other.score.asked)}</span>
      )}
    </>
  );
}

const wellEnough = 0.75;
const telling = 6;

/** Ways that were asked, the better one first. */
function ranked({ native, constrained }: ExamResult): { way: Way; score: ExamScore }[] {
  const all: { way: Way; score: ExamScore | null }[] = [
    { way: 'native', score: native },
    { way: 'constrained', score: constrained },
  ];
  return all
    .flatMap(({ way, score }) => (score ? [{ way, score }] : []))
    .toSorted((a, b) => b.score.valid / b.score.asked - a.score.valid / a.score.asked);
}

/** A line for a list of models; null = nothing was found that could be said so shortly. */
export function examBadge(result: ExamResult): string | null {
  const [best] = ranked(result);
  return best ? text.badge(best.score.valid, best.score.asked, result.writesPerSecond) : null;
}
