/** The fuzz as a part of `npm run chaos`. */
import type { Part, PartOptions } from '../report.ts';
import { fuzz } from './campaign.ts';
import { fuzzFigures, fuzzGates, fuzzTable } from './figures.ts';

export async function fuzzPart({ seed, quick }: PartOptions): Promise<Part> {
  const size = quick
    ? { streams: 20_000, hugeRounds: 1, overHttp: 200 }
    : { streams: 200_000, hugeRounds: 5, overHttp: 2_000 };
  const result = await fuzz({ seed, ...size });
  return {
    table: fuzzTable(result),
    figures: fuzzFigures(result),
    gates: fuzzGates(result),
    problems: result.problems,
  };
}
