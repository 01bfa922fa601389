import { describe, expect, it } from 'vitest';
import { packed, xlsxOf } from '../../../../test/helpers/documents/office-files.ts';
import { readWorkbook } from './sheet-text.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** Cells in the first row, the style of each by its index. */
const rowOf = (...values: readonly string[]): string =>
  `<row r="1">${values.map((value, at) => `<c r="${'ABCDEF'.charAt(at)}1" s="${String(at)}"><v>${value}</v></c>`).join('')}</row>`;

const placedCell = (place: string): string => `<c r="${place}" t="inlineStr"><is><t>${place}</t></is></c>`;

const idOf = (format: number | string, at: number): number =>
  typeof format === 'number' ? format : 164 + at;

/** Styles of cells in their order: ids of built-in formats, or formats as they are written. */
function stylesOf(...formats: readonly (number | string)[]) {
  const named = formats.flatMap((format, at) =>
    typeof format === 'number'
      ? []
      : [`<numFmt numFmtId="${String(idOf(format, at))}" formatCode="${format.replaceAll('"', '&quot;')}"/>`],
  );
  const cells = formats.map((format, at) => `<xf numFmtId="${String(idOf(format, at))}"/>`);
  const parts = `<numFmts>${named.join('')}</numFmts><cellStyleXfs><xf numFmtId="46"/></cellStyleXfs><cellXfs>${cells.join('')}</cellXfs>`;
  return packed('xl/styles.xml', `<styleSheet xmlns="${main}">${parts}</styleSheet>`);
}

/** The text of the first sheet. */
async function textOf(workbook: Uint8Array): Promise<string> {
  for await (const part of readWorkbook(workbook)) if ('text' in part) return part.text;
  return '';
}

describe('a time that is counted beyond a day', () => {
  it.each([
    ['[h]:mm', '1.6041666666666667', '38:30:00'],
    ['[hh]:mm:ss', '6.666666666666667', '160:00:00'],
    ['[HH]:MM:SS', '1', '24:00:00'],
    [46, '0.0625', '01:30:00'],
    ['[m]:ss', '0.05', '01:12:00'],
    ['"Total" [h]:mm;@', '-8.3333333333333329E-2', '-02:00:00'],
  ])('in the format %s of %s days is read as %s', async (format, days, text) => {
    expect(await textOf(xlsxOf([rowOf(days)], stylesOf(format)))).toBe(text);
  });

  it('leaves dates, times of a day and numbers as they are', async () => {
    const styles = stylesOf(0, 14, 20, 'yyyy-mm-dd\\ \\[h\\]', '0.0" [h]"', '[h]:mm');
    const row = rowOf('1.5', '46082', '0.5625', '46082', '1.5', '1.5');
    expect(await textOf(xlsxOf([row], styles))).toBe(
      '1.5 | 2026-03-01 | 13:30:00 | 2026-03-01 | 1.5 | 36:00:00',
    );
  });

  it('is read in a cell that does not say its place, and beside one that holds none', async () => {
    const cells = '<c s="0"><f>A1*2</f><v>2</v></c><c s="0"/><c s="0"><v/></c><c s="0" t="n"><v>1.25</v></c>';
    expect(await textOf(xlsxOf([`<row>${cells}</row>`], stylesOf('[h]:mm')))).toBe(
      '48:00:00 |  |  | 30:00:00',
    );
  });

  it('is read where only its cell says its row', async () => {
    const row = '<row><c r="B3" s="0"><v>1.5</v></c></row>';
    expect(await textOf(xlsxOf([row], stylesOf('[h]:mm')))).toBe('\n\n | 36:00:00');
  });

  it('leaves a text in such a cell as it is', async () => {
    const row = '<row r="1"><c r="A1" s="0" t="str"><f>""&amp;1</f><v>1</v></c></row>';
    expect(await textOf(xlsxOf([row], stylesOf('[h]:mm')))).toBe('1');
  });
});

describe('the size of a sheet', () => {
  it('is told by its cells, not by rows that have none', async () => {
    const rows = `<row r="1">${placedCell('A1')}${placedCell('AJ1')}</row><row r="1048575" hidden="false"><extLst/></row><row r="1048576" hidden="false"/>`;
    expect(await textOf(xlsxOf([rows]))).toMatch(/^A1[ |]+AJ1$/);
  });

  it('takes no room for a row without cells that is named far away', async () => {
    expect(await textOf(xlsxOf([`<row r="1">${placedCell('A1')}</row><row r="900000000000"/>`]))).toBe('A1');
  });

  it('leaves rows below an empty one where they are', async () => {
    const rows = `<row r="1">${placedCell('A1')}</row><row r="3"/><row>${placedCell('A5')}</row><row/><row>${placedCell('A7')}</row>`;
    expect(await textOf(xlsxOf([rows]))).toBe('A1\n[rows 2-4 are empty]\nA5\n\nA7');
  });

  it.each([
    ['its row says so', `<row r="1048576">${placedCell('F1048576')}</row>`],
    ['only the cell says so', `<row>${placedCell('F1048576')}</row>`],
    ['its row says so and the cell does not', `<row r="x"/><row r="1048576">${placedCell('F1')}</row>`],
  ])('is refused with a cell far away where %s', async (_, rows) => {
    await expect(textOf(xlsxOf([rows]))).rejects.toMatchObject({ problem: 'cells' });
  });
});

it.each(['1', 'true'])(
  'dates of a workbook that begins in 1904 are read as they are shown (%j)',
  async (said) => {
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const workbook = `<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr codeName="a" date1904="${said}"/><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`;
    const read = xlsxOf([rowOf('44620')], stylesOf(14), packed('xl/workbook.xml', workbook));
    expect(await textOf(read)).toBe('2026-03-01');
  },
);

it('a cell whose formula failed is read as its error', async () => {
  const cells =
    '<c r="A1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c s="0" t="e"><v>#N/A</v></c><c t="e"/><c t="b"><v>1</v></c>';
  expect(await textOf(xlsxOf([`<row r="1">${cells}</row>`]))).toBe('#DIV/0! | #N/A |  | true');
});
