/** PDF by hand, object by object. */
import { deflateSync } from 'node:zlib';

/** Number → what stands between `obj` and `endobj`. The first is the catalogue. */
export type PdfObjects = Readonly<Record<number, string | Buffer>>;

export function rawPdf(objects: PdfObjects, trailer = ''): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const places = new Map<number, number>();
  let at = pieces[0]?.length ?? 0;
  for (const [number, content] of Object.entries(objects)) {
    places.set(Number(number), at);
    const body = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
    const piece = Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    pieces.push(piece);
    at += piece.length;
  }
  const size = Math.max(0, ...places.keys()) + 1;
  const rows = Array.from({ length: size }, (_, number) => {
    const place = places.get(number);
    return place === undefined ? '0000000000 65535 f \n' : `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const end = `xref\n0 ${String(size)}\n${rows.join('')}trailer\n<< /Size ${String(size)} /Root 1 0 R ${trailer} >>\nstartxref\n${String(at)}\n%%EOF\n`;
  return Buffer.concat([...pieces, Buffer.from(end)]);
}

export function stream(content: Buffer | string, dictionary = ''): Buffer {
  const data = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  return Buffer.concat([
    Buffer.from(`<< /Length ${String(data.length)} ${dictionary} >>\nstream\n`, 'latin1'),
    data,
    Buffer.from('\nendstream'),
  ]);
}

export const flate = (content: Buffer | string, more = ''): Buffer =>
  stream(deflateSync(content, { level: 9 }), `/Filter /FlateDecode ${more}`);

const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** A page for each text; what is given of the page stands in each of them. */
export function pdfOf(texts: readonly string[], ofPage = '', more: PdfObjects = {}): Buffer {
  const pages = texts.map((_, index) => `${String(index * 2 + 10)} 0 R`);
  const objects: Record<number, string | Buffer> = {
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: `<< /Type /Pages /Kids [${pages.join(' ')}] /Count ${String(texts.length)} >>`,
    3: font,
  };
  for (const [index, text] of texts.entries()) {
    const at = index * 2 + 10;
    objects[at] =
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${String(at + 1)} 0 R ${ofPage} >>`;
    objects[at + 1] = stream(`BT /F1 12 Tf 72 720 Td (${text}) Tj ET`);
  }
  return rawPdf({ ...objects, ...more });
}
