import type { ReactNode } from 'react';
import { Bar } from './bar.tsx';
import { Mark } from './state-mark.tsx';
import styles from './download.module.css';
import bars from './bar.module.css';

interface DownloadProps {
  title: string;
  /** What it does now, in a few words. */
  phase: string;
  /** Figures at the right of the phase. */
  facts: string[];
  done: number;
  /** null = unknown; then there is no bar, because nothing true could be drawn. */
  total: number | null;
  /** Only while it moves; one that rests is drawn in grey. */
  active: boolean;
  /** Of the bar, for who cannot see it. */
  label: string;
  problem: { message: string; advice: string } | null;
  /** Buttons. */
  children?: ReactNode;
}

/** Something that is being fetched: how far it is, what went wrong, what can be done. */
export function Download(props: DownloadProps) {
  const { title, phase, facts, done, total, active, label, problem, children } = props;
  return (
    <div className={styles.download}>
      <div className={styles.downloadHead}>
        <span className="min-0">
          <span className="medium cut block">{title}</span>
        </span>
        <span className={styles.downloadActs}>{children}</span>
      </div>
      {total !== null && total > 0 && (
        <Bar
          tall
          total={total}
          label={label}
          parts={[{ key: 'done', look: active ? bars.run : bars.other, value: done }]}
        />
      )}
      <p className={`${styles.downloadFacts} num`}>
        <span>{phase}</span>
        <span className="grow" />
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      {problem && (
        <p className="with-mark">
          <Mark icon="failed" tone="fail" />
          <span>
            {problem.message} <span className="t2">{problem.advice}</span>
          </span>
        </p>
      )}
    </div>
  );
}

/** Milliseconds until the rest is here at this speed; null = it cannot be told. */
export function timeLeft(done: number, total: number | null, perSecond: number | null): number | null {
  if (total === null || perSecond === null || perSecond <= 0) return null;
  return (Math.max(0, total - done) / perSecond) * 1000;
}
