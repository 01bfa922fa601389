import { useId, useMemo } from 'react';
import { prose } from '../../text.ts';
import { Button } from '../button.tsx';
import { CopyButton } from '../code/code-block.tsx';
import { CodeText } from '../code/code-text.tsx';
import { useWrapped } from '../code/wrapped.tsx';
import { ScrollRegion, ScrollText } from '../scroll-region.tsx';
import { diagramMarkup, drawAllowed } from './allowed-markup.ts';
import type { DrawnTree } from './drawn-tree.ts';
import { useDrawing } from './use-drawing.ts';
import styles from './diagram.module.css';

/** Its parts are drawn, and heard as one. */
const picture = { role: 'img' };

/** A diagram and its source, one at a time; the source alone where it cannot be drawn. */
export function Diagram({ source }: { source: string }) {
  const tree = useDrawing({ kind: 'diagram', source });
  const id = useId();
  const drawn = useMemo(() => tree && drawAllowed(tree, diagramMarkup, `${id}-`), [tree, id]);
  const [showsSource, toggleSource] = useWrapped('diagram');
  return (
    <figure className="codebox" dir="ltr" aria-busy={tree === undefined || undefined}>
      <header>
        <span className="meta grow">{prose.diagram}</span>
        {drawn && (
          <Button kind="quiet" small onClick={toggleSource}>
            {showsSource ? prose.showDiagram : prose.showSource}
          </Button>
        )}
        <CopyButton text={source} />
      </header>
      {tree && drawn && !showsSource ? (
        <ScrollRegion className={styles.diagram} label={prose.diagram}>
          <div
            {...picture}
            aria-label={prose.diagramOf(wordsOf(tree))}
            style={{ minWidth: minWidthOf(tree) }}
          >
            {drawn}
          </div>
        </ScrollRegion>
      ) : (
        <ScrollText className="code" label={prose.diagramSource}>
          <CodeText code={source} language={null} />
        </ScrollText>
      )}
      {tree === null && <p className={`meta ${styles.diagramNote}`}>{prose.noDiagram}</p>}
    </figure>
  );
}

/** Smaller its words could not be read: then it scrolls. */
const minScale = 0.8;

function minWidthOf({ attributes }: DrawnTree): number {
  const width = Number(attributes['width']);
  return Number.isFinite(width) ? Math.ceil(width * minScale) : 0;
}

const maxWords = 300;

/** What is written in it, in the order of the source. */
function wordsOf(tree: DrawnTree): string {
  const found: string[] = [];
  const look = ({ tag, children }: DrawnTree): void => {
    const words = children
      .filter((child) => typeof child === 'string')
      .join(' ')
      .trim();
    if (words !== '' && (tag === 'text' || tag === 'tspan')) found.push(words);
    for (const child of children) if (typeof child !== 'string') look(child);
  };
  look(tree);
  const all = found.join(', ');
  return all.length > maxWords ? `${all.slice(0, maxWords - 1)}…` : all;
}
