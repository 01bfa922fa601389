/** Markdown as a Word document: text, styles and numbers of lists, and nothing that runs or is loaded. */
import { strToU8, zipSync } from 'fflate';
import type { MarkedToken, Token, Tokens } from 'marked';
import type { UnwrittenDocument } from '../../tools/document-access.ts';
import { blocksOf, runsOf, type Run, type RunMark } from './inline-runs.ts';
import {
  numberingXml,
  packageParts,
  stylesXml,
  wordNamespace,
  xmlHead,
  xmlText,
  type NumberedList,
} from './word-parts.ts';

/** Word has nine levels of lists. */
const maxLevel = 8;

interface Place {
  /** Of the list around it; -1 = there is none. */
  level: number;
  style: string | null;
}

const body: Place = { level: -1, style: null };

export function wordOf({ title, content }: UnwrittenDocument): Uint8Array {
  const lists: NumberedList[] = [];
  const blocks = blocksOf(content).map((token) => blockXml(token, body, lists));
  const all = [paragraph([{ text: title, marks: [] }], { style: 'Heading1' }), ...blocks].join('');
  const page =
    '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1418" w:right="1418" w:bottom="1418" w:left="1418" w:header="709" w:footer="709" w:gutter="0"/></w:sectPr>';
  const parts: Record<string, string> = {
    ...packageParts(title),
    'word/document.xml': `${xmlHead}<w:document ${wordNamespace}><w:body>${all}${page}</w:body></w:document>`,
    'word/styles.xml': stylesXml,
    'word/numbering.xml': numberingXml(lists),
  };
  const entries = Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)] as const);
  // The same document has the same bytes, whenever it is written.
  return zipSync(Object.fromEntries(entries), { level: 6, mtime: new Date(2000, 0, 1) });
}

const blocksXml = (tokens: readonly Token[], place: Place, lists: NumberedList[]): string =>
  tokens.map((token) => blockXml(token as MarkedToken, place, lists)).join('');

function blockXml(token: MarkedToken, place: Place, lists: NumberedList[]): string {
  const { style, level } = place;
  const at = { style, indent: level + 1 };
  switch (token.type) {
    case 'space':
    case 'def':
      return '';
    case 'heading':
      return paragraph(runsOf(token.tokens), { style: `Heading${String(token.depth)}` });
    case 'code':
      return paragraph([{ text: token.text, marks: [] }], { style: 'Code', indent: level + 1 });
    case 'blockquote':
      return blocksXml(token.tokens, { ...place, style: 'Quote' }, lists);
    case 'list':
      return listXml(token, place, lists);
    case 'table':
      return tableXml(token);
    case 'hr':
      return paragraph([], { style: 'Rule' });
    case 'paragraph':
      return paragraph(runsOf(token.tokens), at);
    case 'br':
    case 'checkbox':
    case 'codespan':
    case 'del':
    case 'em':
    case 'escape':
    case 'image':
    case 'link':
    case 'list_item':
    case 'strong':
    case 'text':
    case 'html':
      return paragraph(runsOf([token]), at);
  }
}

function listXml(
  { ordered, start, items }: Tokens.List,
  { level, style }: Place,
  lists: NumberedList[],
): string {
  const inner = Math.min(level + 1, maxLevel);
  let number = 1;
  if (ordered) {
    lists.push({ start: typeof start === 'number' ? start : 1 });
    // The first one is for all lists without numbers.
    number = lists.length + 1;
  }
  return items
    .map(({ tokens, task, checked }) => {
      const hasBox = tokens.some(({ type }) => type === 'checkbox');
      const box: Run[] = task && !hasBox ? [{ text: checked === true ? '☑ ' : '☐ ', marks: [] }] : [];
      const at = tokens.findIndex((token) => !isInline(token));
      const lead = at === -1 ? tokens : tokens.slice(0, at);
      const rest = at === -1 ? [] : tokens.slice(at);
      const [first] = rest;
      // A loose list has its words in a paragraph.
      const isLoose = lead.length === 0 && first?.type === 'paragraph';
      const words = isLoose ? runsOf(first.tokens) : runsOf(lead);
      const below = isLoose ? rest.slice(1) : rest;
      const head = paragraph([...box, ...words], { style, list: { number, level: inner } });
      return head + blocksXml(below, { level: inner, style }, lists);
    })
    .join('');
}

const isInline = ({ type }: Token): boolean => type === 'text' || type === 'checkbox';

function tableXml({ header, rows }: Tokens.Table): string {
  const cell = ({ tokens, align }: Tokens.TableCell, isHead: boolean): string =>
    `<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/></w:tcPr>${paragraph(runsOf(tokens, isHead ? ['bold'] : []), { style: 'Cell', align })}</w:tc>`;
  const row = (cells: readonly Tokens.TableCell[], isHead: boolean): string =>
    `<w:tr>${isHead ? '<w:trPr><w:tblHeader/></w:trPr>' : ''}${cells.map((each) => cell(each, isHead)).join('')}</w:tr>`;
  const grid = header.map(() => '<w:gridCol/>').join('');
  const properties = '<w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="0" w:type="auto"/></w:tblPr>';
  const all = [row(header, true), ...rows.map((cells) => row(cells, false))].join('');
  // Two tables in a row would become one.
  return `<w:tbl>${properties}<w:tblGrid>${grid}</w:tblGrid>${all}</w:tbl>${paragraph([], {})}`;
}

interface ParagraphForm {
  style?: string | null;
  indent?: number;
  align?: Tokens.TableCell['align'];
  list?: { number: number; level: number };
}

function paragraph(
  runs: readonly Run[],
  { style = null, indent = 0, align = null, list }: ParagraphForm,
): string {
  const properties = [
    style === null && list ? '<w:pStyle w:val="ListParagraph"/>' : '',
    style === null ? '' : `<w:pStyle w:val="${style}"/>`,
    list
      ? `<w:numPr><w:ilvl w:val="${String(list.level)}"/><w:numId w:val="${String(list.number)}"/></w:numPr>`
      : '',
    !list && indent > 0 ? `<w:ind w:left="${String(indent * 720)}"/>` : '',
    align ? `<w:jc w:val="${align}"/>` : '',
  ].join('');
  const head = properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`;
  return `<w:p>${head}${runs.map(runXml).join('')}</w:p>`;
}

const marked: Readonly<Record<RunMark, string>> = {
  bold: '<w:b/>',
  italic: '<w:i/>',
  strike: '<w:strike/>',
  code: '<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/>',
};
/** Word wants its properties in this order. */
const markOrder: readonly RunMark[] = ['code', 'bold', 'italic', 'strike'];

function runXml({ text, marks }: Run): string {
  const properties = markOrder.filter((mark) => marks.includes(mark)).map((mark) => marked[mark]);
  const head = properties.length === 0 ? '' : `<w:rPr>${properties.join('')}</w:rPr>`;
  const lines = text.split('\n').map(lineXml);
  return `<w:r>${head}${lines.join('<w:br/>')}</w:r>`;
}

const lineXml = (line: string): string =>
  line
    .split('\t')
    .map((piece) => (piece === '' ? '' : `<w:t xml:space="preserve">${xmlText(piece)}</w:t>`))
    .join('<w:tab/>');
