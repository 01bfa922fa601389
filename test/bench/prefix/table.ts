/** The figures in columns. */
import { table } from '../../helpers/table.ts';
import { holds, type Evaluated, type FamilyFigures, type Gate } from './figures.ts';
import { worthTelling, type Step } from './measure.ts';
import type { RawPolicy } from './raw-client.ts';

type Column<T> = readonly [title: string, cell: (row: T) => string];

const ofFamily: readonly Column<FamilyFigures>[] = [
  ['family', ({ family }) => family],
  ['requests', ({ requests }) => String(requests)],
  ['strictly new', ({ strictlyNew }) => String(strictlyNew)],
  ['head', ({ headTokens }) => String(headTokens)],
  ['with opening', ({ head }) => String(head)],
  ['notes', ({ notes }) => String(notes)],
  ['evaluated', ({ evaluated }) => String(evaluated)],
  ['warm-ups', ({ warmed }) => String(warmed)],
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
  ['summaries', ({ evaluated }) => String(evaluated.aside)],
];

interface RereadRow {
  family: string;
  step: Step;
}

const ofReread: readonly Column<RereadRow>[] = [
  ['family', ({ family }) => family],
  ['turn', ({ step }) => String(step.turn)],
  ['step', ({ step }) => step.what],
  ['read again', ({ step }) => String(step.reread)],
  ['from', ({ step }) => step.from?.kind ?? ''],
  ['text', ({ step }) => JSON.stringify(step.from?.text ?? '')],
];

export function tablesOf(families: readonly FamilyFigures[]): string {
  return `${inColumns(ofFamily, families)}\n\n${inColumns(ofClient, families.flatMap(clientRows))}\n`;
}

/** Every re-read with the step of the script that made it. */
export function rereadsOf(families: readonly FamilyFigures[]): string {
  const rows = families.flatMap(({ family, steps }) =>
    steps.filter(({ reread }) => reread >= worthTelling).map((step) => ({ family, step })),
  );
  const small = families.map(({ family, steps }) => {
    const few = steps.filter(({ reread }) => reread > 0 && reread < worthTelling);
    const tokens = few.reduce((sum, { reread }) => sum + reread, 0);
    return `${family}: ${tokens} tokens more in ${few.length} re-reads of less than ${worthTelling} each`;
  });
  return `${inColumns(ofReread, rows)}\n\n${small.join('\n')}\n`;
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

const inColumns = <T>(columns: readonly Column<T>[], rows: readonly T[]): string =>
  table([columns.map(([title]) => title), ...rows.map((row) => columns.map(([, cell]) => cell(row)))]);

function ratio(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(3);
}

function describe({ echoThinking, textBesideCall, clock }: RawPolicy): string {
  const text = `${textBesideCall ? 'sends' : 'leaves out'} text beside a call`;
  return `${echoThinking ? 'echoes' : 'drops'} thinking, ${text}${clock ? ', tells the time' : ''}`;
}
