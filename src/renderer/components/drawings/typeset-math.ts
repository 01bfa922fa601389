/** TeX as a tree of MathML. In a worker: what it takes for a hostile text is ended there. */
import temml from 'temml';
import { isWithin, type DrawnTree } from './drawn-tree.ts';

export interface Formula {
  tex: string;
  /** On lines of its own. */
  display: boolean;
}

/** The library calls its tree unstable: a version that changes it fails the tests beside this file. */
const { __renderToMathMLTree: buildTree } = temml;

/** Macros that call themselves end here; what people write expands a few dozen times. */
const maxExpand = 200;
/** In em, and in points. */
const maxSize: [number, number] = [10, 100];
const maxDepth = 80;
/** A sign becomes an element with a text in a row; more are made only where a text repeats itself by macros. */
const maxNodes = (tex: string): number => 60 + 8 * tex.length;

/** null = it is no TeX that can be set, or too much of it. */
export function typesetMath({ tex, display }: Formula): DrawnTree | null {
  try {
    const options = { displayMode: display, throwOnError: true, trust: false, maxExpand, maxSize };
    const tree = toTree(buildTree(tex, options) as TemmlNode);
    return tree && isWithin(tree, { maxNodes: maxNodes(tex), maxDepth }) ? tree : null;
  } catch {
    // Whatever the library trips over, the text is shown as it was written.
    return null;
  }
}

/** What the library builds, as far as it is read. */
interface TemmlNode {
  type?: string;
  text?: string;
  attributes?: Record<string, unknown>;
  style?: Record<string, unknown>;
  classes?: string[];
  children?: TemmlNode[];
}

/** null = it is no element: places for numbers that nobody fills in, and references to them. */
function toTree({ type, attributes, style, classes = [], children = [] }: TemmlNode): DrawnTree | null {
  if (type === undefined) return null;
  const named = classes.filter((name) => name !== '').join(' ');
  return {
    tag: type,
    attributes: { ...texts(attributes), ...(named !== '' && { class: named }) },
    styles: texts(style),
    children: children.flatMap((child): (DrawnTree | string)[] => {
      if (child.type === undefined && child.text !== undefined) return [child.text];
      // A fragment is what is in it.
      if (child.type === undefined) return (child.children ?? []).flatMap((inner) => toTree(inner) ?? []);
      return [toTree(child)].filter((tree) => tree !== null);
    }),
  };
}

const texts = (values: Record<string, unknown> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
