/** Token use in the settings: a week with a priced host, and before anything was asked. */
import type { UsageGroup, UsageGrouping, UsageSums } from '../../protocol/usage-methods.ts';
import { settings, type Scene } from './scene.tsx';

const sums = (
  requests: number,
  [readTokens, cachedTokens, outputTokens]: [number, number, number],
  more: Partial<UsageSums> = {},
): UsageSums => ({
  requests,
  inputTokens: readTokens + cachedTokens,
  cachedTokens,
  readTokens,
  outputTokens,
  uncounted: 0,
  costs: [],
  ...more,
});
const group = (key: string, figures: UsageSums): UsageGroup => ({ key, ...figures });

const nothing: UsageSums = {
  requests: 0,
  inputTokens: null,
  cachedTokens: null,
  readTokens: null,
  outputTokens: null,
  uncounted: 0,
  costs: [],
};

const euros = (nano: number): Partial<UsageSums> => ({ costs: [{ nano, currency: 'EUR' }] });

const groups: Partial<Record<UsageGrouping, UsageGroup[]>> = {
  model: [
    group('qwen3.8:27b', sums(412, [1_204_311, 18_022_940, 160_482], { uncounted: 3 })),
    group(
      'lab/mistral-large-instruct-2407-with-a-long-name',
      sums(38, [402_118, 311_006, 21_240], euros(1_284_300_000)),
    ),
    group('qwen3.5:9b', sums(96, [210_450, 1_904_112, 30_991])),
    group('router/tiny', sums(2, [912, 0, 40], euros(42_000))),
  ],
  day: [
    group('2026-11-15', sums(61, [204_118, 2_110_204, 22_018])),
    group('2026-11-17', sums(188, [611_020, 7_312_444, 71_300], euros(402_100_000))),
    group('2026-11-18', sums(74, [190_411, 1_990_020, 24_888])),
    group('2026-11-19', sums(139, [502_240, 5_610_390, 61_117], { ...euros(882_242_000), uncounted: 2 })),
    group('2026-11-20', sums(86, [310_002, 3_215_000, 33_430], { uncounted: 1 })),
  ],
};
const totals = sums(548, [1_817_791, 20_238_058, 212_753], { ...euros(1_284_342_000), uncounted: 3 });

const pane = (id: string, all: UsageSums, by: typeof groups): Scene =>
  settings(id, 'usage', () => ({
    hostAnswers: {
      'usage/query': ({ groupBy }: { groupBy: UsageGrouping }) => ({
        totals: all,
        groups: by[groupBy] ?? [],
      }),
    },
  }));

export const usageScenes: Scene[] = [pane('usage', totals, groups), pane('usage-none', nothing, {})];
