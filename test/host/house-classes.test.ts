/** Class names in style sheets, as `npm run house` reads them. */
import { expect, test } from 'vitest';
import { parseSync } from 'oxc-parser';
import { classesOf, declarationOf, namesGiven } from '../../scripts/house/classes.ts';
import { ownSizes } from '../../scripts/house/scale.ts';
import { physicalSides } from '../../scripts/house/sides.ts';

test('Class names are read from selectors alone, and those of all files apart from those of the module', () => {
  const css = `/* not .this */
    @import './styles/other.css';
    .row:hover > .name:not(.row, :global(.meta)) { width: calc(1.5em + .5px); background: url(a.png); }
    .lower { .inner { content: '.quoted'; } }`;
  expect(classesOf(css)).toEqual({ own: ['row', 'name', 'lower', 'inner'], shared: ['meta'] });
});

test('The declaration beside a module has its own classes alone', () => {
  const declared = declarationOf(':global(.meta) > .row { color: red; } .name { color: blue; }');
  expect([...declared.matchAll(/readonly (\w+): string/g)].map(([, name]) => name)).toEqual(['row', 'name']);
});

test.each([
  ['"row wide"', ['row', 'wide']],
  ["{open ? 'row' : 'line'}", ['row', 'line']],
  ["{state === 'open' ? 'row' : undefined}", ['row']],
  ["{open && 'row'}", ['row']],
  ['{`row ${styles.wide} ${open ? "line" : ""}`}', ['row', 'line']],
  ['{`an-${colour} row`}', ['row']],
  ["{['row', open && 'line'].filter(Boolean).join(' ')}", ['row', 'line']],
  ["{lookOf('row')}", []],
  ['{styles.row}', []],
])('What an element is given by name is read from its className alone: %s', (value, names) => {
  const { program } = parseSync('row.tsx', `const row = <p className=${value} title="other" />;`);
  expect([...namesGiven(program)]).toEqual(names);
});

test.each([
  ['margin-left: 4px', 1],
  ['margin-inline-start: 4px', 0],
  ['left: 0', 1],
  ['inset-inline-start: 0', 0],
  ['border-right: 1px solid red', 1],
  ['border-top-left-radius: 2px', 1],
  ['text-align: right', 1],
  ['text-align: end', 0],
  ['padding: 0 8px 0 4px', 1],
  ['padding: 0 calc(2px * var(--k)) 4px calc(2px * var(--k))', 0],
  ['margin: 4px 8px', 0],
  ['justify-content: left', 0],
])('A side is physical only where it stays when the direction turns: %s', (declaration, expected) => {
  expect(physicalSides(`.row { color: red; ${declaration}; /* left: 1px; */ }`)).toHaveLength(expected);
});

test.each([
  ['font-size: 13px', 1],
  ['font-size: var(--fs-13)', 0],
  ['line-height: calc(18px * var(--k))', 1],
  ['line-height: 1.25rem', 1],
  ['line-height: var(--lh-code)', 0],
  ['font: 12px/16px var(--font-ui)', 1],
  ['font: var(--fs-12) / var(--lh-12) var(--font-mono)', 0],
  ['font-size: 1.1em', 0],
  ['height: 16px', 0],
])('A size of type is off the scale only where its sheet writes it itself: %s', (declaration, expected) => {
  expect(ownSizes(`.row { color: red; ${declaration}; /* font-size: 1px; */ }`)).toHaveLength(expected);
});
