/** How wide the columns are: what the person drew, as far as the window has room for it. Pure. */

export type Side = 'left' | 'right';

/** In pixels; null = as drawn. */
export type ColumnWishes = Record<Side, number | null>;

export interface Column {
  width: number;
  least: number;
  most: number;
}

const columnDefaults: Record<Side, number> = { left: 240, right: 312 };
const least: Record<Side, number> = { left: 200, right: 264 };
const most: Record<Side, number> = { left: 400, right: 560 };
const railPx = 44;
/** The transcript's own column of 768 with its margins: only the drawn widths may take from it. */
const transcriptPx = 816;

/**
 * A column that was made wider gives back what the transcript lacks, the right one first; none gives more than makes
 * it as wide as it is drawn.
 */
export function fitColumns(
  windowPx: number,
  wishes: ColumnWishes,
  shown: Record<Side, boolean>,
): Record<Side, Column> {
  const spare = windowPx - transcriptPx;
  const wished = { left: wishedWidth('left', wishes), right: wishedWidth('right', wishes) };
  const lacking = Math.max(0, (shown.left ? wished.left : railPx) + (shown.right ? wished.right : 0) - spare);
  const fromRight = shown.right ? given('right', wished.right, lacking) : 0;
  const fromLeft = shown.left ? given('left', wished.left, lacking - fromRight) : 0;
  const width = { left: wished.left - fromLeft, right: wished.right - fromRight };
  const beside = { left: shown.right ? width.right : 0, right: shown.left ? width.left : railPx };
  const column = (side: Side): Column => ({
    width: width[side],
    least: least[side],
    most: Math.min(most[side], Math.max(columnDefaults[side], spare - beside[side])),
  });
  return { left: column('left'), right: column('right') };
}

export function clampWidth(width: number, { least, most }: Column): number {
  return Math.round(Math.min(most, Math.max(least, width)));
}

function wishedWidth(side: Side, wishes: ColumnWishes): number {
  return Math.min(most[side], Math.max(least[side], wishes[side] ?? columnDefaults[side]));
}

function given(side: Side, width: number, lacking: number): number {
  return Math.min(lacking, Math.max(0, width - columnDefaults[side]));
}
