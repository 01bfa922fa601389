/** The frame that every question has, whoever asks: its title in the colour of waiting, and what is asked below it. */
import type { ReactNode, RefObject } from 'react';
import { Mark } from '../../components/state-mark.tsx';
import styles from './approval.module.css';

interface AskCardProps {
  /** It takes the keyboard. */
  ref: RefObject<HTMLElement | null>;
  label: string;
  title: ReactNode;
  /** Behind the title, quieter. */
  about?: ReactNode;
  children: ReactNode;
}

export function AskCard({ ref, label, title, about, children }: AskCardProps) {
  return (
    <section ref={ref} className={styles.approval} aria-label={label} data-asks="" tabIndex={-1}>
      <header>
        <Mark icon="wait" tone="wait" />
        <h2 className="strong">{title}</h2>
        {about !== undefined && <span className="meta num">{about}</span>}
      </header>
      <div className={styles.words}>{children}</div>
    </section>
  );
}

/** A text around a name, which stands elsewhere in each language. */
export function Around({ words, children }: { words: readonly string[]; children: ReactNode }) {
  return (
    <span>
      {words[0]}
      <span className="mono">{children}</span>
      {words[1]}
    </span>
  );
}
