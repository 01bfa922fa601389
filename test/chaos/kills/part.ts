/** The kills as a part of `npm run chaos`. */
import { table } from '../../helpers/table.ts';
import type { Gate, Part, PartOptions } from '../report.ts';
import { runKills } from './campaign.ts';
import { failures } from './tally.ts';

const allKills = 2_000;
const quickKills = 100;

export async function killsPart({ seed, quick }: PartOptions): Promise<Part> {
  const { tally, seconds } = await runKills({ seed, kills: quick ? quickKills : allKills });
  const counted = Object.fromEntries(failures.map((failure) => [failure, tally.counts.get(failure) ?? 0]));
  const recoveryMs = median(tally.recoveriesMs);
  const bareMs = median(tally.bareNodeMs);
  const figures = {
    kills: tally.kills,
    ...counted,
    facts: tally.facts,
    recovery: round(recoveryMs / bareMs, 1),
    recovery_ms: round(recoveryMs, 0),
    bare_node_ms: round(bareMs, 0),
    farewell_ms: round(Math.max(0, ...tally.farewellsMs), 0),
    kill_seconds: round(seconds, 1),
  };
  const gates = failures.map((figure): Gate => ({ figure, value: counted[figure] ?? NaN, most: 0 }));
  const rows = [['moment', 'kills'], ...sorted(tally.moments), ['killed', 'kills'], ...sorted(tally.victims)];
  return { table: table(rows), figures, gates, problems: tally.problems };
}

const sorted = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].toSorted(([, a], [, b]) => b - a);

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

/** NaN = nothing was measured. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
