// @vitest-environment node
/** What reaches the page of what the libraries make, whatever they were given. */
import {
  array,
  assert,
  constantFrom,
  dictionary,
  letrec,
  oneof,
  property,
  record,
  string,
  tuple,
} from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { threadMs } from '../../../../test/helpers/thread-time.ts';
import { diagramMarkup, drawAllowed, mathMarkup, type Markup } from './allowed-markup.ts';
import { drawDiagram } from './draw-diagram.ts';
import type { DrawnTree } from './drawn-tree.ts';
import { typesetMath } from './typeset-math.ts';

const markups = { mathematics: mathMarkup, diagrams: diagramMarkup };

/** Written out once more: what the gate lets through is not asked of the gate. */
const harmless =
  /^(?:class|style|id|d|points|transform|viewBox|orient|display\w*|form|script\w+|math\w+|column\w+|row\w+|notation|[lr]space|width|height|depth|voffset|m(?:in|ax)size|linethickness|stretchy|fence|separator|symmetric|largeop|movablelimits|accent\w*|text-\w+|font-\w+|fill|stroke(?:-\w+)*|marker\w*|marker-\w+|ref[XY]|[xyr][12xy]?|c[xy]|d[xy]|opacity)$/;
const dangerous = /javascript:|data:|https?:|expression|@import|position:|inset:|z-index|url\((?!#)/i;

/** As the page would have it, written out: only tags have an angle bracket, and only they have quotes around a value. */
const drawn = (tree: DrawnTree, markup: Markup): string =>
  renderToStaticMarkup(<>{drawAllowed(tree, markup, 'p-')}</>);

const tags = /<\/?([\w-]+)((?: [\w:-]+="[^"]*")*)\/?>/g;

/** Everything in it that could do something. */
function faults(written: string, { elements }: Markup): string[] {
  const unread = written.replaceAll(tags, '').includes('<') ? [written] : [];
  const found = [...written.matchAll(tags)].flatMap(([, tag = '', attributes = '']) => [
    ...(elements.has(tag) ? [] : [`<${tag}>`]),
    ...[...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].flatMap(([whole, name = '', value = '']) =>
      harmless.test(name) && !dangerous.test(value) ? [] : [whole],
    ),
  ]);
  return [...unread, ...found];
}

const leaf = (tag: string, attributes: Record<string, string> = {}, styles = {}): DrawnTree => ({
  tag,
  attributes,
  styles,
  children: ['w'],
});

describe('a drawn tree', () => {
  it.each([
    ['mathematics', 'script'],
    ['mathematics', 'maction'],
    ['mathematics', 'annotation-xml'],
    ['mathematics', 'semantics'],
    ['mathematics', 'a'],
    ['diagrams', 'foreignObject'],
    ['diagrams', 'script'],
    ['diagrams', 'image'],
    ['diagrams', 'use'],
    ['diagrams', 'a'],
    ['diagrams', 'animate'],
    ['diagrams', 'style'],
    ['diagrams', 'math'],
  ] as const)('of %s with %s in it is not drawn at all', (kind, tag) => {
    const root = leaf(kind === 'mathematics' ? 'math' : 'svg');
    root.children = [{ ...leaf(tag), children: [] }];
    expect(drawAllowed(root, markups[kind])).toBeNull();
  });

  it.each([
    ['onclick', 'run()'],
    ['onload', 'run()'],
    ['href', 'javascript:run()'],
    ['xlink:href', 'https://evil.example'],
    ['src', 'x'],
    ['style', 'position:fixed'],
    ['fill', 'url(https://evil.example/x)'],
    ['fill', 'red;background:url(x)'],
    ['marker-end', 'url(https://evil.example#x)'],
    ['class', 'dialog scrim'],
    ['dangerouslySetInnerHTML', 'x'],
    ['ref', 'x'],
    ['children', 'x'],
    ['tabindex', '0'],
    ['contenteditable', 'true'],
    ['is', 'x-y'],
    ['width', '1e999'],
    ['transform', 'translate(1,2) url(x)'],
  ])('has no %s of %j', (name, value) => {
    const given = { [name]: value };
    expect(drawn(leaf('math', given), mathMarkup)).not.toContain(value);
    expect(drawn(leaf('svg', given), diagramMarkup)).not.toContain(value);
  });

  it.each([
    ['marginLeft', '-300em'],
    ['marginLeft', '-2.5em'],
    ['paddingTop', '5000px'],
    ['width', '100vw'],
    ['position', 'fixed'],
    ['zIndex', '9'],
    ['color', 'red'],
    ['backgroundImage', 'url(x)'],
    ['border', '1px solid;position:fixed'],
    ['transform', 'scale(9)'],
  ])('has no style %s: %s', (name, value) => {
    expect(drawn(leaf('math', {}, { [name]: value }), mathMarkup)).toBe('<math>w</math>');
  });

  it('keeps what formulas are set by', () => {
    const math = drawn(
      leaf('math', { display: 'block' }, { paddingLeft: '0.5em', borderTop: '0.06em solid' }),
      mathMarkup,
    );
    expect(math).toBe('<math display="block" style="padding-left:0.5em;border-top:0.06em solid">w</math>');
  });

  it('has ids of its own, and refers to them alone', () => {
    const marker = leaf('marker', { id: 'arrow' });
    const svg: DrawnTree = {
      ...leaf('svg'),
      children: [marker, leaf('line', { 'marker-end': 'url(#arrow)' })],
    };
    expect(drawn(svg, diagramMarkup)).toBe(
      '<svg><marker id="p-arrow">w</marker><line marker-end="url(#p-arrow)">w</line></svg>',
    );
  });

  it('of any shape becomes nothing but what is allowed', () => {
    const names = oneof(
      string(),
      constantFrom(
        'onload',
        'href',
        'style',
        'class',
        'fill',
        'id',
        'd',
        'srcdoc',
        'xmlns',
        '__proto__',
        'key',
        'ref',
      ),
    );
    const values = oneof(
      string(),
      constantFrom('javascript:x', 'url(#a)', 'url(http://x)', '1', 'none', 'true'),
    );
    const elements = constantFrom(
      'math',
      'mi',
      'mrow',
      'svg',
      'g',
      'text',
      'script',
      'foreignObject',
      'a',
      'iframe',
    );
    const { tree } = letrec<{ tree: DrawnTree; child: DrawnTree | string }>((tie) => ({
      tree: record({
        tag: elements,
        attributes: dictionary(names, values),
        styles: dictionary(names, values),
        children: array(tie('child'), { maxLength: 4 }),
      }),
      child: oneof({ maxDepth: 4 }, string(), tie('tree')),
    }));
    assert(
      property(tree, constantFrom(mathMarkup, diagramMarkup), (given, markup) => {
        expect(faults(drawn(given, markup), markup)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

const pieces = (text: string): string[] => text.trim().split(/\s+/);

describe('what libraries make of hostile texts', () => {
  const words = constantFrom(
    '<script>run()</script>',
    '"><img src=x onerror=run()>',
    'javascript:run()',
    "'onload='run()",
    'url(https://evil.example/x)',
    '</style><script>run()</script>',
    '&lt;b&gt;',
    '<foreignObject>',
    '\u202e',
    ';',
    'a',
    'B1',
    '😀',
  );
  /** Whole pieces, with places for others, and pieces that break them. */
  const whole = String.raw`\frac{X}{X} \sqrt[3]{X} X^{X} X_{X} \left(X\right) \text{X} \mathrm{X} \begin{matrix}X&X\\X\end{matrix}
    \color{red}X \colorbox{blue}{X} \rule{900em}{900em} \kern-300em \raisebox{90em}{X} \hspace{-50em} \cancel{X} \boxed{X}
    \overbrace{X}^{X} \vec{X} \widehat{X} \operatorname{X} \mathbb{X} \ref{a} \label{b} \verb|X| \fcolorbox{red}{blue}{X} \Huge
    \mathllap{X} \smash{X} \tag{X} \begin{array}{c|c}X\\\hline{}X\end{array} \begin{align}X&=X\end{align} \phantom{X} \binom{X}{X}`;
  const broken = String.raw`\href{javascript:run()}{X} \url{http://x} \class{a}{X} \style{position:fixed}{X} \def\a{\a\a}\a { } & $ \left(
    \htmlData{a=b}{X} \includegraphics{x} \unicode{1} \begin{matrix} \end{matrix} \frac{ # %`;
  const { tex } = letrec<{ tex: string }>((tie) => ({
    tex: oneof(
      { maxDepth: 3 },
      constantFrom('x', '1', '+', 'y'),
      words,
      ...[whole, whole, whole, broken].map((all) =>
        tuple(constantFrom(...pieces(all)), tie('tex'), tie('tex')).map(([piece, first, second]) =>
          piece.replace('X', () => first).replaceAll('X', () => second),
        ),
      ),
    ),
  }));

  it('has only allowed elements and attributes of any TeX', () => {
    let count = 0;
    assert(
      property(array(tex, { minLength: 1, maxLength: 3 }), constantFrom(true, false), (parts, display) => {
        const begun = threadMs();
        const tree = typesetMath({ tex: parts.join(' '), display });
        expect(threadMs() - begun).toBeLessThan(2_000);
        if (!tree) return;
        count += 1;
        expect(faults(drawn(tree, mathMarkup), mathMarkup)).toEqual([]);
      }),
      { numRuns: 600 },
    );
    expect(count).toBeGreaterThan(50);
  });

  it('has only allowed elements and attributes of any Mermaid', () => {
    const kinds = constantFrom<[head: string, lines: string[]][]>(
      [
        'graph TD',
        ['A["$"] --> B', 'A -->|"$"| C{"$"}', 'A -- $ --> D', 'subgraph s [$]\nE\nend', 'click A "$"'],
      ],
      [
        'flowchart LR',
        ['A(($)) -.-> B', 'style A fill:$', 'linkStyle 0 stroke:$', 'classDef x fill:$', 'A:::x'],
      ],
      ['stateDiagram-v2', ['A --> B : $', 'C : $', 'state "$" as D', 'classDef x fill:$']],
      ['sequenceDiagram', ['A->>B: $', 'Note over A,B: $', 'participant P as $', 'loop $\nA->>B: x\nend']],
      ['classDiagram', ['A : $', 'A <|-- B : $', 'class C {\n+$\n}', 'A "$" --> "$" B : x']],
      ['erDiagram', ['A ||--o{ B : $', 'A {\nstring x "$"\n}', 'A {\n$ x PK\n}']],
      ['xychart-beta', ['title "$"', 'x-axis [$, b]', 'bar [1, 2]', 'line [3, 4]', 'y-axis "$"']],
    );
    const diagrams = kinds.chain(([head, templates]) =>
      array(tuple(constantFrom(...templates), words), { minLength: 1, maxLength: 6 }).map((all) =>
        [head, ...all.map(([line, word]) => line.replaceAll('$', () => word))].join('\n'),
      ),
    );
    let count = 0;
    assert(
      property(diagrams, (source) => {
        const begun = threadMs();
        const tree = drawDiagram(source);
        expect(threadMs() - begun).toBeLessThan(4_000);
        if (!tree) return;
        count += 1;
        expect(faults(drawn(tree, diagramMarkup), diagramMarkup)).toEqual([]);
      }),
      { numRuns: 400 },
    );
    expect(count).toBeGreaterThan(100);
  });
});
