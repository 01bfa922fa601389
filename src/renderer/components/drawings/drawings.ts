/** Formulas and diagrams, drawn by threads of their own, once each: what scrolls back into view is there at once. */
import { createContext } from 'react';
import type { StartWorker } from '../page-worker.ts';
import { createTaskPool, type After, type RunTask } from '../task-pool.ts';
import diagramWorker from './diagram-worker.ts?worker&url';
import { countNodes, type DrawnTree } from './drawn-tree.ts';
import mathWorker from './math-worker.ts?worker&url';
import type { Formula } from './typeset-math.ts';

export type Drawing = { kind: 'math'; tex: string; display: boolean } | { kind: 'diagram'; source: string };

export interface Drawings {
  /** undefined = it was not drawn before; null = it cannot be. */
  known(drawing: Drawing): DrawnTree | null | undefined;
  /** Answers in a moment when the page has nothing better to do. null = it is shown as its source. */
  draw(drawing: Drawing): Promise<DrawnTree | null>;
}

/** Null in tests and before the app is up: what would be drawn is then shown as its source. */
export const DrawingsContext = createContext<Drawings | null>(null);

export interface DrawingWorkers {
  math: RunTask<Formula, DrawnTree | null>;
  diagram: RunTask<string, DrawnTree | null>;
}

/** Drawings are kept up to so many elements in all; the longest unused go first. */
const maxKept = 40_000;
/** A source is kept with its drawing. */
const charactersPerElement = 50;

export function createDrawings(workers: DrawingWorkers, whenIdle: (callback: () => void) => void): Drawings {
  const kept = new Map<string, DrawnTree | null>();
  const asked = new Map<string, Promise<DrawnTree | null>>();
  let size = 0;

  const keep = (key: string, tree: DrawnTree | null): void => {
    kept.set(key, tree);
    size += sizeOf(key, tree);
    for (const [oldest, drawn] of kept) {
      if (size <= maxKept || oldest === key) break;
      kept.delete(oldest);
      size -= sizeOf(oldest, drawn);
    }
  };

  const ask = async (drawing: Drawing): Promise<DrawnTree | null> => {
    const tree = await (drawing.kind === 'math' ? workers.math(drawing) : workers.diagram(drawing.source));
    await new Promise<void>(whenIdle);
    return tree;
  };

  return {
    known(drawing) {
      const key = keyOf(drawing);
      const tree = kept.get(key);
      if (tree === undefined) return undefined;
      // The last one used is the last one to go.
      kept.delete(key);
      kept.set(key, tree);
      return tree;
    },
    async draw(drawing) {
      const key = keyOf(drawing);
      const before = kept.get(key);
      if (before !== undefined) return before;
      const running = asked.get(key) ?? ask(drawing);
      asked.set(key, running);
      const tree = await running;
      if (asked.delete(key)) keep(key, tree);
      return tree;
    },
  };
}

const sizeOf = (key: string, tree: DrawnTree | null): number =>
  Math.ceil(key.length / charactersPerElement) + (tree ? countNodes(tree) : 0);

function keyOf(drawing: Drawing): string {
  if (drawing.kind === 'diagram') return `diagram\n${drawing.source}`;
  return `${drawing.display ? 'block' : 'line'}\n${drawing.tex}`;
}

/** A formula takes a few milliseconds, a diagram a few hundred. Each thread is ended after so long and begun anew. */
const maxMathMs = 1_000;
const maxDiagramMs = 4_000;

/** With workers of the page, and its idle time. */
export function pageDrawings(page: Window, startWorker: StartWorker): Drawings {
  const after: After = (ms, callback) => {
    const timer = page.setTimeout(callback, ms);
    return () => page.clearTimeout(timer);
  };
  const workers = {
    math: createTaskPool<Formula, DrawnTree | null>(() => startWorker(mathWorker, 'math'), after, maxMathMs),
    diagram: createTaskPool<string, DrawnTree | null>(
      () => startWorker(diagramWorker, 'diagrams'),
      after,
      maxDiagramMs,
    ),
  };
  return createDrawings(workers, (callback) => page.requestIdleCallback(() => callback(), { timeout: 500 }));
}
