import type { ReactNode } from 'react';
import styles from './settings.module.css';

interface RowProps {
  label: string;
  /** In a list of pairs: takes a line of its own. Such rows come last. */
  wide?: boolean;
  children: ReactNode;
}

/** A name and what stands for it, in a list of such rows. */
export function Row({ label, wide = false, children }: RowProps) {
  return (
    <div className={wide ? styles.wideRow : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
