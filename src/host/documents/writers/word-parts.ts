/** The parts of a Word document beside its text. */
/** One list of numbers, which begins at its own number. */
export interface NumberedList {
  start: number;
}

export const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const wordNamespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

const officeTypes = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const relationTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageTypes = 'http://schemas.openxmlformats.org/package/2006';

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Without the signs that XML cannot hold. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, (sign) => (sign === '\n' || sign === '\t' ? sign : ''))
    .replaceAll(/[&<>"]/g, (sign) => signs[sign] ?? sign);

export const packageParts = (title: string): Record<string, string> => ({
  '[Content_Types].xml': `${xmlHead}<Types xmlns="${packageTypes}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${officeTypes}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${officeTypes}.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="${officeTypes}.numbering+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`,
  '_rels/.rels': `${xmlHead}<Relationships xmlns="${packageTypes}/relationships"><Relationship Id="rId1" Type="${relationTypes}/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="${packageTypes}/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`,
  'docProps/core.xml': `${xmlHead}<cp:coreProperties xmlns:cp="${packageTypes}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${xmlText(title)}</dc:title></cp:coreProperties>`,
  'word/_rels/document.xml.rels': `${xmlHead}<Relationships xmlns="${packageTypes}/relationships"><Relationship Id="rId1" Type="${relationTypes}/styles" Target="styles.xml"/><Relationship Id="rId2" Type="${relationTypes}/numbering" Target="numbering.xml"/></Relationships>`,
});

interface Style {
  id: string;
  name: string;
  paragraph?: string;
  run?: string;
}

/** Half points. */
const headingSizes = [36, 30, 26, 24, 22, 22];

const border = (side: string): string => `<w:${side} w:val="single" w:sz="4" w:space="4" w:color="A6A6A6"/>`;

const styles: readonly Style[] = [
  ...headingSizes.map((size, index) => ({
    id: `Heading${String(index + 1)}`,
    name: `heading ${String(index + 1)}`,
    paragraph: `<w:keepNext/><w:spacing w:before="320" w:after="120"/><w:outlineLvl w:val="${String(index)}"/>`,
    run: `<w:b/><w:sz w:val="${String(size)}"/>`,
  })),
  { id: 'ListParagraph', name: 'List Paragraph', paragraph: '<w:spacing w:after="60"/>' },
  {
    id: 'Quote',
    name: 'Quote',
    paragraph: `<w:pBdr>${border('left')}</w:pBdr><w:ind w:left="360"/>`,
    run: '<w:i/>',
  },
  {
    id: 'Code',
    name: 'Code',
    paragraph:
      '<w:shd w:val="clear" w:color="auto" w:fill="F2F2F2"/><w:spacing w:before="120" w:after="120" w:line="240" w:lineRule="auto"/>',
    run: '<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/><w:sz w:val="20"/>',
  },
  { id: 'Cell', name: 'Table Text', paragraph: '<w:spacing w:before="40" w:after="40"/>' },
  { id: 'Rule', name: 'Rule', paragraph: `<w:pBdr>${border('bottom')}</w:pBdr>` },
];

const styleXml = ({ id, name, paragraph = '', run = '' }: Style): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:qFormat/><w:pPr>${paragraph}</w:pPr><w:rPr>${run}</w:rPr></w:style>`;

const tableSides = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'];

export const stylesXml = `${xmlHead}<w:styles ${wordNamespace}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri"/><w:sz w:val="22"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="140" w:line="276" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style><w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/></w:style><w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:basedOn w:val="TableNormal"/><w:tblPr><w:tblBorders>${tableSides.map(border).join('')}</w:tblBorders><w:tblCellMar><w:left w:w="100" w:type="dxa"/><w:right w:w="100" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style>${styles.map(styleXml).join('')}</w:styles>`;

const levels = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const bullets = ['•', '◦', '▪'];

const levelXml = (level: number, form: string, text: string): string =>
  `<w:lvl w:ilvl="${String(level)}"><w:start w:val="1"/><w:numFmt w:val="${form}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${String((level + 1) * 720)}" w:hanging="360"/></w:pPr></w:lvl>`;

const abstractXml = (id: number, levelsXml: readonly string[]): string =>
  `<w:abstractNum w:abstractNumId="${String(id)}"><w:multiLevelType w:val="hybridMultilevel"/>${levelsXml.join('')}</w:abstractNum>`;

/** The first is for all lists without numbers; each list with numbers has one of its own. */
export function numberingXml(lists: readonly NumberedList[]): string {
  const bulleted = levels.map((level) => levelXml(level, 'bullet', bullets[level % bullets.length] ?? '•'));
  const numbered = levels.map((level) => levelXml(level, 'decimal', `%${String(level + 1)}.`));
  const own = lists.map(({ start }, index) => {
    const restarts = levels.map(
      (level) =>
        `<w:lvlOverride w:ilvl="${String(level)}"><w:startOverride w:val="${String(start)}"/></w:lvlOverride>`,
    );
    return `<w:num w:numId="${String(index + 2)}"><w:abstractNumId w:val="1"/>${restarts.join('')}</w:num>`;
  });
  return `${xmlHead}<w:numbering ${wordNamespace}>${abstractXml(0, bulleted)}${abstractXml(1, numbered)}<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>${own.join('')}</w:numbering>`;
}
