// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { threadMs } from '../../../../test/helpers/thread-time.ts';
import { drawDiagram } from './draw-diagram.ts';
import type { DrawnTree } from './drawn-tree.ts';
import { readSvg } from './read-svg.ts';

function words(tree: DrawnTree | string): string[] {
  return typeof tree === 'string'
    ? [tree.trim()]
    : tree.children.flatMap(words).filter((each) => each !== '');
}

const drawn = (source: string): string[] => words(drawDiagram(source) ?? '');

describe('Mermaid', () => {
  it.each([
    ['flowchart LR\n  A[Ready] -->|take| B{Done?}', ['take', 'Ready', 'Done?']],
    ['stateDiagram-v2\n  Ready --> Done : ok', ['ok', 'Ready', 'Done']],
    ['sequenceDiagram\n  Ada->>Ben: Hello & bye', ['Ada', 'Ben', 'Hello & bye']],
    ['classDiagram\n  Animal <|-- Duck', ['Animal', 'Duck']],
    ['erDiagram\n  JOB ||--o{ LEASE : has', ['has', 'JOB', 'LEASE']],
    ['xychart-beta\n  x-axis [jan, feb]\n  bar [1, 2]', ['jan', 'feb']],
  ])('%j is drawn with its words', (source, expected) => {
    expect(drawn(source)).toEqual(expect.arrayContaining(expected));
  });

  it.each(['', 'nonsense', 'gantt\n  title x', 'pie\n  "a": 1', 'flowchart'])('%j is not drawn', (source) => {
    expect(drawDiagram(source)).toBeNull();
  });

  it('of more than a page can show is not even laid out', () => {
    const begun = threadMs();
    expect(drawDiagram(`graph TD\n${'A-->B\n'.repeat(20_000)}`)).toBeNull();
    expect(drawDiagram('{'.repeat(100_000))).toBeNull();
    expect(threadMs() - begun).toBeLessThan(1_000);
  });

  it('has the colours of the page, whatever its source says', () => {
    const source =
      'graph TD\n  A --> B\n  style A fill:#f9f\n  classDef x fill:#000\n  linkStyle 0 stroke:red';
    expect(JSON.stringify(drawDiagram(source))).not.toMatch(/#f9f|#000|"red"/);
  });

  it('keeps markup in its words as the words they are', () => {
    const source = 'graph TD\n  A["<script>run()</script> <img src=x onerror=run()>"] --> B';
    const tree = drawDiagram(source);
    expect(words(tree ?? '').join(' ')).toContain('run()');
    expect(JSON.stringify(tree)).not.toMatch(/"tag":"(?:script|img)"/);
  });
});

describe('the SVG of a library', () => {
  it('is read with its attributes and its words, without its style sheet', () => {
    const svg =
      '<svg width="2"><style>text { x: "<b>" }</style><text x="1">a &lt; b<tspan>c</tspan></text></svg>';
    const text = {
      tag: 'text',
      attributes: { x: '1' },
      styles: {},
      children: ['a < b', { tag: 'tspan', attributes: {}, styles: {}, children: ['c'] }],
    };
    expect(readSvg(svg)).toEqual({ tag: 'svg', attributes: { width: '2' }, styles: {}, children: [text] });
  });

  it.each([
    '<svg>',
    '<svg></g>',
    '</svg>',
    '<svg></svg><svg></svg>',
    '<svg a=b></svg>',
    '<svg><!-- x --></svg>',
    '<!DOCTYPE svg><svg></svg>',
    '<svg><style></svg>',
    'words',
  ])('%s is none', (text) => {
    expect(readSvg(text)).toBeNull();
  });
});
