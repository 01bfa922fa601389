/** PDFs that are made to hold, fill or break whoever reads them. */
import { deflateSync } from 'node:zlib';
import { flate, pdfOf, rawPdf, stream, type PdfObjects } from './written-pdf.ts';

const megabyte = 2 ** 20;
const catalogue = '<< /Type /Catalog /Pages 2 0 R >>';
const onePage = '<< /Type /Pages /Kids [10 0 R] /Count 1 >>';
const pageWith = (more: string): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 11 0 R ${more} >>`;
const withContent = (content: Buffer | string, more: PdfObjects = {}, ofPage = ''): Buffer =>
  rawPdf({ 1: catalogue, 2: onePage, 10: pageWith(ofPage), 11: content, ...more });

const font = '/Resources << /Font << /F1 3 0 R >> >>';
const many = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `Page number ${String(index + 1)}`);

/** Each page tree node has one child, and the last is the page. */
function deepTree(depth: number): Buffer {
  const objects: Record<number, string> = { 1: '<< /Type /Catalog /Pages 2 0 R >>' };
  for (let at = 2; at < depth; at += 1)
    objects[at] = `<< /Type /Pages /Parent ${String(at - 1)} 0 R /Kids [${String(at + 1)} 0 R] /Count 1 >>`;
  objects[depth] = `<< /Type /Page /Parent ${String(depth - 1)} 0 R /MediaBox [0 0 9 9] >>`;
  return rawPdf(objects);
}

/** Pages whose children are the same pages, so that they double with each level. */
function doublingTree(levels: number): Buffer {
  const objects: Record<number, string> = { 1: '<< /Type /Catalog /Pages 2 0 R >>' };
  for (let at = 2; at < levels + 2; at += 1)
    objects[at] =
      `<< /Type /Pages /Kids [${String(at + 1)} 0 R ${String(at + 1)} 0 R] /Count ${String(2 ** Math.min(30, levels + 2 - at))} >>`;
  objects[levels + 2] = '<< /Type /Page /MediaBox [0 0 9 9] >>';
  return rawPdf(objects);
}

const script = '<< /S /JavaScript /JS (while \\(true\\) app.alert\\(1\\)) >>';
const spaces = (megabytes: number): Buffer => Buffer.alloc(megabytes * megabyte, ' ');

export const hostilePdfs: Readonly<Record<string, () => Buffer>> = {
  '10,000 pages': () => pdfOf(many(10_000)),
  'pages that are their own child': () =>
    rawPdf({ 1: catalogue, 2: '<< /Type /Pages /Kids [2 0 R] /Count 1 >>' }),
  'pages that hold their parent': () =>
    rawPdf({
      1: catalogue,
      2: '<< /Type /Pages /Kids [5 0 R] /Count 1 >>',
      5: '<< /Type /Pages /Kids [2 0 R] /Count 1 >>',
    }),
  'a billion pages, as it says': () =>
    rawPdf({
      1: catalogue,
      2: '<< /Type /Pages /Kids [10 0 R] /Count 1000000000 >>',
      10: pageWith(''),
      11: stream(''),
    }),
  'fewer than no pages': () => rawPdf({ 1: catalogue, 2: '<< /Type /Pages /Kids [] /Count -5 >>' }),
  'no pages': () => rawPdf({ 1: catalogue, 2: '<< /Type /Pages /Kids [] /Count 0 >>' }),
  'a tree of pages 5,000 deep': () => deepTree(5_000),
  'a tree of pages that doubles 40 times': () => doublingTree(40),
  'a catalogue without pages': () => rawPdf({ 1: '<< /Type /Catalog >>' }),
  'a cross-reference that leads to itself': () => {
    const whole = pdfOf(['Hello']).toString('latin1');
    const at = /startxref\n(\d+)/.exec(whole)?.[1] ?? '0';
    return Buffer.from(whole.replace('/Root 1 0 R', `/Root 1 0 R /Prev ${at}`), 'latin1');
  },
  'content that unpacks to 200 MB': () => withContent(flate(spaces(200))),
  'content packed twice, to 100 MB': () =>
    withContent(
      stream(
        deflateSync(deflateSync(spaces(100), { level: 9 }), { level: 9 }),
        '/Filter [/FlateDecode /FlateDecode]',
      ),
    ),
  'content of 150 MB that says it is a picture': () =>
    withContent(flate(spaces(150), '/Subtype /Image /Width 1 /Height 1')),
  'a picture of 100,000 by 100,000': () =>
    withContent(
      stream('q 500 0 0 500 0 0 cm /I Do Q'),
      {
        12: flate(
          Buffer.alloc(megabyte),
          '/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /ColorSpace /DeviceRGB /BitsPerComponent 8',
        ),
      },
      '/Resources << /XObject << /I 12 0 R >> >>',
    ),
  'runs of one byte': () =>
    withContent(stream(Buffer.alloc(4 * megabyte, Buffer.from([129, 32])), '/Filter /RunLengthDecode')),
  'a form that draws itself': () =>
    withContent(
      stream('/X Do'),
      {
        12: stream(
          '/X Do',
          '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 12 0 R >> >>',
        ),
      },
      '/Resources << /XObject << /X 12 0 R >> >>',
    ),
  'forms that draw the next one ten times': () => {
    const forms: Record<number, Buffer> = {};
    for (let at = 12; at < 24; at += 1)
      forms[at] = stream(
        '/X Do '.repeat(10),
        `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${String(at + 1)} 0 R >> >>`,
      );
    return withContent(stream('/X Do'), forms, '/Resources << /XObject << /X 12 0 R >> >>');
  },
  'two million words on a page': () =>
    withContent(
      flate(`BT /F1 9 Tf ${'(ab) Tj 0 -9 Td '.repeat(2_000_000)} ET`),
      {
        3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      },
      font,
    ),
  'a string without an end': () => withContent(stream(`BT /F1 9 Tf (${'('.repeat(megabyte)}`), {}, font),
  'lists 100,000 deep': () => withContent(stream(`${'['.repeat(100_000)}${']'.repeat(100_000)} TJ`)),
  'an object that is lists 50,000 deep': () =>
    withContent(stream(''), {}, `/Deep ${'['.repeat(50_000)}${']'.repeat(50_000)}`),
  'a font whose map unpacks to 100 MB': () =>
    withContent(
      stream('BT /F1 9 Tf (ab) Tj ET'),
      {
        3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 4 0 R >>',
        4: flate(spaces(100)),
      },
      font,
    ),
  'a font whose map has all ranges': () =>
    withContent(
      stream('BT /F1 9 Tf (ab) Tj ET'),
      {
        3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 4 0 R >>',
        4: stream(
          `begincmap ${'1 beginbfrange <00000000> <ffffffff> <0041> endbfrange '.repeat(200)} endcmap`,
        ),
      },
      font,
    ),
  'a font that is its own descendant': () =>
    withContent(
      stream('BT /F1 9 Tf (ab) Tj ET'),
      {
        3: '<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [3 0 R] >>',
      },
      font,
    ),
  'objects in a stream of objects that holds itself': () =>
    rawPdf({
      1: catalogue,
      2: onePage,
      10: pageWith(''),
      11: stream('11 0 1 0 ', '/Type /ObjStm /N 1 /First 5 /Extends 11 0 R'),
    }),
  'a script that never ends': () =>
    pdfOf(['Hello'], `/AA << /O ${script} >>`, {
      1: `<< /Type /Catalog /Pages 2 0 R /OpenAction ${script} >>`,
    }),
  'an action that starts a program': () =>
    pdfOf(['Hello'], '', {
      1: '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /Launch /F (/bin/sh) >> >>',
    }),
  'an encryption that nobody knows': () =>
    Buffer.from(
      pdfOf(['Hello'])
        .toString('latin1')
        .replace('/Root 1 0 R', '/Root 1 0 R /Encrypt << /Filter /Mine /V 99 /R 77 >>'),
      'latin1',
    ),
  'no cross-reference, and a million objects': () =>
    Buffer.from(`%PDF-1.7\n${'1 0 obj\n<<>>\nendobj\n'.repeat(300_000)}`),
  'nothing but its first line': () => Buffer.from('%PDF-1.7\n'),
};
