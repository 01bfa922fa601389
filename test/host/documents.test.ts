/** Documents of other programs, read as text by the tools of a session. */
import { copyFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workbench, type Workbench } from '../../src/host/tools/testing.ts';
import { systemProcesses } from '../../src/platform/processes.ts';
import { documentPath } from '../helpers/documents/hostile-documents.ts';
import {
  docxOf,
  packed,
  paragraph,
  pptxOf,
  textRow,
  wordXml,
  xlsxOf,
} from '../helpers/documents/office-files.ts';
import { rawZip } from '../helpers/documents/raw-zip.ts';
import { documentsIn, type Place } from '../helpers/documents/try-document.ts';
import { flate, pdfOf, rawPdf, stream } from '../helpers/documents/written-pdf.ts';
import { sandboxHere } from '../helpers/mcp/mcp-world.ts';

let bench: Workbench;
let started: number;
beforeEach(() => {
  started = 0;
  const processes = {
    ...systemProcesses,
    run: (...given: Parameters<typeof systemProcesses.run>) => {
      started += 1;
      return systemProcesses.run(...given);
    },
  };
  bench = workbench(undefined, { documents: documentsIn({}, processes) });
});
afterEach(() => bench.remove());

const give = (name: string, as = name): void => copyFileSync(documentPath(name), join(bench.workspace, as));
const readFile = async (path: string, more: object = {}): Promise<string> =>
  (await bench.call('read_file', { path, ...more })).content;

describe('what another program wrote', () => {
  it.each([
    [
      'report.pdf',
      'lines 1-9 of 9; PDF, 3 pages\n[page 1]\nQuarterly report, part 1\nTurnover of Café Straße 1: 1000 EUR\n[page 2]\nQuarterly report, part 2\nTurnover of Café Straße 2: 2000 EUR\n[page 3]\nQuarterly report, part 3\nTurnover of Café Straße 3: 3000 EUR',
    ],
    [
      'minutes.docx',
      'lines 1-10 of 10; Word document\n# Minutes\n\nPresent: Anna and Zoë.\n\n- Buy paper\n\n## Costs\n\n| Item | Cost\n| Paper | 12.50',
    ],
    [
      'budget.xlsx',
      'lines 1-8 of 8; Workbook, 2 sheets\n[sheet 1: Budget]\nMonth | Amount | Paid\n2026-03-01 | 1250.5 | true\n2026-04-01 13:30:00 | -3 | false\n[rows 4-19 are empty]\nfar below\n[sheet 2: Notes & more]\n | ß <b>',
    ],
    [
      'plan.pptx',
      'lines 1-9 of 9; Presentation, 2 slides\n[slide 1]\nPlan\nFirst\nSecond\nNotes: Say hello.\n[slide 2]\nTable\n| r0c0 | r0c1\n| r1c0 | r1c1',
    ],
    [
      'book.epub',
      'lines 1-8 of 8; E-book, 2 chapters\n[chapter 1]\n# Chapter 1\n\nBread & water, 1.\n[chapter 2]\n# Chapter 2\n\nBread & water, 2.',
    ],
  ])('read_file reads %s as text, part by part', async (name, text) => {
    give(name);
    expect(await readFile(name)).toBe(text);
  });

  it('a document is told by its bytes, whatever its name says', async () => {
    give('report.pdf', 'notes.txt');
    give('minutes.docx', 'minutes.zip');
    bench.write('letter.pdf', 'Dear Anna,\n');
    expect(await readFile('notes.txt')).toContain('; PDF, 3 pages\n');
    expect(await readFile('minutes.zip')).toContain('; Word document\n');
    expect(await readFile('letter.pdf')).toBe('lines 1-1 of 1\nDear Anna,');
  });

  it('the card of a document says what it is', async () => {
    give('report.pdf');
    expect((await bench.call('read_file', { path: 'report.pdf' })).display).toMatchObject({
      kind: 'file',
      readAs: 'PDF, 3 pages',
      firstLine: 1,
      totalLines: 9,
    });
  });
});

const places: Record<string, () => Promise<Place>> = {
  'a process in the sandbox': async () => ({ sandbox: await sandboxHere() }),
  'a process': () => Promise.resolve({}),
  'a thread': () => Promise.resolve({ nodePath: null }),
};

it.each(Object.keys(places))('every kind of document is read in %s', async (place) => {
  const documents = documentsIn(await places[place]?.());
  const names = ['report.pdf', 'minutes.docx', 'budget.xlsx', 'plan.pptx', 'book.epub'];
  const read = names.map(async (name) => {
    const path = documentPath(name);
    return (await documents.read({ path, shown: name, stat: null }, new AbortController().signal))?.about;
  });
  expect(await Promise.all(read)).toEqual([
    'PDF, 3 pages',
    'Word document',
    'Workbook, 2 sheets',
    'Presentation, 2 slides',
    'E-book, 2 chapters',
  ]);
});

describe('a long document', () => {
  const pages = Array.from(
    { length: 200 },
    (_, page) => `Text of page ${String(page + 1)}: ${'word '.repeat(12)}`,
  );

  it('is read on by lines, and its first line says where later pages begin', async () => {
    bench.write('long.pdf', pdfOf(pages));
    const first = await readFile('long.pdf');
    const [head = ''] = first.split('\n', 1);
    expect(head).toMatch(
      /^lines 1-(\d+) of 400; PDF, 200 pages; page \d+ from line \d+, page \d+ from line \d+, page \d+ from line \d+, page 200 from line 399; read on with start_line \d+$/,
    );
    const next = Number(/start_line (\d+)/.exec(head)?.[1]);
    expect(await readFile('long.pdf', { start_line: next, end_line: next })).toContain(
      `lines ${String(next)}-${String(next)} of 400`,
    );
    expect(await readFile('long.pdf', { start_line: 399 })).toMatch(
      /^lines 399-400 of 400; PDF, 200 pages\n\[page 200\]\nText of page 200/,
    );
    expect(await readFile('long.pdf', { start_line: 401 })).toContain('has only 400 lines');
  });

  it('is parsed once while it stays the same file, and again once it is another', async () => {
    bench.write('long.pdf', pdfOf(pages));
    await readFile('long.pdf');
    await readFile('long.pdf', { start_line: 100 });
    expect(started).toBe(1);
    bench.write('long.pdf', pdfOf(['Other']));
    utimesSync(join(bench.workspace, 'long.pdf'), 1, 1);
    expect(await readFile('long.pdf')).toContain('Other');
    expect(started).toBe(2);
  });

  it('of more pages than are read says so where it begins', async () => {
    bench.write('long.pdf', pdfOf(Array.from({ length: 2_001 }, () => 'x')));
    expect(await readFile('long.pdf')).toMatch(
      /^lines 1-\d+ of 4000; PDF, 2,001 pages, only its first 2,000 pages are read; /,
    );
  });

  it('is read to its end by reading on, however long its paragraphs are', async () => {
    bench.write('long.docx', docxOf(paragraph('word '.repeat(5_000))));
    let words = 0;
    for (let line: number | undefined = 1; line !== undefined;) {
      const read: string = await readFile('long.docx', { start_line: line });
      words += read.match(/word\b/g)?.length ?? 0;
      const next: string | undefined = /start_line (\d+)/.exec(read)?.[1];
      line = next === undefined ? undefined : Number(next);
    }
    expect(words).toBe(5_000);
  });
});

describe('a document that is not read', () => {
  const pdfBomb = pdfOf(['Hello'], '', { 11: flate(Buffer.alloc(30_000_000, ' ')) });
  const declaring = wordXml(paragraph('&a;'), '<!DOCTYPE x [<!ENTITY a "ha">]>');
  const bomb = docxOf('', packed('word/document.xml', wordXml(paragraph(' '.repeat(30_000_000)))));

  it.each([
    ['under a password', () => readFileSync(documentPath('locked.pdf')), 'is protected by a password'],
    ['of pictures alone', () => readFileSync(documentPath('scan.pdf')), 'has no text, only pictures'],
    ['that is damaged', () => rawPdf({ 1: '<< /Type /Catalog >>' }), 'is damaged'],
    ['that is cut', () => readFileSync(documentPath('minutes.docx')).subarray(0, 9_000), 'is damaged'],
    ['that unpacks to too much', () => bomb, 'unpacks to more than 100 times its size'],
    ['of PDF that unpacks to too much', () => pdfBomb, 'unpacks to more than 100 times its size'],
    [
      'that declares entities',
      () => docxOf('', packed('word/document.xml', declaring)),
      'declares entities of XML',
    ],
    ['that nests too deep', () => docxOf('<w:p>'.repeat(300) + '</w:p>'.repeat(300)), 'is nested too deep'],
    [
      'whose checksum is wrong',
      () => docxOf('', { ...packed('word/document.xml', wordXml(paragraph('a'))), saidCrc: 7 }),
      'is damaged',
    ],
    [
      'of which a part is encrypted',
      () => docxOf('', { ...packed('word/document.xml', wordXml(paragraph('a'))), isEncrypted: true }),
      'is protected by a password',
    ],
    [
      'of an old Office',
      () => Buffer.from('d0cf11e0a1b11ae1'.padEnd(400, '0'), 'hex'),
      'is in an old format',
    ],
    [
      'with a cell far away',
      () => xlsxOf(['<row r="1048576"><c r="XFD1048576"/></row>']),
      'has a sheet with room for more than 5,000,000 cells',
    ],
  ])('%s says why, and what to do', async (_, bytes, words) => {
    bench.write('file', bytes());
    const { ok, content } = await bench.call('read_file', { path: 'file' });
    expect([ok, content]).toEqual([false, expect.stringContaining(`Error: file ${words}`) as string]);
    expect(content.split('. ').length).toBeGreaterThan(1);
  });

  it('is too large, and no reader is started for it', async () => {
    writeFileSync(
      join(bench.workspace, 'large.pdf'),
      Buffer.concat([pdfOf(['x']), Buffer.alloc(51 * 2 ** 20)]),
    );
    expect(await readFile('large.pdf')).toContain('a document may have 50 MB');
    expect(started).toBe(0);
  });

  it('is refused at once the second time, as long as it is the same file', async () => {
    bench.write('bomb.docx', bomb);
    expect(await readFile('bomb.docx')).toBe(await readFile('bomb.docx'));
    expect(started).toBe(1);
  });

  it('is a plain archive, for which no reader is started', async () => {
    bench.write('notes.zip', rawZip([packed('notes.txt', 'Hello')]));
    expect(await readFile('notes.zip')).toContain('is not a text file');
    expect(started).toBe(0);
  });
});

it('Stop ends the reading of a document at once', async () => {
  bench.write('long.pdf', pdfOf(Array.from({ length: 2_000 }, () => 'x')));
  const stop = new AbortController();
  const reading = bench.call('read_file', { path: 'long.pdf' }, { signal: stop.signal });
  await expect.poll(() => started).toBe(1);
  stop.abort();
  expect((await reading).content).toBe('operation cancelled by user');
});

describe('what a document holds beside its text', () => {
  it('a script of a PDF is no text and does not run', async () => {
    const open = '<< /S /JavaScript /JS (globalThis.process.exit\\(9\\)) >>';
    bench.write(
      'a.pdf',
      pdfOf(['Hello'], '', { 1: `<< /Type /Catalog /Pages 2 0 R /OpenAction ${open} >>` }),
    );
    expect(await readFile('a.pdf')).toBe('lines 1-2 of 2; PDF, 1 page\n[page 1]\nHello');
  });

  it('a formula is read by its last value', async () => {
    bench.write('a.xlsx', xlsxOf(['<row r="1"><c r="A1"><f>1+1</f><v>2</v></c></row>', textRow('next')]));
    expect(await readFile('a.xlsx')).toBe(
      'lines 1-4 of 4; Workbook, 2 sheets\n[sheet 1: sheet1]\n2\n[sheet 2: sheet2]\nnext',
    );
  });

  it('a cell that does not say its place follows the one before it', async () => {
    const rows =
      '<row><c><v>1</v></c><c r="D1"><v>2</v></c><c><v>3</v></c></row><row r="3"><c><v>4</v></c></row>';
    bench.write('a.xlsx', xlsxOf([rows]));
    expect(await readFile('a.xlsx')).toContain('\n1 |  |  | 2 | 3\n\n4');
  });

  it('a time alone is no date, and a number has no digits that nobody wrote', async () => {
    const formats = '<cellXfs><xf numFmtId="0"/><xf numFmtId="20"/><xf numFmtId="22"/></cellXfs>';
    const styles = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${formats}</styleSheet>`;
    const values = ['0.30000000000000004', '0.5625', '46113.5'];
    const row = values
      .map((value, at) => `<c r="${'ABC'.charAt(at)}1" s="${String(at)}"><v>${value}</v></c>`)
      .join('');
    bench.write('a.xlsx', xlsxOf([`<row r="1">${row}</row>`], packed('xl/styles.xml', styles)));
    expect(await readFile('a.xlsx')).toContain('\n0.3 | 13:30:00 | 2026-04-01 12:00:00');
  });

  it('a word of a PDF that is drawn twice to look bold is read once', async () => {
    const words =
      'BT /F1 9 Tf 9 99 Td (Total) Tj ET BT /F1 9 Tf 9.3 99 Td (Total) Tj ET BT /F1 9 Tf 9 9 Td (Total) Tj ET';
    bench.write('a.pdf', pdfOf(['x'], '', { 11: stream(words) }));
    expect((await readFile('a.pdf')).match(/Total/g)).toHaveLength(2);
  });

  it('slides come in the order of the presentation, not of their names', async () => {
    const [one, two] = ['ppt/slides/slide1.xml', 'ppt/slides/slide2.xml'];
    bench.write(
      'a.pptx',
      pptxOf(
        ['first', 'second'],
        packed(
          'ppt/_rels/presentation.xml.rels',
          `<Relationships><Relationship Id="r1" Type="x/slide" Target="/${two}"/><Relationship Id="r2" Type="x/slide" Target="/${one}"/></Relationships>`,
        ),
      ),
    );
    expect(await readFile('a.pptx')).toBe(
      'lines 1-4 of 4; Presentation, 2 slides\n[slide 1]\nsecond\n[slide 2]\nfirst',
    );
  });

  it('a page that is damaged is named, and the others are read', async () => {
    bench.write(
      'a.pdf',
      rawPdf({
        1: '<< /Type /Catalog /Pages 2 0 R >>',
        2: '<< /Type /Pages /Kids [10 0 R 8 0 R] /Count 2 >>',
        3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        10: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents 11 0 R >>',
        11: stream('BT /F1 9 Tf 9 9 Td (Hello) Tj ET'),
      }),
    );
    expect(await readFile('a.pdf')).toBe(
      'lines 1-3 of 3; PDF, 2 pages\n[page 1]\nHello\n[page 2, which is damaged]',
    );
  });
});

describe('a document that is to be changed', () => {
  it.each([
    ['edit_file', { path: 'report.pdf', old_text: 'part 1', new_text: 'part 2' }],
    ['write_file', { path: 'report.pdf', content: 'new' }],
  ])('%s says that it cannot be, also once it was read', async (tool, args) => {
    give('report.pdf');
    await readFile('report.pdf');
    const { ok, content } = await bench.call(tool, args);
    expect([ok, content]).toEqual([
      false,
      'Error: report.pdf is a PDF, which cannot be changed with this tool. Write what is to change into a new file, or use a command.',
    ]);
  });
});
