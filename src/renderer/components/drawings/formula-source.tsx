import styles from './formula-source.module.css';

interface FormulaSourceProps {
  raw: string;
  /** It is about to be drawn. */
  waits?: boolean;
}

/** Mathematics as it was written. */
export function FormulaSource({ raw, waits = false }: FormulaSourceProps) {
  return (
    <span className={styles.source} dir="ltr" aria-busy={waits || undefined}>
      {raw}
    </span>
  );
}
