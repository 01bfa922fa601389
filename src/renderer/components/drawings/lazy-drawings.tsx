/** Formulas and diagrams in a page that has not needed any before: what draws them is fetched with the first one. */
import { lazy, Suspense, type ComponentType, type LazyExoticComponent } from 'react';
import { CodeBlock } from '../code/code-block.tsx';
import type { FormulaProps } from './formula.tsx';
import { FormulaSource } from './formula-source.tsx';

/** Where it cannot be fetched, the source stays. */
function fetched<Props extends object>(
  fetchView: () => Promise<ComponentType<Props>>,
  instead: ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    fetchView().then(
      (view) => ({ default: view }),
      () => ({ default: instead }),
    ),
  );
}

const DrawnFormula = fetched<FormulaProps>(
  async () => (await import('./formula.tsx')).Formula,
  ({ raw }) => <FormulaSource raw={raw} />,
);

const DiagramSource = ({ source }: { source: string }) => (
  <CodeBlock code={source} language="mermaid" growing={false} />
);

const DrawnDiagram = fetched<{ source: string }>(
  async () => (await import('./diagram.tsx')).Diagram,
  DiagramSource,
);

/** Another source is another element: nothing of the last one is shown meanwhile. */
export function LazyFormula(props: FormulaProps) {
  return (
    <Suspense fallback={<FormulaSource raw={props.raw} waits />}>
      <DrawnFormula key={props.raw} {...props} />
    </Suspense>
  );
}

export function LazyDiagram({ source }: { source: string }) {
  return (
    <Suspense fallback={<DiagramSource source={source} />}>
      <DrawnDiagram key={source} source={source} />
    </Suspense>
  );
}
