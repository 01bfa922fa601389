interface FormulaSourceProps {
  raw: string;
  /** It is about to be drawn. */
  waits?: boolean;
}

/** Mathematics as it was written. */
export function FormulaSource({ raw, waits = false }: FormulaSourceProps) {
  return (
    <span className="formula-source" dir="ltr" aria-busy={waits || undefined}>
      {raw}
    </span>
  );
}
