/** One row for each request that a model has seen, kept longer than its session. */
import { z } from 'zod';
import type {
  Cost,
  UsageEntry,
  UsageGroup,
  UsageGrouping,
  UsageSpan,
  UsageSums,
} from '../../protocol/usage-methods.ts';
import { requestPurposes } from '../../protocol/usage-methods.ts';
import { lazyObject } from '../../protocol/lazy-object.ts';
import { budgetTokens, type AssumedTokens, type BudgetRules } from '../../rules/budget.ts';
import type { Database } from './sqlite.ts';

/** With what its budget needs and the log does not keep. */
export type BookedEntry = UsageEntry & { assumed?: AssumedTokens };

export type UsageStore = ReturnType<typeof createUsageStore>;

const keys: Record<UsageGrouping, string> = {
  day: "strftime('%Y-%m-%d', at / 1000, 'unixepoch', 'localtime')",
  model: 'model',
  session: 'session_id',
  user: 'user_id',
  purpose: 'purpose',
};

const sumRow = lazyObject(() => ({
  key: z.string().nullable(),
  currency: z.string().nullable(),
  requests: z.number(),
  inputTokens: z.number().nullable(),
  cachedTokens: z.number().nullable(),
  readTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  uncounted: z.number(),
  nano: z.number().nullable(),
}));

const entryRow = lazyObject(() => ({
  number: z.number(),
  id: z.string(),
  user_id: z.string(),
  session_id: z.string().nullable(),
  turn_id: z.string().nullable(),
  purpose: z.enum(requestPurposes),
  model: z.string(),
  ended: z.enum(['answered', 'stopped', 'failed']),
  input_tokens: z.number().nullable(),
  cached_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  cost_nano: z.number().nullable(),
  currency: z.string().nullable(),
  at: z.number(),
}));

const empty: UsageSums = {
  requests: 0,
  inputTokens: null,
  cachedTokens: null,
  readTokens: null,
  outputTokens: null,
  uncounted: 0,
  costs: [],
};

/** @param rules as the owner decided them last */
export function createUsageStore(database: Database, rules: () => BudgetRules) {
  const insert = database.command<(string | number | null)[]>(
    `INSERT INTO usage_log (id, user_id, session_id, turn_id, purpose, model, ended, input_tokens, cached_tokens,
       output_tokens, cost_nano, currency, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const sumsBy = (key: string, which = '') =>
    database.query<[number, number, ...string[]], z.infer<typeof sumRow>>(
      `SELECT ${key} AS key, currency, count(*) AS requests, sum(input_tokens) AS inputTokens,
         sum(cached_tokens) AS cachedTokens, sum(input_tokens - cached_tokens) AS readTokens,
         sum(output_tokens) AS outputTokens,
         count(CASE WHEN input_tokens IS NULL OR cached_tokens IS NULL OR output_tokens IS NULL THEN 1 END) AS uncounted,
         sum(cost_nano) AS nano
       FROM usage_log WHERE at >= ? AND at < ? ${which} GROUP BY 1, 2`,
      sumRow,
    );
  const grouped = {
    day: sumsBy(keys.day),
    model: sumsBy(keys.model),
    session: sumsBy(keys.session),
    user: sumsBy(keys.user),
    purpose: sumsBy(keys.purpose),
  };
  const book = database.command<[number, string]>('UPDATE users SET used = used + ? WHERE id = ?');
  const totals = sumsBy('NULL');
  const ofProgram = sumsBy(
    'NULL',
    "AND session_id IN (SELECT id FROM sessions WHERE platform = 'api' AND channel = ?)",
  );
  const page = database.query<[number, number, number, number], z.infer<typeof entryRow>>(
    'SELECT * FROM usage_log WHERE number > ? AND at >= ? AND at < ? ORDER BY number LIMIT ?',
    entryRow,
  );

  return {
    /** It counts in the budget of whoever it was for, from this moment on (B6). */
    addUsage(entry: BookedEntry): void {
      const { id, userId, sessionId, turnId, purpose, model, ended, cost, at } = entry;
      const { inputTokens, cachedTokens, outputTokens } = entry;
      const figures = [inputTokens, cachedTokens, outputTokens, cost?.nano ?? null, cost?.currency ?? null];
      database.transaction(() => {
        insert.run(id, userId, sessionId, turnId, purpose, model, ended, ...figures, at);
        book.run(budgetTokens(entry, rules()), userId);
      });
    },
    usageTotals: (span: UsageSpan): UsageSums => sumsOf(totals.all(...bounds(span))),
    /** Of the conversations of a token that are kept, deleted ones of the last days included. */
    usageOfProgram: (tokenId: string, span: UsageSpan): UsageSums =>
      sumsOf(ofProgram.all(...bounds(span), tokenId)),
    /** Days in their order, everything else with the most input first. */
    usageBy(grouping: UsageGrouping, span: UsageSpan): UsageGroup[] {
      const groups = joined(grouped[grouping].all(...bounds(span)));
      return grouping === 'day'
        ? groups
        : groups.toSorted((one, other) => (other.inputTokens ?? -1) - (one.inputTokens ?? -1));
    },
    /** In the order in which they came, those after the number `after`. */
    usageEntries: (span: UsageSpan, after: number, limit: number): (UsageEntry & { number: number })[] =>
      page.all(after, ...bounds(span), limit).map(toEntry),
  };
}

const bounds = ({ from, to }: UsageSpan): [number, number] => [from ?? 0, to ?? Number.MAX_SAFE_INTEGER];

function sumsOf(rows: readonly z.infer<typeof sumRow>[]): UsageSums {
  const [total] = joined(rows);
  if (!total) return empty;
  const { key: _, ...sums } = total;
  return sums;
}

/** The rows of one key stand together, one for each currency. */
function joined(rows: readonly z.infer<typeof sumRow>[]): UsageGroup[] {
  const groups = new Map<string | null, UsageGroup>();
  for (const { key, currency, nano, ...row } of rows) {
    const before = groups.get(key) ?? { key, ...empty };
    const costs: Cost[] = currency !== null && nano !== null ? [{ nano, currency }] : [];
    groups.set(key, {
      key,
      requests: before.requests + row.requests,
      inputTokens: sum(before.inputTokens, row.inputTokens),
      cachedTokens: sum(before.cachedTokens, row.cachedTokens),
      readTokens: sum(before.readTokens, row.readTokens),
      outputTokens: sum(before.outputTokens, row.outputTokens),
      uncounted: before.uncounted + row.uncounted,
      costs: [...before.costs, ...costs],
    });
  }
  return [...groups.values()];
}

const sum = (one: number | null, other: number | null): number | null =>
  one === null ? other : one + (other ?? 0);

function toEntry(row: z.infer<typeof entryRow>): UsageEntry & { number: number } {
  const { number, id, purpose, model, ended, at, currency, cost_nano: nano } = row;
  return {
    number,
    id,
    userId: row.user_id,
    sessionId: row.session_id,
    turnId: row.turn_id,
    purpose,
    model,
    ended,
    inputTokens: row.input_tokens,
    cachedTokens: row.cached_tokens,
    outputTokens: row.output_tokens,
    cost: nano === null || currency === null ? null : { nano, currency },
    at,
  };
}
