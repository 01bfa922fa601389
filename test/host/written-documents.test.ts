/** Documents that create_document writes beside Markdown, and what other readers make of them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import mammoth from 'mammoth';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { workbench, type Workbench } from '../../src/host/tools/testing.ts';
import { documentsIn } from '../helpers/documents/try-document.ts';

let bench: Workbench;
beforeEach(() => {
  bench = workbench(undefined, { documents: documentsIn() });
});
afterEach(() => bench.remove());

const content = `Intro with **bold**, *italic*, \`code <x>\`, [a link](https://a.example/x?y=1&z=2) and ![a picture](https://b.example/p.png).

## Lists

1. one
2. two
   - nested

- [x] done

> quoted

\`\`\`js
if (a < 2) b();
\`\`\`

| Name | Amount |
|------|-------:|
| Paper & ink | -12,50 |

<script>alert(1)</script>
`;

const make = (format: string, more: object = {}) =>
  bench.call('create_document', { title: 'My <Report>', content, format, ...more });
const bytesOf = (path: string): Buffer => readFileSync(join(bench.workspace, path));

describe('a Word document', () => {
  it('has headings, lists, tables and marks, as another reader finds them', async () => {
    expect(await make('docx')).toMatchObject({
      ok: true,
      content: expect.stringMatching(/^Created my_report\.docx \(\+\d+ -0\)\.$/) as string,
      files: [
        {
          name: 'my_report.docx',
          mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        },
      ],
    });
    const { value, messages } = await mammoth.convertToHtml({ buffer: bytesOf('my_report.docx') });
    expect(value).toContain(
      '<h1>My &lt;Report&gt;</h1><p>Intro with <strong>bold</strong>, <em>italic</em>, code &lt;x&gt;',
    );
    expect(value).toContain(
      'a link (https://a.example/x?y=1&amp;z=2) and a picture (https://b.example/p.png).</p>',
    );
    expect(value).toContain('<h2>Lists</h2><ol><li>one</li><li>two<ul><li>nested</li></ul></li></ol>');
    expect(value).toContain('<li>☑ done</li>');
    expect(value).toContain('<p>if (a &lt; 2) b();</p>');
    expect(value).toContain('<th><p><strong>Name</strong></p></th>');
    expect(value).toContain('<td><p>Paper &amp; ink</p></td><td><p>-12,50</p></td>');
    expect(value).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    // It knows no style for code, quotations, cells and rules, and says nothing worse.
    expect(messages.filter(({ message }) => !message.startsWith('Unrecognised paragraph style'))).toEqual([]);
  });

  it('is read by read_file as what was written', async () => {
    await make('docx');
    const { content: read } = await bench.call('read_file', { path: 'my_report.docx' });
    expect(read).toMatch(/^lines 1-\d+ of \d+; Word document\n# My <Report>\n\nIntro with bold, italic, /);
    expect(read).toContain('\n1. one\n2. two\n  - nested\n\n- ☑ done\n');
    expect(read).toContain('\n| Name | Amount\n| Paper & ink | -12,50\n');
  });

  it('has the same bytes each time, and a person sees its text before it is written', async () => {
    await make('docx');
    const first = bytesOf('my_report.docx');
    expect(await make('docx')).toMatchObject({
      ok: false,
      content: expect.stringContaining('exactly this content') as string,
    });
    expect(bytesOf('my_report.docx').equals(first)).toBe(true);
    const checked = bench.parse('create_document', { title: 'Other', content: 'Hello', format: 'docx' });
    expect(checked).toMatchObject({ subject: 'other.docx', need: { summary: 'Write other.docx' } });
    const result = await bench.call('create_document', { title: 'Other', content: 'Hello', format: 'docx' });
    expect(result.display).toMatchObject({
      kind: 'diff',
      path: 'other.docx',
      hunks: [{ lines: ['+# Other', '+', '+Hello'] }],
    });
  });

  it('is replaced by the session that wrote it, and by no other', async () => {
    await make('docx');
    expect(await make('docx', { content: 'New' })).toMatchObject({
      ok: true,
      content: expect.stringContaining('Replaced') as string,
    });
    const other = workbench(undefined, { root: bench.root, documents: documentsIn() });
    const result = await other.call('create_document', {
      title: 'My <Report>',
      content: 'Mine',
      format: 'docx',
    });
    expect(result).toMatchObject({
      ok: false,
      content: expect.stringContaining('is a Word document') as string,
    });
  });

  it('holds what XML cannot, without breaking', async () => {
    await make('docx', { content: 'a\u0001\ufffe & <b> "c" \ud800 \u{1F600} ]]>' });
    const { value } = await mammoth.extractRawText({ buffer: bytesOf('my_report.docx') });
    expect(value).toContain('a & <b> "c" \ufffd \u{1F600} ]]>');
  });
});

describe('an HTML page', () => {
  it('runs and loads nothing, and has what was written', async () => {
    await make('html');
    const html = bench.read('my_report.html');
    const { document } = parseHTML(html);
    const count = (selector: string): number => document.querySelectorAll(selector).length;
    expect(['script', 'img', 'link', 'iframe', 'object', 'base'].map(count)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`);
    expect(document.title).toBe('My <Report>');
    expect(document.querySelector('a')?.getAttribute('href')).toBe('https://a.example/x?y=1&z=2');
    expect(document.querySelector('ol ul li')?.textContent).toBe('nested');
    expect(document.querySelector('td')?.textContent).toBe('Paper & ink');
    expect(document.querySelector('pre code')?.textContent).toBe('if (a < 2) b();');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd', 'JaVaScRiPt:x'])(
    'has no link to %s',
    async (href) => {
      await make('html', { content: `[here](<${href}>) <a href="${href}" onclick="x()">there</a>` });
      const { document } = parseHTML(bench.read('my_report.html'));
      expect(document.querySelectorAll('a').length).toBe(0);
      expect(document.querySelector('p')?.textContent).toContain('here');
    },
  );
});

/** What stands in the file, or why there is none. */
async function csv(given: string): Promise<string> {
  const result = await make('csv', { content: given });
  return result.ok ? bench.read('my_report.csv') : result.content;
}

describe('CSV', () => {
  it('is the first table of the content', async () => {
    expect(await csv(content)).toBe('Name,Amount\r\nPaper & ink,"-12,50"\r\n');
  });

  it('is the content itself where that is CSV, with its own sign between cells', async () => {
    expect(await csv('a;b\n1;"x;y"\n')).toBe('a;b\r\n1;"x;y"\r\n');
    expect(await make('csv', { title: 'Two', content: '```csv\nname\nAnna\n```' })).toMatchObject({
      ok: true,
    });
    expect(bench.read('two.csv')).toBe('name\r\nAnna\r\n');
  });

  it('has no cell that a spreadsheet would run, and leaves numbers as they are', async () => {
    const cells = ['=1+1', '+cmd', '-cmd', '@SUM(A1)', ' =1', '-3', '+4.5', '-1,200.5', '1e5', 'a=b'];
    const table = `| x |\n|---|\n${cells.map((cell) => `| ${cell} |`).join('\n')}`;
    expect((await csv(table)).split('\r\n').slice(1, -1)).toEqual([
      "'=1+1",
      "'+cmd",
      "'-cmd",
      "'@SUM(A1)",
      "'=1",
      '-3',
      '+4.5',
      '"-1,200.5"',
      '1e5',
      'a=b',
    ]);
  });

  it('is refused where there is no table, with what to do', async () => {
    expect(await csv('Just a few words, as they come.\n\nAnd more.')).toContain(
      'There is no table in the content, and it is not CSV either. Write a Markdown table',
    );
  });
});

it('Markdown that takes minutes to be read is ended in time', async () => {
  const { ok, content: words } = await make('html', { content: `${'>'.repeat(20_000)} x` });
  expect(ok || words.includes('takes too long')).toBe(true);
});

it('a call without a format writes Markdown, word for word as before', async () => {
  await bench.call('create_document', { title: 'Plan', content: 'x' });
  expect(bench.read('plan.md')).toBe('# Plan\n\nx\n');
});
