/** Figures in columns, as the benchmarks and the campaigns print them. */

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
  return /^(?:[\d.,]+|–)$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
}
