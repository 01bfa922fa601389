/** A formula or a diagram on its way from the thread that drew it: names and texts, nothing that a page runs or loads. */

export interface DrawnTree {
  tag: string;
  attributes: Record<string, string>;
  styles: Record<string, string>;
  children: (DrawnTree | string)[];
}

export interface TreeBounds {
  maxNodes: number;
  maxDepth: number;
}

/** Whether the page may be asked to draw it. Goes level by level: what nests without end must not be followed down. */
export function isWithin(tree: DrawnTree, { maxNodes, maxDepth }: TreeBounds): boolean {
  let nodes = 0;
  let level: (DrawnTree | string)[] = [tree];
  for (let depth = 0; level.length > 0; depth += 1) {
    nodes += level.length;
    if (depth > maxDepth || nodes > maxNodes) return false;
    level = level.flatMap((node) => (typeof node === 'string' ? [] : node.children));
  }
  return true;
}

/** Of a tree that is within its bounds. */
export const countNodes = ({ children }: DrawnTree): number =>
  children.reduce((sum, child) => sum + (typeof child === 'string' ? 1 : countNodes(child)), 1);
