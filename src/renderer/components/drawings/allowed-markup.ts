/**
 * The one gate between a drawn tree and the page: elements, attributes and values that are named here are drawn, and nothing
 * else is. None of them runs, loads, links or reaches beyond the place it is drawn in.
 */
import { createElement, type ReactNode } from 'react';
import type { DrawnTree } from './drawn-tree.ts';

/** The value as it is drawn; null = the attribute is left out. */
type Rule = (value: string, place: { tag: string; prefix: string }) => string | null;

export interface Markup {
  /** A tree with any other is not drawn. */
  elements: ReadonlySet<string>;
  attributes: ReadonlyMap<string, Rule>;
  styles: ReadonlyMap<string, Rule>;
}

/** null = it has an element that is not allowed. @param prefix before its ids, which are of the whole page */
export function drawAllowed(tree: DrawnTree, markup: Markup, prefix = ''): ReactNode {
  return hasForeign(tree, markup.elements) ? null : draw(tree, markup, prefix);
}

function hasForeign({ tag, children }: DrawnTree, elements: Markup['elements']): boolean {
  return (
    !elements.has(tag) || children.some((child) => typeof child !== 'string' && hasForeign(child, elements))
  );
}

function draw({ tag, attributes, styles, children }: DrawnTree, markup: Markup, prefix: string): ReactNode {
  const place = { tag, prefix };
  const props: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const allowed = markup.attributes.get(name)?.(value, place) ?? null;
    if (allowed !== null) props[name === 'class' ? 'className' : camelCase(name)] = allowed;
  }
  const style: Record<string, string> = {};
  for (const [name, value] of Object.entries(styles)) {
    const allowed = markup.styles.get(name)?.(value, place) ?? null;
    if (allowed !== null) style[name] = allowed;
  }
  if (Object.keys(style).length > 0) props['style'] = style;
  const drawn = children.map((child) => (typeof child === 'string' ? child : draw(child, markup, prefix)));
  return createElement(tag, props, ...drawn);
}

const camelCase = (name: string): string =>
  name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const like =
  (pattern: RegExp): Rule =>
  (value) =>
    pattern.test(value) ? value : null;

const each = (rule: Rule, names: string): [string, Rule][] => names.split(' ').map((name) => [name, rule]);

/** Of the names in a class attribute those that style sheets of drawings know. */
const classes =
  (known: RegExp): Rule =>
  (value) => {
    const names = value.split(' ').filter((name) => known.test(name));
    return names.length === 0 ? null : names.join(' ');
  };

const lengthPart = /^(-?\d*\.?\d+)(em|ex|pt|px|%)?$/;
/** In em; a point is about a twelfth of it. A formula stays where it is, and moves nothing far. */
const [minEm, maxEm] = [-2, 20];

/** One length, or as many as an edge has sides. */
const lengths: Rule = (value) =>
  value.split(' ').every((part) => {
    const [, number = '', unit = ''] = lengthPart.exec(part) ?? [];
    const size = Number(number) / (unit === 'pt' || unit === 'px' || unit === '%' ? 10 : 1);
    return number !== '' && size >= minEm && size <= maxEm;
  })
    ? value
    : null;

const flag = like(/^(?:true|false)$/);
const line = like(/^0?\.?\d*(?:em|px|pt) (?:solid|dashed)$/);

/** MathML Core, and `menclose`, which is drawn by classes. */
export const mathMarkup: Markup = {
  elements: new Set(
    (
      'math mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle mpadded mphantom msub msup msubsup munder mover ' +
      'munderover mmultiscripts mprescripts none mtable mtr mtd menclose'
    ).split(' '),
  ),
  attributes: new Map([
    ['display', like(/^(?:block|inline)$/)],
    ['form', like(/^(?:prefix|infix|postfix)$/)],
    ['scriptlevel', like(/^[+-]?\d$/)],
    ['mathvariant', like(/^[a-z-]{1,30}$/)],
    ['columnalign', like(/^[a-z ]{1,200}$/)],
    ['notation', like(/^[a-z ]{1,80}$/)],
    ['class', classes(/^(?:tml|chr)-[a-z-]+$|^math(?:cal|scr)$|^(?:up|down|x)strike$|^menclose$/)],
    ...each(flag, 'displaystyle stretchy fence separator symmetric largeop movablelimits accent accentunder'),
    ...each(
      lengths,
      'lspace rspace width height depth voffset minsize maxsize mathsize linethickness rowspacing',
    ),
  ]),
  styles: new Map([
    ...each(lengths, 'padding paddingLeft paddingRight paddingTop paddingBottom marginLeft width height'),
    ...each(line, 'border borderTop borderRight borderBottom borderLeft'),
    ['mathDepth', like(/^\d$/)],
    ['textAlign', like(/^(?:left|center|right|-webkit-(?:left|right))$/)],
  ]),
};

const number = like(/^-?\d{1,6}(?:\.\d+)?(?:e-\d+)?(?:em)?$/);
/** Colours are the page's own, which fit its theme. */
const paint =
  (instead: (tag: string) => string): Rule =>
  (value, { tag }) =>
    /^(?:none|transparent|var\(--(?:_[a-z-]+|bg)\))$/.test(value) ? value : instead(tag);
const isText = (tag: string): boolean => tag === 'text' || tag === 'tspan';
const name = /^[\w-]{1,200}$/;
/** Nothing but what stands in the same picture. */
const reference: Rule = (value, { prefix }) => {
  const [, id = ''] = /^url\(#([\w-]{1,200})\)$/.exec(value) ?? [];
  return id === '' ? null : `url(#${prefix}${id})`;
};

export const diagramMarkup: Markup = {
  elements: new Set('svg g defs marker rect circle ellipse line polyline polygon path text tspan'.split(' ')),
  attributes: new Map([
    ['id', (value, { prefix }) => (name.test(value) ? prefix + value : null)],
    ['viewBox', like(/^[-\d. e]{1,200}$/)],
    ['points', like(/^[-\d.,\s e]*$/)],
    ['d', like(/^[MLHVCSQTAZ\d\s,.e+-]*$/i)],
    ['transform', like(/^(?:(?:translate|scale|rotate)\([-\d.,\s e]{1,80}\)\s?)+$/)],
    ['orient', like(/^(?:auto|auto-start-reverse)$/)],
    ['text-anchor', like(/^(?:start|middle|end)$/)],
    ['font-weight', like(/^(?:[1-9]00|bold)$/)],
    ['font-style', like(/^italic$/)],
    ['text-decoration', like(/^(?:underline|line-through| )+$/)],
    ['stroke-dasharray', like(/^[\d. ]+$/)],
    ['fill', paint((tag) => (isText(tag) ? 'var(--_text)' : 'var(--_node-fill)'))],
    ['stroke', paint(() => 'var(--_line)')],
    ['class', classes(/^(?:mono|xychart-[a-z-]+\d*)$/)],
    ...each(reference, 'marker-start marker-end'),
    ...each(like(/^(?:round|butt|square|miter|bevel)$/), 'stroke-linecap stroke-linejoin'),
    ...each(number, 'x y x1 x2 y1 y2 cx cy r rx ry dx dy width height stroke-width font-size opacity'),
    ...each(number, 'markerWidth markerHeight refX refY'),
  ]),
  styles: new Map(),
};
