/** The figures in columns. */
import { holds, type FamilyFigures, type Gate } from './figures.ts';
import type { Evaluated } from './measure.ts';
import type { RawPolicy } from './raw-client.ts';

type Column<T> = readonly [title: string, cell: (row: T) => string];

const ofFamily: readonly Column<FamilyFigures>[] = [
  ['family', ({ family }) => family],
  ['requests', ({ requests }) => String(requests)],
  ['strictly new', ({ strictlyNew }) => String(strictlyNew)],
  ['head', ({ head }) => String(head)],
  ['notes', ({ notes }) => String(notes)],
  ['evaluated', ({ evaluated }) => String(evaluated)],
  ['waited', ({ waited }) => ratio(waited)],
  ['reread', ({ reread }) => ratio(reread)],
  ['without head', ({ rereadWithoutHead }) => ratio(rereadWithoutHead)],
  ['excess', ({ excess }) => ratio(excess)],
  ['of all', ({ excessOfAll }) => ratio(excessOfAll)],
  ['plain', ({ plain }) => ratio(plain)],
  ['naive', ({ naive }) => ratio(naive)],
];

/** Evaluated tokens of one client on one family. */
interface ClientRow {
  family: string;
  client: string;
  evaluated: Evaluated;
}

const ofClient: readonly Column<ClientRow>[] = [
  ['family', ({ family }) => family],
  ['client', ({ client }) => client],
  ['first of a turn', ({ evaluated }) => String(evaluated.first)],
  ['within turns', ({ evaluated }) => String(evaluated.within)],
];

export function tablesOf(families: readonly FamilyFigures[]): string {
  return `${table(ofFamily, families)}\n\n${table(ofClient, families.flatMap(clientRows))}\n`;
}

function clientRows({ family, andiron, rivals, best }: FamilyFigures): ClientRow[] {
  return [
    { family, client: 'Andiron', evaluated: andiron },
    ...rivals.map(({ policy, evaluated }) => ({
      family,
      client: `${describe(policy)}${policy === best ? ' (best within turns)' : ''}`,
      evaluated,
    })),
  ];
}

export function gateLines(gates: readonly Gate[]): string {
  return gates
    .map(
      (gate) =>
        `${holds(gate) ? 'ok  ' : 'FAIL'} ${gate.figure} ${gate.value}, ${gate.direction} ${gate.limit}`,
    )
    .join('\n');
}

function table<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const lines = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, cell]) => cell(row)))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
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
  return /^[\d.]+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
}

function ratio(value: number): string {
  return value.toFixed(3);
}

function describe({ echoThinking, textBesideCall, clock }: RawPolicy): string {
  const text = `${textBesideCall ? 'sends' : 'leaves out'} text beside a call`;
  return `${echoThinking ? 'echoes' : 'drops'} thinking, ${text}${clock ? ', tells the time' : ''}`;
}
