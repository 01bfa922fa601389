import { useMemo } from 'react';
import { prose } from '../../text.ts';
import { keyboardScrollable } from '../scroll-region.tsx';
import { drawAllowed, mathMarkup } from './allowed-markup.ts';
import { FormulaSource } from './formula-source.tsx';
import { useDrawing } from './use-drawing.ts';
import styles from './formula.module.css';

export interface FormulaProps {
  /** As it was written, with its signs. */
  raw: string;
  tex: string;
  display: boolean;
}

/** Formulas with a longer source may be wider than the column. */
const maxNarrow = 48;

/** Mathematics as it is read; its source until it is drawn, where it cannot be, and for whoever copies it. */
export function Formula({ raw, tex, display }: FormulaProps) {
  const tree = useDrawing({ kind: 'math', tex, display });
  const drawn = useMemo(() => tree && drawAllowed(tree, mathMarkup), [tree]);
  if (!drawn) return <FormulaSource raw={raw} waits={tree === undefined} />;
  const inside = (
    <>
      <span className={styles.copiedSource} aria-hidden="true">
        {raw}
      </span>
      {drawn}
    </>
  );
  const mayBeWide = display && raw.length > maxNarrow;
  return (
    <span
      className={display ? `${styles.formula} ${styles.apart}` : styles.formula}
      dir="ltr"
      {...(mayBeWide && { ...keyboardScrollable, role: 'group', 'aria-label': prose.formula })}
    >
      {inside}
    </span>
  );
}
