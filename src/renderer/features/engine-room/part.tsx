import type { ReactNode } from 'react';
import styles from './panels.module.css';

/** One part of the panel under its name; `meta` stands at the right of it. */
export function Part({ title, meta, children }: { title: string; meta?: ReactNode; children?: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h3>
        {title}
        {meta !== undefined && <span className="meta num">{meta}</span>}
      </h3>
      {children}
    </section>
  );
}
