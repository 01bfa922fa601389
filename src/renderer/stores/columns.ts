/** How wide the list of sessions is: what the person drew, as far as the window has room for it. Pure. */

/** In pixels; null = as drawn. */
export interface ColumnWish {
  left: number | null;
}

export interface Column {
  width: number;
  least: number;
  most: number;
}

const defaultPx = 240;
const least = 200;
const most = 400;
/** The transcript's own column of 768 with its margins: only the drawn width may take from it. */
const transcriptPx = 816;

/** A list that was made wider gives back what the transcript lacks, and never more than makes it as wide as drawn. */
export function fitColumn(windowPx: number, { left }: ColumnWish): Column {
  const spare = windowPx - transcriptPx;
  const wished = Math.min(most, Math.max(least, left ?? defaultPx));
  const lacking = Math.max(0, wished - spare);
  return {
    width: wished - Math.min(lacking, Math.max(0, wished - defaultPx)),
    least,
    most: Math.min(most, Math.max(defaultPx, spare)),
  };
}

export function clampWidth(width: number, { least, most }: Column): number {
  return Math.round(Math.min(most, Math.max(least, width)));
}
