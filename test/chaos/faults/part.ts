/** A fault at every k, as a part of `npm run chaos`. */
import { table } from '../../helpers/table.ts';
import type { Part, PartOptions } from '../report.ts';
import { campaign, everyStep, someSteps } from './campaign.ts';

interface Row {
  runs: number;
  /** Runs in which a person was told something; the others healed by themselves, or a tool told the model. */
  told: number;
  invalid: number;
}

export async function faultsPart({ seed, quick }: PartOptions): Promise<Part> {
  const rows = new Map<string, Row>();
  const problems: string[] = [];
  await campaign({
    stride: quick ? someSteps : everyStep,
    offset: seed,
    onRun(plan, { fired, what, reasons, problems: found }) {
      const name = `${plan.edge} ${plan.lasting ? 'and all after it' : 'once'}`;
      const row = rows.get(name) ?? { runs: 0, told: 0, invalid: 0 };
      rows.set(name, {
        runs: row.runs + Number(fired),
        told: row.told + Number(reasons.length > 0),
        invalid: row.invalid + Number(found.length > 0),
      });
      if (found.length > 0) problems.push(`${JSON.stringify(plan)} at ${what}: ${found.join('\n')}`);
    },
  });
  const total = (field: keyof Row): number => [...rows.values()].reduce((sum, row) => sum + row[field], 0);
  const invalid = total('invalid');
  return {
    table: table([
      ['what fails', 'runs', 'told', 'invalid'],
      ...[...rows].map(([name, row]) => [name, row.runs, row.told, row.invalid]),
    ]),
    figures: { runs: total('runs'), invalid },
    gates: [{ figure: 'invalid', value: invalid, most: 0 }],
    problems,
  };
}
