import { describe, expect, it } from 'vitest';
import { docxOf, packed, paragraph } from '../../../../test/helpers/documents/office-files.ts';
import { readWord } from './word-text.ts';

const math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
const formula = (inner: string): string => `<m:oMath ${math}>${inner}</m:oMath>`;
const sign = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
const element = (name: string, ...inner: readonly string[]): string =>
  `<m:${name}>${inner.join('')}</m:${name}>`;

const field = (inner: string): string =>
  `<w:fldSimple w:instr="DATE"><w:fldData>QQ==</w:fldData>${inner}</w:fldSimple>`;

async function textOf(document: Uint8Array): Promise<string> {
  for await (const { text } of readWord(document)) return text.trim();
  return '';
}
const inParagraph = (inner: string): Promise<string> =>
  textOf(docxOf(`<w:p><w:r><w:t xml:space="preserve">E = </w:t></w:r>${inner}</w:p>`));

describe('an equation', () => {
  it('is read where it stands in its line', async () => {
    const power = element('sSup', element('e', sign('c')), element('sup', sign('2')));
    expect(await inParagraph(formula(sign('m') + power) + '<w:r><w:t>, he said</w:t></w:r>')).toBe(
      'E = mc^2, he said',
    );
  });

  it('in a paragraph of its own is read', async () => {
    const own = `<m:oMathPara ${math}><m:oMathParaPr><m:jc m:val="center"/></m:oMathParaPr>${formula(sign('a+b'))}</m:oMathPara>`;
    expect(await textOf(docxOf(`<w:p>${own}</w:p>${paragraph('after')}`))).toBe('a+b\n\nafter');
  });

  it.each([
    ['a fraction', element('f', element('num', sign('a+b')), element('den', sign('2'))), '(a+b)/2'],
    ['an index', element('sSub', element('e', sign('x')), element('sub', sign('10'))), 'x_(10)'],
    ['a root', element('rad', element('deg', sign('3')), element('e', sign('x'))), '3√x'],
    ['brackets', element('d', element('e', sign('x'))), '(x)'],
    [
      'others',
      element('d', '<m:dPr><m:begChr m:val="["/><m:endChr m:val="["/></m:dPr>', element('e', sign('x'))),
      '[x[',
    ],
    ['what was deleted', `<w:del w:id="1">${sign('y')}</w:del>${sign('x')}`, 'x'],
    ['another equation', formula(sign('x')) + sign('y'), 'xy'],
    ['nothing', '', ''],
  ])('with %s in it is read in one line', async (_, inner, text) => {
    expect(await inParagraph(formula(inner))).toBe(`E = ${text}`.trim());
  });

  it('is text, whatever it looks like', async () => {
    const signs = sign('a&lt;/w:t&gt;&lt;w:t&gt;b &amp;amp; &#1;c') + sign('<![CDATA[<w:br/>]]>');
    expect(await inParagraph(formula(signs))).toBe('E = a</w:t><w:t>b &amp; c<w:br/>');
  });

  it('that was deleted is not read', async () => {
    expect(await inParagraph(`<w:del w:id="1">${formula(sign('x'))}</w:del>`)).toBe('E =');
  });
});

describe('a field', () => {
  const run = '<w:r><w:t>2024</w:t></w:r>';

  it('is read as what it shows', async () => {
    expect(await inParagraph(`${field(run)}<w:fldSimple w:instr="PAGE"/>`)).toBe('E = 2024');
  });

  it('in another field, with an equation in it, is read', async () => {
    expect(await inParagraph(field(`${run}${field(formula(sign('x')))}`))).toBe('E = 2024x');
  });

  it('of a footnote is read', async () => {
    const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
    const notes = `<w:footnotes xmlns:w="${word}"><w:footnote w:id="2"><w:p>${field(run)}</w:p></w:footnote></w:footnotes>`;
    const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes" Target="footnotes.xml"/></Relationships>`;
    const body = '<w:p><w:r><w:t>See</w:t><w:footnoteReference w:id="2"/></w:r></w:p>';
    const document = docxOf(
      body,
      packed('word/footnotes.xml', notes),
      packed('word/_rels/document.xml.rels', relations),
    );
    expect(await textOf(document)).toContain('2024');
  });
});
