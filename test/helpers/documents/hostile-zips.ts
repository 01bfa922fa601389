/** Documents in zips that are made to hold, fill or break whoever reads them. */
import {
  docxOf,
  epubOf,
  packageXml,
  packed,
  paragraph,
  pptxOf,
  relationsXml,
  sheetXml,
  slideXml,
  textRow,
  wordXml,
  xlsxOf,
} from './office-files.ts';
import { rawZip } from './raw-zip.ts';

const megabyte = 2 ** 20;
const spaces = (megabytes: number): string => ' '.repeat(megabytes * megabyte);
const deep = (depth: number, name = 'w:p'): string => `<${name}>`.repeat(depth) + `</${name}>`.repeat(depth);

const laughs = Array.from({ length: 12 }, (_, index) =>
  index === 0 ? '<!ENTITY a0 "ha">' : `<!ENTITY a${String(index)} "${`&a${String(index - 1)};`.repeat(10)}">`,
).join('');
const laughing = `<!DOCTYPE x [${laughs}]>`;
const reading = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>';
const asking = '<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd">';

const bombs: Readonly<Record<string, () => Buffer>> = {
  'a text of 60 MB of blanks (docx)': () => docxOf(paragraph(spaces(60))),
  'a sheet of 60 MB of blanks (xlsx)': () => xlsxOf([textRow(spaces(60))]),
  'shared texts of 60 MB (xlsx)': () => xlsxOf([textRow('a')], packed('xl/sharedStrings.xml', spaces(60))),
  'a slide of 60 MB of blanks (pptx)': () => pptxOf([spaces(60)]),
  'a chapter of 60 MB of blanks (epub)': () => epubOf([spaces(60)]),
  'a package of 60 MB of blanks (epub)': () => epubOf(['x'], packed('OPS/book.opf', spaces(60))),
  'styles of 60 MB of blanks (docx)': () =>
    docxOf(
      paragraph('a'),
      packed('word/_rels/document.xml.rels', relationsXml([['r1', 'styles', 'styles.xml']])),
      packed('word/styles.xml', spaces(60)),
    ),
  '500 slides that are the same 1 MB': () => {
    const slides = Array.from({ length: 500 }, () => 'x');
    const first = packed('ppt/slides/slide1.xml', slideXml(spaces(1)));
    const same = slides
      .slice(1)
      .map((_, index) => ({ ...first, name: `ppt/slides/slide${String(index + 2)}.xml`, isSame: true }));
    return pptxOf(slides, first, ...same);
  },
  'a part that says it has ten bytes': () =>
    docxOf('', { ...packed('word/document.xml', wordXml(paragraph(spaces(60)))), saidBytes: 10 }),
  'a part that says it has 4 GB': () =>
    docxOf('', { ...packed('word/document.xml', wordXml(paragraph('a'))), saidBytes: 0xfffffff0 }),
  'a part that is a zip of zips': () => {
    let inner = rawZip([packed('x', spaces(20))]);
    for (let level = 0; level < 6; level += 1)
      inner = rawZip([packed('x.zip', inner), packed('y.zip', inner)]);
    return docxOf('', packed('word/document.xml', inner));
  },
  'a zip that holds itself': () => {
    const first = docxOf(paragraph('a'));
    return docxOf(paragraph('a'), packed('word/document.xml', first), packed('word/self.docx', first));
  },
};

const declared: Readonly<Record<string, () => Buffer>> = {
  'laughs in a text (docx)': () =>
    docxOf('', packed('word/document.xml', wordXml(paragraph('&a11;'), laughing))),
  'laughs in a sheet (xlsx)': () =>
    xlsxOf([''], packed('xl/worksheets/sheet1.xml', sheetXml(textRow('&a11;'), laughing))),
  'laughs in a slide (pptx)': () =>
    pptxOf([''], packed('ppt/slides/slide1.xml', slideXml('&a11;', laughing))),
  'laughs in a package (epub)': () =>
    epubOf(['x'], packed('OPS/book.opf', packageXml(['c1.xhtml'], laughing))),
  'laughs in a chapter (epub)': () =>
    epubOf([''], packed('OPS/c1.xhtml', `${laughing}<html><body>&a11;</body></html>`)),
  'a file of this computer (docx)': () =>
    docxOf('', packed('word/document.xml', wordXml(paragraph('&e;'), reading))),
  'a file of this computer (xlsx)': () =>
    xlsxOf([''], packed('xl/worksheets/sheet1.xml', sheetXml(textRow('&e;'), reading))),
  'a file of this computer (pptx)': () =>
    pptxOf([''], packed('ppt/slides/slide1.xml', slideXml('&e;', reading))),
  'a file of this computer (epub)': () =>
    epubOf([''], packed('OPS/c1.xhtml', `${reading}<html><body>&e;</body></html>`)),
  'a definition elsewhere (docx)': () =>
    docxOf('', packed('word/document.xml', wordXml(paragraph('a'), asking))),
};

const nested: Readonly<Record<string, () => Buffer>> = {
  'paragraphs 100,000 deep (docx)': () => docxOf(deep(100_000)),
  'paragraphs 250 deep (docx)': () => docxOf(deep(250)),
  'rows 100,000 deep (xlsx)': () => xlsxOf([deep(100_000, 'row')]),
  'shapes 100,000 deep (pptx)': () => pptxOf([''], packed('ppt/slides/slide1.xml', deep(100_000, 'p:sp'))),
  'boxes 100,000 deep (epub)': () => epubOf([deep(100_000, 'div')]),
  'boxes that never close (epub)': () => epubOf(['<div>'.repeat(200_000)]),
  'tables in tables (docx)': () => {
    const open = '<w:tbl><w:tr><w:tc>'.repeat(80);
    return docxOf(`${open}${paragraph('a')}${'</w:tc></w:tr></w:tbl>'.repeat(80)}`);
  },
};

const large: Readonly<Record<string, () => Buffer>> = {
  '300,000 empty paragraphs (docx)': () => docxOf('<w:p/>'.repeat(300_000)),
  'a paragraph of 5 million letters (docx)': () => docxOf(paragraph('word '.repeat(1_000_000))),
  'a cell at the last place (xlsx)': () =>
    xlsxOf([`<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>far</t></is></c></row>`]),
  'a row of no place (xlsx)': () =>
    xlsxOf([`<row r="99999999999"><c r="A1"/></row><row r="-4"><c r="ZZZZ9"/></row>`]),
  'rows upside down (xlsx)': () => xlsxOf([textRow('b', 9) + textRow('a', 3)]),
  '100,000 rows (xlsx)': () =>
    xlsxOf([
      Array.from({ length: 100_000 }, (_, index) => textRow(`row ${String(index)}`, index + 1)).join(''),
    ]),
  '2,500 sheets (xlsx)': () => xlsxOf(Array.from({ length: 2_500 }, () => textRow('a'))),
  'a text that is not shared (xlsx)': () => xlsxOf(['<row r="1"><c r="A1" t="s"><v>99999999</v></c></row>']),
  'a style that is none (xlsx)': () => xlsxOf(['<row r="1"><c r="A1" s="777"><v>1e308</v></c></row>']),
  'a formula that asks for a program (xlsx)': () =>
    xlsxOf(['<row r="1"><c r="A1" t="str"><f>cmd|\'/c calc\'!A1</f><v>x</v></c></row>']),
  '3,000 slides (pptx)': () => pptxOf(Array.from({ length: 3_000 }, (_, index) => `Slide ${String(index)}`)),
  'slides that are not there (pptx)': () =>
    pptxOf(
      ['a'],
      packed('ppt/_rels/presentation.xml.rels', relationsXml([['r1', 'slide', 'slides/none.xml']])),
    ),
  '3,000 chapters (epub)': () =>
    epubOf(Array.from({ length: 3_000 }, (_, index) => `<p>${String(index)}</p>`)),
  'a chapter 5,000 times (epub)': () =>
    epubOf(
      ['<p>again</p>'.repeat(2_000)],
      packed('OPS/book.opf', packageXml(Array.from({ length: 5_000 }, () => 'c1.xhtml'))),
    ),
  'a script in a chapter (epub)': () => epubOf(['<script>while(true);</script><p onclick="x()">Hello</p>']),
};

const misleading: Readonly<Record<string, () => Buffer>> = {
  'macros (docx)': () =>
    docxOf(paragraph('Hello'), packed('word/vbaProject.bin', 'Sub AutoOpen()\nShell "calc"\nEnd Sub')),
  'macros (xlsx)': () => xlsxOf([textRow('Hello')], packed('xl/vbaProject.bin', 'Sub Auto_Open()')),
  'a template elsewhere (docx)': () =>
    docxOf(
      paragraph('Hello'),
      packed(
        'word/_rels/document.xml.rels',
        relationsXml([['r1', 'attachedTemplate', 'http://127.0.0.1:1/evil.dotm', 'External']]),
      ),
    ),
  'a text elsewhere (docx)': () =>
    docxOf('', {
      name: '_rels/.rels',
      content: relationsXml([['r1', 'officeDocument', 'file:///etc/passwd', 'External']]),
    }),
  'a text outside (docx)': () =>
    docxOf('', {
      name: '_rels/.rels',
      content: relationsXml([['r1', 'officeDocument', '../../../../etc/passwd']]),
    }),
  'names that lead out (docx)': () =>
    docxOf(
      paragraph('Hello'),
      { name: '../../../../tmp/andiron-escaped', content: 'x' },
      { name: '/tmp/andiron-escaped', content: 'x' },
      { name: '..\\..\\andiron-escaped', content: 'x' },
      { name: 'a\0b', content: 'x' },
    ),
  'one name twice (docx)': () => {
    const [first, second] = [paragraph('first'), paragraph('second')].map((body) =>
      packed('word/document.xml', wordXml(body)),
    );
    return docxOf('', ...(first && second ? [first, second] : []));
  },
  'notes that are their own (docx)': () =>
    docxOf(
      `<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>`,
      packed('word/_rels/document.xml.rels', relationsXml([['r1', 'footnotes', 'footnotes.xml']])),
      packed(
        'word/footnotes.xml',
        wordXml('')
          .replaceAll('w:document', 'w:footnotes')
          .replace(
            '<w:body></w:body>',
            '<w:footnote w:id="1"><w:p><w:r><w:t>again</w:t><w:footnoteReference w:id="1"/></w:r></w:p></w:footnote>',
          ),
      ),
    ),
  'styles that are built on each other (docx)': () =>
    docxOf(
      '<w:p><w:pPr><w:pStyle w:val="A"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>',
      packed(
        'word/_rels/document.xml.rels',
        relationsXml([
          ['r1', 'styles', 'styles.xml'],
          ['r2', 'numbering', 'numbering.xml'],
        ]),
      ),
      packed(
        'word/styles.xml',
        wordXml('')
          .replaceAll('w:document', 'w:styles')
          .replace(
            '<w:body></w:body>',
            '<w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:type="paragraph" w:styleId="B"><w:basedOn w:val="A"/></w:style>',
          ),
      ),
      packed(
        'word/numbering.xml',
        wordXml('')
          .replaceAll('w:document', 'w:numbering')
          .replace('<w:body></w:body>', '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'),
      ),
    ),
  'relations that name each other (pptx)': () =>
    pptxOf(
      ['a'],
      packed('ppt/slides/_rels/slide1.xml.rels', relationsXml([['r1', 'notesSlide', 'slide1.xml']])),
    ),
  'a checksum that is wrong (docx)': () =>
    docxOf('', { ...packed('word/document.xml', wordXml(paragraph('a'))), saidCrc: 7 }),
  'a part under a password (docx)': () =>
    docxOf('', { ...packed('word/document.xml', wordXml(paragraph('a'))), isEncrypted: true }),
  'chapters under a lock (epub)': () =>
    epubOf(
      ['a'],
      packed('META-INF/encryption.xml', '<encryption><CipherReference URI="OPS/c1.xhtml"/></encryption>'),
    ),
  'a container that leads nowhere (epub)': () =>
    epubOf(['a'], packed('META-INF/container.xml', '<container/>')),
  'a list of 65,535 that holds one': () => rawZip([packed('[Content_Types].xml', 'x')], 65_535),
  'only names (docx)': () =>
    rawZip([
      { name: '[Content_Types].xml', content: '' },
      { name: 'word/', content: '' },
    ]),
  'a zip and nothing else': () => rawZip([packed('notes.txt', 'Hello')]),
  'an end without a beginning': () => Buffer.concat([Buffer.from('PK\x03\x04'), rawZip([]).subarray(-22)]),
  '20,000 names (docx)': () =>
    docxOf(
      paragraph('Hello'),
      ...Array.from({ length: 20_000 }, (_, index) => ({ name: `x/${String(index)}`, content: '' })),
    ),
  'UTF-16 (docx)': () =>
    docxOf(
      '',
      packed(
        'word/document.xml',
        Buffer.concat([
          Buffer.from([0xff, 0xfe]),
          Buffer.from(wordXml(paragraph('Hello')).replace('UTF-8', 'UTF-16'), 'utf16le'),
        ]),
      ),
    ),
  'signs that no XML has (docx)': () => docxOf(paragraph('a&#0;&#xFFFF;&#x110000;\u0001\ufffe')),
};

export const hostileZips: Readonly<Record<string, () => Buffer>> = {
  ...bombs,
  ...declared,
  ...nested,
  ...large,
  ...misleading,
};
