import { describe, expect, it } from 'vitest';
import { clampWidth, fitColumn } from './columns.ts';

const width = (windowPx: number, left: number | null) => fitColumn(windowPx, { left }).width;

describe('the list of sessions', () => {
  it('is as drawn until somebody draws it otherwise', () => {
    expect([width(1440, null), width(1920, 300)]).toEqual([240, 300]);
  });

  it('keeps within its limits, whatever was remembered', () => {
    expect([width(2560, 20), width(2560, 4000)]).toEqual([200, 400]);
  });

  it('gives back what the transcript lacks, and never more than makes it as drawn', () => {
    expect([width(1088, 300), width(1000, 400), width(1000, 210)]).toEqual([272, 240, 210]);
  });

  it('may grow as far as the transcript keeps its own column', () => {
    expect(fitColumn(1144, { left: null }).most).toBe(328);
    expect(fitColumn(1440, { left: null }).most).toBe(400);
    expect(fitColumn(1010, { left: null }).most).toBe(240);
  });

  it('is drawn in whole pixels', () => {
    const column = fitColumn(1920, { left: null });
    expect([clampWidth(233.4, column), clampWidth(1, column), clampWidth(999, column)]).toEqual([
      233, 200, 400,
    ]);
  });
});
