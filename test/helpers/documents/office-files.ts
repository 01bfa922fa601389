/** Office documents and books by hand, as small as they can be. */
import { rawZip, type RawEntry } from './raw-zip.ts';

const head = '<?xml version="1.0" encoding="UTF-8"?>';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const sheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const slide = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main';

export type Relation = readonly [id: string, type: string, target: string, mode?: 'External'];

export const relationsXml = (all: readonly Relation[]): string =>
  `${head}<Relationships xmlns="${relations}">${all.map(([id, type, target, mode]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ''}/>`).join('')}</Relationships>`;

const types: RawEntry = {
  name: '[Content_Types].xml',
  content: `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
};

const root = (target: string): RawEntry => ({
  name: '_rels/.rels',
  content: relationsXml([['rId1', 'officeDocument', target]]),
});

export const packed = (name: string, content: string | Uint8Array): RawEntry => ({
  name,
  content,
  packed: true,
});

export const wordXml = (body: string, doctype = ''): string =>
  `${head}${doctype}<w:document xmlns:w="${word}" xmlns:r="${office}"><w:body>${body}</w:body></w:document>`;
export const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

/** `more` replaces parts of the same name. */
const zipOf = (parts: readonly RawEntry[], more: readonly RawEntry[]): Buffer =>
  rawZip([...parts.filter(({ name }) => !more.some((each) => each.name === name)), ...more]);

export const docxOf = (body: string, ...more: RawEntry[]): Buffer =>
  zipOf([types, root('word/document.xml'), packed('word/document.xml', wordXml(body))], more);

export const sheetXml = (rows: string, doctype = ''): string =>
  `${head}${doctype}<worksheet xmlns="${sheet}"><sheetData>${rows}</sheetData></worksheet>`;

export function xlsxOf(sheets: readonly string[], ...more: RawEntry[]): Buffer {
  const names = sheets.map((_, index) => `sheet${String(index + 1)}`);
  const listed = names.map(
    (name, index) => `<sheet name="${name}" sheetId="${String(index + 1)}" r:id="r${String(index + 1)}"/>`,
  );
  const workbook = `${head}<workbook xmlns="${sheet}" xmlns:r="${office}"><sheets>${listed.join('')}</sheets></workbook>`;
  const parts = [
    types,
    root('xl/workbook.xml'),
    packed('xl/workbook.xml', workbook),
    packed(
      'xl/_rels/workbook.xml.rels',
      relationsXml([
        ...names.map(
          (name, index) => [`r${String(index + 1)}`, 'worksheet', `worksheets/${name}.xml`] as const,
        ),
        ['shared', 'sharedStrings', 'sharedStrings.xml'],
        ['styles', 'styles', 'styles.xml'],
      ]),
    ),
    packed('xl/sharedStrings.xml', `${head}<sst xmlns="${sheet}"><si><t>shared</t></si></sst>`),
    packed(
      'xl/styles.xml',
      `${head}<styleSheet xmlns="${sheet}"><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0"/></cellXfs></styleSheet>`,
    ),
    ...sheets.map((rows, index) => packed(`xl/worksheets/sheet${String(index + 1)}.xml`, sheetXml(rows))),
  ];
  return zipOf(parts, more);
}

export const textRow = (text: string, row = 1): string =>
  `<row r="${String(row)}"><c r="A${String(row)}" t="inlineStr"><is><t>${text}</t></is></c></row>`;

export const slideXml = (text: string, doctype = ''): string =>
  `${head}${doctype}<p:sld xmlns:p="${slide}" xmlns:a="${drawing}"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`;

/** @param names of slides, where some of them are one */
export function pptxOf(slides: readonly string[], ...more: RawEntry[]): Buffer {
  const ids = slides.map((_, index) => `<p:sldId id="${String(256 + index)}" r:id="r${String(index + 1)}"/>`);
  const deck = `${head}<p:presentation xmlns:p="${slide}" xmlns:r="${office}"><p:sldIdLst>${ids.join('')}</p:sldIdLst></p:presentation>`;
  const parts = [
    types,
    root('ppt/presentation.xml'),
    packed('ppt/presentation.xml', deck),
    packed(
      'ppt/_rels/presentation.xml.rels',
      relationsXml(
        slides.map(
          (_, index) => [`r${String(index + 1)}`, 'slide', `slides/slide${String(index + 1)}.xml`] as const,
        ),
      ),
    ),
    ...slides.map((text, index) => packed(`ppt/slides/slide${String(index + 1)}.xml`, slideXml(text))),
  ];
  return zipOf(parts, more);
}

export const packageXml = (items: readonly string[], doctype = ''): string =>
  `${head}${doctype}<package xmlns="http://www.idpf.org/2007/opf"><manifest>${items.map((name, index) => `<item id="c${String(index)}" href="${name}" media-type="application/xhtml+xml"/>`).join('')}</manifest><spine>${items.map((_, index) => `<itemref idref="c${String(index)}"/>`).join('')}</spine></package>`;

export function epubOf(chapters: readonly string[], ...more: RawEntry[]): Buffer {
  const names = chapters.map((_, index) => `c${String(index + 1)}.xhtml`);
  const parts = [
    { name: 'mimetype', content: 'application/epub+zip' },
    {
      name: 'META-INF/container.xml',
      content: `${head}<container><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    },
    packed('OPS/book.opf', packageXml(names)),
    ...chapters.map((body, index) =>
      packed(`OPS/${names[index] ?? ''}`, `<!DOCTYPE html><html><body>${body}</body></html>`),
    ),
  ];
  return zipOf(parts, more);
}
