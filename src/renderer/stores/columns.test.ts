import { describe, expect, it } from 'vitest';
import { clampWidth, fitColumns } from './columns.ts';

const both = { left: true, right: true };
const widths = (windowPx: number, left: number | null, right: number | null, shown = both) => {
  const columns = fitColumns(windowPx, { left, right }, shown);
  return [columns.left.width, columns.right.width];
};

describe('the columns', () => {
  it('are as drawn until somebody draws them otherwise', () => {
    expect(widths(1440, null, null)).toEqual([240, 312]);
    expect(widths(1920, 300, 420)).toEqual([300, 420]);
  });

  it('keep within their limits, whatever was remembered', () => {
    expect(widths(2560, 20, 4000)).toEqual([200, 560]);
    expect(widths(2560, 4000, -1)).toEqual([400, 264]);
  });

  it('give back what the transcript lacks, the right one first, and never more than makes them as drawn', () => {
    expect(widths(1500, 260, 460)).toEqual([260, 424]);
    expect(widths(1400, 300, 460)).toEqual([272, 312]);
    expect(widths(1200, 400, 560)).toEqual([240, 312]);
    expect(widths(1200, 210, 560)).toEqual([210, 312]);
  });

  it('may grow as far as the transcript keeps its own column', () => {
    const { left, right } = fitColumns(1440, { left: null, right: null }, both);
    expect([left.most, right.most]).toEqual([312, 384]);
    const alone = fitColumns(1440, { left: null, right: null }, { left: true, right: false });
    expect(alone.left.most).toBe(400);
    expect(fitColumns(1100, { left: null, right: null }, both).left.most).toBe(240);
  });

  it('are drawn in whole pixels', () => {
    const { left } = fitColumns(1920, { left: null, right: null }, both);
    expect([clampWidth(233.4, left), clampWidth(1, left), clampWidth(999, left)]).toEqual([233, 200, 400]);
  });
});
