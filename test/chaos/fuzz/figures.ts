/** What the fuzz shows, and what it must show. */
import { table } from '../../helpers/table.ts';
import type { Gate } from '../report.ts';
import type { FuzzResult } from './campaign.ts';

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

export function fuzzFigures(result: FuzzResult): Record<string, number> {
  return {
    streams: result.streams,
    streams_over_http: result.overHttp,
    stream_crashes: result.crashes,
    stream_hangs: result.hangs,
    stream_unlike: result.unlike,
    stream_memory: rounded(result.memory, 3),
    stream_longest_wait_ms: rounded(result.maxWaitMs, 0),
    fuzz_seconds: rounded(result.seconds, 1),
  };
}

export function fuzzGates(result: FuzzResult): Gate[] {
  const figures = fuzzFigures(result);
  const gate = (figure: string, most: number): Gate => ({ figure, value: figures[figure] ?? NaN, most });
  return [
    gate('stream_crashes', 0),
    gate('stream_hangs', 0),
    gate('stream_unlike', 0),
    gate('stream_memory', 1.2),
  ];
}

export const fuzzTable = ({ endings }: FuzzResult): string =>
  table([['ending', 'streams'], ...[...endings].toSorted(([, a], [, b]) => b - a)]);
