/** Gates and tables of every chaos campaign. */

export interface PartOptions {
  seed: number;
  /** Under two minutes together. */
  quick: boolean;
}

export interface Part {
  table: string;
  figures: Record<string, number>;
  gates: Gate[];
  /** The first few, in words. */
  problems: readonly string[];
}

export interface Gate {
  figure: string;
  value: number;
  most: number;
}

/** NaN holds nothing. */
export const holds = ({ value, most }: Gate): boolean => value <= most;

export const gateLines = (gates: readonly Gate[]): string =>
  gates
    .map(
      (gate) =>
        `${holds(gate) ? 'ok  ' : 'FAIL'} ${gate.figure} ${String(gate.value)}, at most ${String(gate.most)}`,
    )
    .join('\n');

export function table(rows: readonly (readonly (string | number)[])[]): string {
  const lines = rows.map((row) => row.map(String));
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, at) => align(cell, widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Names to the left, numbers to the right. */
function align(cell: string, width: number): string {
  return /^[\d.,]+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
}
