import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import {
  requestPurposes,
  usageGroupings,
  type UsageEntry,
  type UsageSums,
} from '../../protocol/usage-methods.ts';
import { usage } from './migrations/0017-usage.ts';
import { migrations } from './migrations/index.ts';
import { openDatabase } from './sqlite.ts';
import { storeFolder, summary, turn, type StoreFolder } from './testing.ts';

const folders: StoreFolder[] = [];
const newFolder = (): StoreFolder => {
  const folder = storeFolder();
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

const stored = { summary: summary(), workspaceReal: '/home/someone/project', contextUsage: null };

const entry = (more: Partial<UsageEntry> = {}): UsageEntry => ({
  id: 'use_1',
  userId: 'owner',
  sessionId: 's',
  turnId: 't',
  purpose: 'main',
  model: 'qwen3:8b',
  ended: 'answered',
  inputTokens: 100,
  cachedTokens: 60,
  outputTokens: 10,
  cost: null,
  at: 1_000,
  ...more,
});

const tokens = fc.option(fc.nat(100_000), { nil: null });
const anyEntry = fc.record({
  userId: fc.constantFrom('owner', 'user_2'),
  sessionId: fc.constantFrom('s1', 's2', null),
  purpose: fc.constantFrom(...requestPurposes),
  model: fc.constantFrom('qwen3:8b', 'lab/big', "o'model"),
  inputTokens: tokens,
  cachedTokens: tokens,
  outputTokens: tokens,
  cost: fc.option(fc.record({ nano: fc.nat(10_000_000_000), currency: fc.constantFrom('EUR', 'USD') }), {
    nil: null,
  }),
  at: fc.nat(10 * 86_400_000),
});

const sum = (figures: readonly (number | null)[]): number | null => {
  const known = figures.filter((figure) => figure !== null);
  return known.length === 0 ? null : known.reduce((all, figure) => all + figure, 0);
};

/** As somebody adds up the rows by hand. */
function addedUp(entries: readonly Omit<UsageEntry, 'id' | 'turnId' | 'ended'>[]): UsageSums {
  const costs = ['EUR', 'USD'].flatMap((currency) => {
    const nano = sum(entries.map(({ cost }) => (cost?.currency === currency ? cost.nano : null)));
    return nano === null ? [] : [{ nano, currency }];
  });
  const lacksOne = ({ inputTokens, cachedTokens, outputTokens }: (typeof entries)[number]): boolean =>
    inputTokens === null || cachedTokens === null || outputTokens === null;
  return {
    requests: entries.length,
    inputTokens: sum(entries.map(({ inputTokens }) => inputTokens)),
    cachedTokens: sum(entries.map(({ cachedTokens }) => cachedTokens)),
    readTokens: sum(
      entries.map(({ inputTokens: all, cachedTokens: had }) =>
        all === null || had === null ? null : all - had,
      ),
    ),
    outputTokens: sum(entries.map(({ outputTokens }) => outputTokens)),
    uncounted: entries.filter(lacksOne).length,
    costs,
  };
}

const total = (groups: readonly UsageSums[]): UsageSums => ({
  requests: sum(groups.map(({ requests }) => requests)) ?? 0,
  inputTokens: sum(groups.map(({ inputTokens }) => inputTokens)),
  cachedTokens: sum(groups.map(({ cachedTokens }) => cachedTokens)),
  readTokens: sum(groups.map(({ readTokens }) => readTokens)),
  outputTokens: sum(groups.map(({ outputTokens }) => outputTokens)),
  uncounted: sum(groups.map(({ uncounted }) => uncounted)) ?? 0,
  costs: ['EUR', 'USD'].flatMap((currency) => {
    const nano = sum(
      groups.flatMap(({ costs }) =>
        costs.filter((each) => each.currency === currency).map((each) => each.nano),
      ),
    );
    return nano === null ? [] : [{ nano, currency }];
  }),
});

test('The totals, and the sum of the groups of any grouping, are the sum of the rows in the span (I8)', () => {
  const store = newFolder().open();
  let round = 0;
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 30 }), fc.nat(10 * 86_400_000), (rows, from) => {
      // Each round has a time of its own, far from the others.
      const base = (round += 1) * 100 * 86_400_000;
      for (const [index, row] of rows.entries())
        store.addUsage(entry({ ...row, id: `use_${String(round)}_${String(index)}`, at: base + row.at }));
      const span = { from: base + from, to: base + 11 * 86_400_000 };
      const expected = addedUp(rows.filter(({ at }) => at >= from));
      expect(store.usageTotals(span)).toEqual(expected);
      for (const grouping of usageGroupings) expect(total(store.usageBy(grouping, span))).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test('Each group of the usage log has the rows of its key alone (I8)', () => {
  const store = newFolder().open();
  store.addUsage(entry());
  store.addUsage(entry({ id: 'use_2', model: 'lab/big', purpose: 'plan', inputTokens: 500 }));
  store.addUsage(entry({ id: 'use_3', sessionId: null, turnId: null, purpose: 'warm' }));
  const figures = (grouping: (typeof usageGroupings)[number]) =>
    store.usageBy(grouping, {}).map(({ key, requests, inputTokens }) => [key, requests, inputTokens]);
  expect(figures('model')).toEqual([
    ['lab/big', 1, 500],
    ['qwen3:8b', 2, 200],
  ]);
  expect(figures('session')).toEqual([
    ['s', 2, 600],
    [null, 1, 100],
  ]);
  expect(figures('user')).toEqual([['owner', 3, 700]]);
  expect(figures('purpose')).toEqual([
    ['plan', 1, 500],
    ['main', 1, 100],
    ['warm', 1, 100],
  ]);
});

const at = (day: number, hour: number): number => new Date(2026, 0, day, hour, 30).getTime();

test("A row of the usage log belongs to the day of the host's own clock, and days come in their order (I8)", () => {
  const store = newFolder().open();
  store.addUsage(entry({ at: at(2, 0) }));
  store.addUsage(entry({ id: 'use_2', at: at(1, 23), inputTokens: 900 }));
  store.addUsage(entry({ id: 'use_3', at: at(2, 23) }));
  expect(store.usageBy('day', {}).map(({ key, requests }) => [key, requests])).toEqual([
    ['2026-01-01', 1],
    ['2026-01-02', 2],
  ]);
});

test('What nobody counted is unknown in the usage log, and never 0 (I8)', () => {
  const store = newFolder().open();
  store.addUsage(entry({ ended: 'stopped', inputTokens: null, cachedTokens: null, outputTokens: null }));
  expect(store.usageTotals({})).toEqual({
    requests: 1,
    inputTokens: null,
    cachedTokens: null,
    readTokens: null,
    outputTokens: null,
    uncounted: 1,
    costs: [],
  });
});

test('An empty usage log has no requests and no groups (I8)', () => {
  const store = newFolder().open();
  expect(store.usageTotals({})).toMatchObject({ requests: 0, inputTokens: null, costs: [] });
  expect(store.usageBy('day', {})).toEqual([]);
});

test('The entries of the usage log come in pieces, each once, as they were written (I8)', () => {
  const store = newFolder().open();
  const written = ['use_1', 'use_2', 'use_3'].map((id, index) =>
    entry({ id, at: 1_000 + index, cost: { nano: index, currency: 'EUR' } }),
  );
  for (const each of written) store.addUsage(each);
  const first = store.usageEntries({}, 0, 2);
  const rest = store.usageEntries({}, first[1]?.number ?? 0, 2);
  expect([...first, ...rest]).toEqual(written.map((each, index) => ({ ...each, number: index + 1 })));
});

test('The usage log keeps the rows of a session that is gone for good (I8)', () => {
  const store = newFolder().open();
  store.createSession(stored);
  store.saveTurn('s', turn());
  store.addUsage(entry());
  store.hideSession('s', 1);
  store.purgeHidden(2);
  expect(store.usageBy('session', {}).map(({ key }) => key)).toEqual(['s']);
});

test('A database of before the usage log gets an empty one and keeps its sessions (I8)', () => {
  const folder = newFolder();
  const older = openDatabase(join(folder.path, 'andiron.db'));
  const before = migrations.indexOf(usage);
  for (const migration of migrations.slice(0, before)) older.exec(migration);
  older.pragma(`user_version = ${String(before)}`);
  older.exec(`INSERT INTO sessions (id, title, workspace, workspace_real, profile_id, pinned, status, created_at, updated_at)
    VALUES ('s', 'Old', '/', '/', 'developer', 0, 'idle', 1, 1)`);
  older.close();
  const store = folder.open();
  expect(store.usageTotals({}).requests).toBe(0);
  expect(store.listSessions().map(({ id }) => id)).toEqual(['s']);
  store.addUsage(entry());
  expect(store.usageTotals({}).requests).toBe(1);
});
