// @vitest-environment node
import { array, assert, constantFrom, integer, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawableSource } from './diagram-source.ts';
import { drawDiagram } from './draw-diagram.ts';
import type { DrawnTree } from './drawn-tree.ts';
import { plainFlowchart } from './flowchart-source.ts';

const all = (tree: DrawnTree): DrawnTree[] => [
  tree,
  ...tree.children.flatMap((child) => (typeof child === 'string' ? [] : all(child))),
];
const words = (tree: DrawnTree): string =>
  tree.children
    .map((child) => (typeof child === 'string' ? child.trim() : words(child)))
    .join(' ')
    .trim();

/** What of it is to be seen: boxes with their words, and arrows. */
function drawn(source: string): { boxes: string[]; arrows: number } | null {
  const tree = drawDiagram(source);
  if (!tree) return null;
  const parts = all(tree);
  const of = (name: string): DrawnTree[] => parts.filter(({ attributes }) => attributes['class'] === name);
  return {
    boxes: of('node')
      .map((box) => words(box).replaceAll(/\s+/g, ' '))
      .toSorted(),
    arrows: of('edge').length,
  };
}

describe('a flowchart', () => {
  it.each([
    ['graph TD\nA-->B', ['A', 'B'], 1],
    ['graph LR;\nA-->B;\nB-->C;', ['A', 'B', 'C'], 2],
    ['graph TD; A-->B; B-->C; C-->A', ['A', 'B', 'C'], 3],
    ['flowchart\n  A --> B', ['A', 'B'], 1],
    ['graph TD\n  A & B --> C & D', ['A', 'B', 'C', 'D'], 4],
    ['graph TD\n  A --> B --> C', ['A', 'B', 'C'], 2],
    ['graph TD\n  us-east --> eu.west', ['eu.west', 'us-east'], 1],
    ['graph TD\n  大前端-->组件库', ['大前端', '组件库'], 1],
    ['graph TD\n  A["f(x) [1] {2}; a|b"] --> B{"Is x > 1?"}', ['Is x > 1?', 'f(x) [1] {2}; a|b'], 1],
    ['graph TD\n  A[One] --> B\n  B[Two]', ['One', 'Two'], 1],
    [
      'graph TD\n  A --"yes"---->B\n  A-- no -->C\n  A-. maybe .->D\n  A == sure ==> E',
      ['A', 'B', 'C', 'D', 'E'],
      4,
    ],
    [
      'graph TD\n  A --- B\n  A -.- C\n  A === D\n  A <--> E\n  A -.-> F\n  A ==> G',
      ['A', 'B', 'C', 'D', 'E', 'F', 'G'],
      6,
    ],
    [
      'graph TD\n  A([a]) --> B((b))\n  B --> C[(c)]\n  C --> D{{d}}\n  D --> E[[e]]\n  E --> F>f]\n  F --> G[/g/]',
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
      6,
    ],
    [
      'graph TD\n  A:::hot --> B\n  classDef hot fill:#f00\n  style A fill:#f9f\n  click A "x"',
      ['A', 'B'],
      1,
    ],
    ['---\ntitle: x\n---\n%%{init: {}}%%\ngraph TD\n  %% a note\n  A --> B', ['A', 'B'], 1],
    ['graph TD\n  subgraph one [Part one]\n  direction LR\n  A --> B\n  end\n  B --> C', ['A', 'B', 'C'], 2],
    ['graph TD\n  A["a &lt; b #quot;c#quot;"] --> B', ['B', 'a < b "c"'], 1],
    ['graph TD\n  A[one<br/>two] --> B', ['B', 'one two'], 1],
  ])('%j has all its boxes and arrows', (source, boxes, arrows) => {
    expect(drawn(source)).toEqual({ boxes: boxes.toSorted(), arrows });
  });

  it.each([
    'graph TD\n  A --o B',
    'graph TD\n  A --x B',
    'graph TD\n  A x--x B',
    'graph TD\n  A@{ shape: rect } --> B',
    'graph TD\n  A <-- B',
    'graph TD\n  A[never closed --> B',
    'graph TD\n  A -->',
    'graph TD\n  A -- B',
    'graph TD\n  subgraph one\n  A --> B',
    'graph TD\n  A --> B\n  end',
    'graph TD\n  just some words',
    'graph XY\n  A --> B',
    'graph TD',
  ])('%j would lose something, so it is not drawn', (source) => {
    expect(plainFlowchart(source)).toBeNull();
  });

  it('with arrows to a group has the group once', () => {
    const source = 'graph LR\n  X --> g\n  subgraph g [Group]\n  A\n  end';
    expect(drawn(source)).toEqual({ boxes: ['A', 'X'], arrows: 1 });
    // The library draws an inner group twice.
    expect(drawn('graph LR\n  subgraph a\n  subgraph b\n  A\n  end\n  C --> b\n  end')).toBeNull();
  });

  it('has as many arrows as were written, however they were written', () => {
    const arrow = constantFrom(
      '-->',
      ' --> ',
      '---',
      '-.->',
      ' ==> ',
      '-->|x|',
      ' -- y --> ',
      '---->',
      '-. z .->',
    );
    const ends = tuple(integer({ min: 0, max: 6 }), arrow, integer({ min: 0, max: 6 }));
    assert(
      property(array(ends, { minLength: 1, maxLength: 10 }), constantFrom('\n', ';', ';\n'), (edges, end) => {
        const others = edges.filter(([from, , to]) => from !== to);
        const source = `graph TD\n${others.map(([from, link, to]) => `N${from}${link}N${to}`).join(end)}`;
        expect(others.length === 0 ? 0 : drawn(source)?.arrows).toBe(others.length);
      }),
      { numRuns: 60 },
    );
  });
});

describe('other diagrams', () => {
  it.each([
    'stateDiagram-v2\n  [*] --> A\n  note right of A : hi',
    'stateDiagram-v2\n  state x <<choice>>\n  A --> x',
    'sequenceDiagram\n  Ada->>Ben: Hello\n  box Group\n  end',
    'sequenceDiagram\n  Ada->>Ben',
    'classDiagram\n  note "x"\n  A <|-- B',
    'classDiagram\n  class A {\n  +int x',
    'erDiagram\n  A ||--o{ B',
    'xychart-beta\n  pie 1',
    'sequenceDiagram',
    'gantt\n  title x',
  ])('%j would lose something, so it is not drawn', (source) => {
    expect(drawableSource(source)).toBeNull();
  });

  it('are given on without what only colours and comments', () => {
    const source = 'stateDiagram-v2\n  %% a note\n  A --> B : go;\n  classDef x fill:#f00\n\n';
    expect(drawableSource(source)).toEqual({ text: 'stateDiagram-v2\nA --> B : go' });
  });
});
