/** The figures in columns. */
import { holds, type FamilyFigures, type Gate } from './figures.ts';
import type { RawPolicy } from './raw-client.ts';

const columns: readonly [title: string, cell: (family: FamilyFigures) => string][] = [
  ['family', ({ family }) => family],
  ['requests', ({ requests }) => String(requests)],
  ['strictly new', ({ strictlyNew }) => String(strictlyNew)],
  ['own', ({ own }) => String(own)],
  ['evaluated', ({ evaluated }) => String(evaluated)],
  ['waited', ({ waited }) => ratio(waited)],
  ['reread', ({ reread }) => ratio(reread)],
  ['less own', ({ rereadOfOthers }) => ratio(rereadOfOthers)],
  ['excess', ({ excess }) => ratio(excess)],
  ['of all', ({ excessOfAll }) => ratio(excessOfAll)],
  ['plain', ({ plain }) => ratio(plain)],
  ['naive', ({ naive }) => ratio(naive)],
  ['best possible client', ({ best }) => describe(best)],
];

export function tableOf(families: readonly FamilyFigures[]): string {
  const rows = [
    columns.map(([title]) => title),
    ...families.map((family) => columns.map(([, cell]) => cell(family))),
  ];
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => align(cell, column, widths))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function gateLines(gates: readonly Gate[]): string {
  return gates
    .map(
      (gate) =>
        `${holds(gate) ? 'ok  ' : 'FAIL'} ${gate.figure} ${gate.value}, ${gate.direction} ${gate.limit}`,
    )
    .join('\n');
}

/** Names to the left, numbers to the right. */
function align(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column] ?? 0;
  return column === 0 || column === columns.length - 1 ? cell.padEnd(width) : cell.padStart(width);
}

function ratio(value: number): string {
  return value.toFixed(3);
}

function describe({ echoThinking, textBesideCall }: RawPolicy): string {
  return `${echoThinking ? 'echoes' : 'drops'} thinking, ${textBesideCall ? 'sends' : 'leaves out'} text beside a call`;
}
