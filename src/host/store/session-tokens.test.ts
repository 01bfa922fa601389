import Sqlite from 'better-sqlite3';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrations as released } from './migrations/index.ts';
import { storeFolder, summary, turn, type StoreFolder } from './testing.ts';

let folder: StoreFolder;
beforeEach(() => {
  folder = storeFolder();
});
afterEach(() => folder.remove());

const request = (iteration: number, promptTokens: number | null, outputTokens: number | null) => ({
  requestId: `r${String(iteration)}`,
  iteration,
  model: 'm',
  profileId: 'p',
  promptTokens,
  cachedTokens: null,
  evaluatedTokens: null,
  outputTokens,
  promptMs: null,
  outputMs: null,
  loadMs: null,
  waitedMs: 1,
});

test('token totals of sessions from before they were kept come from their turns (audit-A11, I5)', () => {
  // As the version before left it: without the column, with turns, one of them damaged.
  const database = new Sqlite(join(folder.path, 'andiron.db'));
  for (const step of released.slice(0, 5)) database.exec(step);
  database.pragma('user_version = 5');
  const add = database.prepare(
    `INSERT INTO sessions (id, title, workspace, workspace_real, profile_id, pinned, status, context_usage, created_at, updated_at)
     VALUES (?, 'T', '/w', '/w', 'p', 0, 'idle', ?, 1, 1)`,
  );
  add.run('s', JSON.stringify({ usedTokens: 9, windowTokens: 8192, estimated: false }));
  add.run('empty', null);
  const addTurn = database.prepare(
    'INSERT INTO turns (session_id, position, id, status, body) VALUES (?, ?, ?, ?, ?)',
  );
  const first = turn({ id: 't1', usage: [request(0, 50, 5), request(1, 100, 10)] });
  const second = turn({
    id: 't2',
    usage: [request(1, 200, null), { ...request(2, 7, 7), parentCallId: 'c' }],
  });
  addTurn.run('s', 0, 't1', 'finished', JSON.stringify(first));
  addTurn.run('s', 1, 't2', 'finished', JSON.stringify(second));
  addTurn.run('s', 2, 't3', 'finished', '{damaged');
  addTurn.run('empty', 0, 't4', 'finished', JSON.stringify(turn({ id: 't4' })));
  database.close();

  const store = folder.open();
  expect(store.getTokens('s')).toEqual({
    promptTokens: 357,
    outputTokens: 22,
    uncounted: 1,
    lastPromptTokens: 200,
    lastOutputTokens: null,
    contextTokens: 8192,
  });
  expect(store.getTokens('empty')).toBeUndefined();
});

test('token totals are kept over a restart, and absent before the first reply (audit-A11, I5)', () => {
  let store = folder.open();
  store.createSession({ summary: summary(), workspaceReal: '/w', contextUsage: null });
  expect(store.loadSnapshot('s', 10)).not.toHaveProperty('tokens');
  const tokens = {
    promptTokens: 10,
    outputTokens: null,
    uncounted: 1,
    lastPromptTokens: 10,
    lastOutputTokens: null,
    contextTokens: null,
  };
  store.setTokens('s', tokens);
  store = folder.open();
  expect(store.loadSnapshot('s', 10)?.tokens).toEqual(tokens);
});
