/** Figures and gates of the engine bench, and the arithmetic that its parts share. */

export interface Gate {
  figure: string;
  at: 'most' | 'least' | 'exactly' | 'above';
  limit: number;
}

export interface Part {
  title: string;
  figures: Record<string, number>;
  gates: Gate[];
  /** What a person reads: rows under the first one as their head. */
  rows: string[][];
}

export function holds({ figure, at, limit }: Gate, figures: Record<string, number>): boolean {
  const value = figures[figure];
  if (value === undefined || Number.isNaN(value)) return false;
  if (at === 'most') return value <= limit;
  if (at === 'least') return value >= limit;
  return at === 'exactly' ? value === limit : value > limit;
}

/** The value below which this share of them lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Each of ours ÷ the one of theirs that was taken beside it: a machine that is busy for a while is so for both. */
export const medianOfPairs = (ours: readonly number[], theirs: readonly number[]): number =>
  median(ours.map((value, index) => value / (theirs[index] ?? Number.NaN)));

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Both in one run: the p95 of ours ÷ the p95 of theirs, the median of five blocks, nothing below the floor (ms). */
export function ratioOfP95(ours: readonly number[], theirs: readonly number[], floorMs: number): number {
  const blocks = 5;
  const ratios = Array.from({ length: blocks }, (_, block) => {
    const part = (all: readonly number[]): number =>
      Math.max(
        floorMs,
        quantile(
          all.filter((_value, index) => index % blocks === block),
          0.95,
        ),
      );
    return part(ours) / part(theirs);
  });
  return median(ratios);
}

export const round = (value: number, digits = 4): number => Number(value.toFixed(digits));
