/** The usage log, in sums and as a file. */
import type { Handlers } from '../../protocol/rpc-server.ts';
import type {
  UsageEntry,
  UsageGroup,
  UsageGrouping,
  usageMethods,
  UsageSpan,
  UsageSums,
} from '../../protocol/usage-methods.ts';
import { exactAmount } from '../../rules/cost-text.ts';
import { csvLine } from '../../rules/csv.ts';

export interface UsageLog {
  usageTotals(span: UsageSpan): UsageSums;
  usageBy(grouping: UsageGrouping, span: UsageSpan): UsageGroup[];
  /** In the order in which they came, those after the number `after`. */
  usageEntries(span: UsageSpan, after: number, limit: number): (UsageEntry & { number: number })[];
}

/** A piece fits a frame many times. */
const maxRows = 10_000;

const columns = [
  'at',
  'user',
  'session',
  'turn',
  'purpose',
  'model',
  'ended',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'cost',
  'currency',
];

export function usageHandlers(log: UsageLog): Handlers<typeof usageMethods> {
  return {
    'usage/query': ({ groupBy, ...span }) => ({
      totals: log.usageTotals(span),
      groups: groupBy === undefined ? [] : log.usageBy(groupBy, span),
    }),
    'usage/export': ({ after, ...span }) => {
      const entries = log.usageEntries(span, after ?? 0, maxRows);
      const lines = entries.map((entry) => csvLine(fieldsOf(entry)));
      const head = after === undefined ? [csvLine(columns)] : [];
      const next = entries.length < maxRows ? null : (entries.at(-1)?.number ?? null);
      return { csv: [...head, ...lines].join(''), next };
    },
  };
}

function fieldsOf(entry: UsageEntry): (string | number | null)[] {
  const { at, userId, sessionId, turnId, purpose, model, ended, cost } = entry;
  return [
    new Date(at).toISOString(),
    userId,
    sessionId,
    turnId,
    purpose,
    model,
    ended,
    entry.inputTokens,
    entry.cachedTokens,
    entry.outputTokens,
    cost === null ? null : exactAmount(cost.nano),
    cost?.currency ?? null,
  ];
}
