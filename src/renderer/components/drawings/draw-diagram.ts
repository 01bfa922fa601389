/** Mermaid as a tree of SVG. In a worker: laying out a large graph takes its time, and may take too much of it. */
import { renderMermaidSVG } from 'beautiful-mermaid';
import { isWithin, type DrawnTree } from './drawn-tree.ts';
import { readSvg } from './read-svg.ts';

/** Larger ones are shown as their source: nobody reads such a picture either. */
const maxLength = 20_000;
const bounds = { maxNodes: 4_000, maxDepth: 40 };
const look = { transparent: true, padding: 8, layerSpacing: 32 };

/** Colours of a text fit one theme at best; those of the page fit both. */
const coloured = /^\s*(?:style|linkStyle|classDef)\s.*$/gm;

/** null = it is none of the kinds that are drawn, it has a mistake, or it is too large. */
export function drawDiagram(source: string): DrawnTree | null {
  if (source.length > maxLength) return null;
  try {
    const tree = readSvg(renderMermaidSVG(source.replaceAll(coloured, ''), look));
    return tree && isWithin(tree, bounds) ? tree : null;
  } catch {
    // Whatever the library trips over, the source is shown.
    return null;
  }
}
