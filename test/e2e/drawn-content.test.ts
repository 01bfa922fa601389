/** Mathematics, diagrams, pictures and tables of answers in a real Chromium, under the page's own policy. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { array, constantFrom, oneof, sample, string, tuple } from 'fast-check';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, rule, script } from '../../src/sim/index.ts';
import { png } from '../helpers/attachment-world.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { startAgentHouse, type AgentHouse } from './agent-house.ts';
import type { OpenWindow } from './launch-web.ts';

let browser: Browser;
let house: AgentHouse;
beforeAll(async () => {
  browser = await launchChromium();
  house = await startAgentHouse(browser);
  writeFileSync(join(house.workspace, 'chart.png'), Buffer.from(png, 'base64'));
});
afterAll(async () => {
  await house.close();
  await browser.close();
});

const answers = (text: string) => script([rule({}, reply().text(`Here it is.\n\n${text}`))]);

/** A new window in which the model has said it. */
async function said(text: string, options?: BrowserContextOptions): Promise<OpenWindow> {
  const view = await house.begin(answers(text), options);
  await view.window.ask('Go on.');
  await view.window.turnEnded();
  return view;
}

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
const diagram = fence('mermaid', 'flowchart LR\n  A[Ready] -->|take| B{Done?}');
const table = '| Run | Time |\n|---|--:|\n| one | 1.5 s |\n| two | $t_2$ |';
const everything = [
  'Mass is $m_0$, and it costs $5 or $10.',
  '$$\nE = m_0 c^2\n$$',
  diagram,
  '![A chart](chart.png) and ![another](https://elsewhere.example/x.png)',
  table,
  fence('diff', '-old\n+new'),
].join('\n\n');

/** What draws; a page that is slow has its Markdown parsed in a worker, too. */
const loaded = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .flatMap(({ name }) => /((?!markdown-)\b\w+-worker|noto-sans-math)/.exec(name)?.[1] ?? []),
  );

test('an answer with everything that is drawn raises no complaint of the policy, nor of axe', async () => {
  const { window, complaints, close } = await said(everything);
  const { transcript } = window;
  await transcript.locator('math').nth(2).waitFor();
  await transcript.getByRole('img', { name: 'Diagram: take, Ready, Done?' }).waitFor();
  const picture = transcript.getByRole('img', { name: 'A chart' });
  await picture.waitFor();
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  await expect.poll(() => transcript.getByText('it costs $5 or $10.').count()).toBe(1);
  await expect.poll(() => transcript.getByRole('link', { name: 'image: another' }).count()).toBe(1);
  expect(await window.axe()).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('nothing that draws is fetched before an answer needs it', async () => {
  const { window, close } = await said('Words, `code` and **more**.');
  const { page, transcript } = window;
  expect(await loaded(page)).toEqual([]);
  house.sim.setScript(answers('So $x^2$ it is.'));
  await window.ask('And now?');
  await transcript.locator('math').waitFor();
  const workers = page.workers().map((worker) => worker.url());
  expect(workers.filter((url) => !url.includes('markdown-worker'))).toEqual([
    expect.stringContaining('math-worker'),
  ]);
  await expect.poll(() => loaded(page)).toContain('noto-sans-math');
  await close();
});

test('a formula is set in the font of mathematics, and moves nothing over its neighbours', async () => {
  const { window, close } = await said(
    'Above it.\n\n$$\nx \\kern-300em y \\raisebox{300em}{z} \\rule{900em}{900em} \\hspace{-90em} w\n$$\n\nBelow it, $\\smash{\\raisebox{9em}{a}}$.',
  );
  const { page, transcript } = window;
  await transcript.locator('math').nth(1).waitFor({ state: 'attached' });
  const fonts = await page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family);
  });
  expect(fonts.some((family) => family.includes('Noto Sans Math'))).toBe(true);
  const boxes = await transcript.locator('span:has(> math)').evaluateAll((all) =>
    all.map((formula) => {
      const { overflow, overflowX } = getComputedStyle(formula);
      const { width, height } = formula.getBoundingClientRect();
      return { clips: overflow !== 'visible' && overflowX !== 'visible', width, height };
    }),
  );
  for (const { clips, width, height } of boxes) {
    expect(clips).toBe(true);
    expect(width).toBeLessThan(800);
    expect(height).toBeLessThan(1_000);
  }
  await close();
});

test('selected words are copied with mathematics as it was written', async () => {
  const { window, close } = await said('The mass $m_0$ is small.\n\n$$\nE = m_0\n$$\n\nThat is it.', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page, transcript } = window;
  await transcript.locator('math').nth(1).waitFor();
  await page.evaluate(() => {
    const prose = document.querySelectorAll('[role=log] .prose');
    const selection = getSelection();
    selection?.selectAllChildren(prose[0] ?? document.body);
  });
  await page.keyboard.press('Control+C');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.replaceAll(/\s+/g, ' ').trim()).toBe(
    'Here it is. The mass $m_0$ is small. $$ E = m_0 $$ That is it.',
  );
  await close();
});

test('a diagram shows its source and its picture again, by keyboard', async () => {
  const { window, close } = await said(diagram);
  const { page, transcript } = window;
  const picture = transcript.getByRole('img', { name: /^Diagram/ });
  await picture.waitFor();
  await transcript.getByRole('button', { name: 'Show source' }).focus();
  await page.keyboard.press('Enter');
  const source = transcript.getByText('A[Ready] -->|take| B{Done?}');
  await source.waitFor();
  await expect.poll(() => picture.count()).toBe(0);
  await page.keyboard.press('Enter');
  await picture.waitFor();
  await expect.poll(() => source.count()).toBe(0);
  await close();
});

test('the copy of a table is hidden until it is hovered or reached by keyboard', async () => {
  const { window, close } = await said(table, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page, transcript } = window;
  const copy = transcript.getByRole('button', { name: 'Copy table' });
  const opacity = (): Promise<string> =>
    copy.evaluate((button) => getComputedStyle(button.parentElement ?? button).opacity);
  await page.mouse.move(0, 0);
  expect(await opacity()).toBe('0');
  await transcript.getByRole('table').hover();
  expect(await opacity()).toBe('1');
  await page.mouse.move(0, 0);
  expect(await opacity()).toBe('0');
  await copy.focus();
  expect(await opacity()).toBe('1');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'Run\tTime\r\none\t1.5 s\r\ntwo\t$t_2$\r\n',
  );
  await close();
});

const cells = (each: (at: number) => string): string =>
  `|${Array.from({ length: 40 }, (_, at) => each(at)).join('|')}|`;

test('a wide table and a wide formula scroll within themselves', async () => {
  const wide = [cells((at) => `column ${at}`), cells(() => '---'), cells((at) => `cell ${at}`)].join('\n');
  const { window, close } = await said(`${wide}\n\n$$\n${'a_1 + '.repeat(90)} b\n$$`, {
    viewport: { width: 900, height: 600 },
  });
  const { transcript } = window;
  await transcript.locator('math').waitFor();
  for (const name of ['Table', 'Formula']) {
    const box = transcript.getByRole('group', { name });
    expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
    await box.focus();
    await window.page.keyboard.press('ArrowRight');
    await expect.poll(() => box.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
  }
  expect(await transcript.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await close();
});

/** Fragments that would do something in a page that takes them for more than words. */
const hostile = constantFrom(
  '<script>ran()</script>',
  '<img src=x onerror=ran()>',
  '"><svg onload=ran()>',
  '</style><foreignObject><iframe src="https://elsewhere.example">',
  'javascript:ran()',
  'url(https://elsewhere.example/x)',
  'onclick="ran()"',
  'style="position:fixed;inset:0"',
  '\u202e',
  '&lt;script&gt;',
  'a',
  '1',
);
const tex = constantFrom(
  ...String.raw`\frac{ \sqrt{ } { ^ _ & \\ \text{ \href{ \url{ \class{x} \style{position:fixed}{x} \color{red} \kern-300em \rule{900em}{900em} \def\a{\a\a}\a \begin{matrix} \end{matrix} \cancel{x} \boxed{y} \left( \right) x+1`.split(
    ' ',
  ),
);
/** By what a diagram begins with: lines that are drawn, with a place for words. */
const lines: Readonly<Record<string, string[]>> = {
  'flowchart TD': [
    'A["$"] --> B',
    'A -->|"$"| C{"$"}',
    'subgraph s [$]\n  D\n  end',
    'click A "$"',
    'style A fill:$',
  ],
  sequenceDiagram: ['A->>B: $', 'Note over A,B: $', 'participant P as $', 'loop $\n  A->>B: $\n  end'],
  classDiagram: ['A : $', 'A <|-- B : $', 'class C {\n  +$\n  }'],
  erDiagram: ['A ||--o{ B : $', 'A {\n  string x "$"\n  }'],
  'stateDiagram-v2': ['A --> B : $', 'C : $', 'state "$" as D'],
};

const formulas = array(oneof(tex, tex, hostile), { minLength: 1, maxLength: 12 }).map(
  (parts) => `$$\n${parts.join(' ')}\n$$`,
);
const diagrams = constantFrom(...Object.entries(lines)).chain(([head, templates]) =>
  array(tuple(constantFrom(...templates), hostile), { minLength: 1, maxLength: 4 }).map((all) =>
    fence(
      'mermaid',
      [head, ...all.map(([line, word]) => `  ${line.replaceAll('$', () => word)}`)].join('\n'),
    ),
  ),
);
const others = oneof(
  hostile.map((word) => `![${word}](${word.replaceAll(/[()\s]/g, '')}) [${word}](<${word}>)`),
  hostile.map((word) => `| ${word} |\n|---|\n| $${word}$ |`),
  string({ maxLength: 60 }),
);

/** Elements and attributes that the gate lets through, written out once more, beside those of the window itself. */
function findOdd(roots: Element[]): string[] {
  const drawn =
    'math mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle mpadded mphantom msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd menclose svg g defs marker rect circle ellipse line polyline polygon path text tspan'.split(
      ' ',
    );
  const plain =
    'div p span h1 h2 h3 a em strong del code pre br ul ol li table thead tbody tr th td figure header button blockquote hr img section output kbd i'.split(
      ' ',
    );
  const known = new Set([...drawn, ...plain]);
  const all = roots.flatMap((root) => [...root.querySelectorAll('*')]);
  return all.flatMap((element) => {
    const odd = known.has(element.localName) ? [] : [`<${element.localName}>`];
    for (const { name, value } of element.attributes) {
      const leads = /^(?:href|src|xlink:href|action|formaction|srcdoc)$/.test(name);
      if (
        name.startsWith('on') ||
        (leads && !/^(?:https?:\/\/|data:image\/(?:png|gif|jpeg|webp);)/.test(value))
      )
        odd.push(`${name}=${value}`);
      if (
        /url\((?!["']?#)|position: ?fixed|expression/.test(value) &&
        name !== 'title' &&
        name !== 'aria-label'
      )
        odd.push(`${name}=${value}`);
    }
    return odd;
  });
}

test(
  'hostile formulas, diagrams, pictures and tables become only elements that are allowed',
  { timeout: 600_000 },
  async () => {
    const view = await house.begin(answers('First.'), { viewport: { width: 1440, height: 5_000 } });
    const { window, complaints, close } = view;
    const { page, transcript } = window;
    await page.evaluate(() => Object.assign(globalThis, { ran: () => (document.title = 'ran') }));
    let [math, pictures] = [0, 0];
    for (const round of Array.from({ length: 8 }, (_, at) => at)) {
      const parts = [
        ...sample(formulas, { numRuns: 10, seed: 100 + round }),
        ...sample(diagrams, { numRuns: 6, seed: 200 + round }),
        ...sample(others, { numRuns: 6, seed: 300 + round }),
      ];
      house.sim.setScript(answers(`${parts.join('\n\n')}\n\nThat was ${round}.`));
      await page.getByRole('button', { name: 'New session', exact: true }).click();
      await window.ask('Go on.');
      await transcript.getByText(`That was ${round}.`, { exact: true }).waitFor();
      await window.turnEnded();
      await page.waitForFunction(() => document.querySelector('[role=log] .prose [aria-busy]') === null);
      expect(await transcript.locator('.prose').evaluateAll(findOdd)).toEqual([]);
      math += await transcript.locator('math').count();
      pictures += await transcript.locator('figure [role=img] svg').count();
    }
    process.stdout.write(`drawn of hostile texts: ${String(math)} formulas, ${String(pictures)} diagrams\n`);
    expect(math).toBeGreaterThan(5);
    expect(pictures).toBeGreaterThan(5);
    expect(await page.title()).not.toBe('ran');
    expect(complaints).toEqual([]);
    await close();
  },
);
