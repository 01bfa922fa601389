/** Mermaid as a tree of SVG. In a worker: laying out a large graph takes its time, and may take too much of it. */
import { renderMermaidSVG } from 'beautiful-mermaid';
import { drawableSource, type DrawableSource } from './diagram-source.ts';
import { isWithin, type DrawnTree } from './drawn-tree.ts';
import { shown } from './label-signs.ts';
import { readSvg } from './read-svg.ts';

/** Larger ones are shown as their source: nobody reads such a picture either. */
const maxLength = 20_000;
const bounds = { maxNodes: 4_000, maxDepth: 40 };
const look = { transparent: true, padding: 8, layerSpacing: 32 };

/** null = it is none of the kinds that are drawn, it has a mistake, or it is too large. */
export function drawDiagram(source: string): DrawnTree | null {
  if (source.length > maxLength) return null;
  try {
    const drawable = drawableSource(source);
    const tree = drawable && readSvg(renderMermaidSVG(drawable.text, look));
    return tree && isWithin(tree, bounds) && isWhole(tree, drawable) ? shown(tree) : null;
  } catch {
    // Whatever the library trips over, the source is shown.
    return null;
  }
}

/** Nothing was passed over, and nothing came to it. */
function isWhole(tree: DrawnTree, { boxes, arrows, groups }: DrawableSource): boolean {
  if (boxes === undefined) return true;
  return (
    countOf(tree, 'node') === boxes &&
    countOf(tree, 'edge') === arrows &&
    countOf(tree, 'subgraph') === groups
  );
}

const countOf = ({ attributes, children }: DrawnTree, name: string): number =>
  children.reduce(
    (sum, child) => sum + (typeof child === 'string' ? 0 : countOf(child, name)),
    attributes['class'] === name ? 1 : 0,
  );
