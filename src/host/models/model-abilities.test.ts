import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { model } from '../../../test/helpers/turn-world.ts';
import { abilities, type Ability } from '../../protocol/abilities.ts';
import { modeByItself } from '../loop/calls/call-mode.ts';
import { databaseFile } from '../store/store.ts';
import { migrate } from '../store/migrate.ts';
import { migrations } from '../store/migrations/index.ts';
import { openDatabase } from '../store/sqlite.ts';
import { storeFolder, type StoreFolder } from '../store/testing.ts';
import type { ModelAbilities } from './model-abilities.ts';
import { knowledgeIn, runningEngine } from './test-knowledge.ts';

const native = { toolsInSystem: false };
const engineDecides: readonly Ability[] = ['grammar', 'pattern', 'values'];

let folder: StoreFolder;
beforeEach(() => {
  folder = storeFolder();
});
afterEach(() => folder.remove());

const observe = (knowledge: ModelAbilities, ability: Ability, story: string): void => {
  for (const sign of story) knowledge.observe(model, ability, sign === '+');
};
const row = (knowledge: ModelAbilities, ability: Ability) =>
  knowledge.rowsOf(model).find((each) => each.ability === ability);

/** With a database of the version before abilities were counted, in which this stands as what was known of calls. */
const withOlderFacts = (body: string): ModelAbilities => {
  const database = openDatabase(join(folder.path, databaseFile));
  migrate(database, migrations.slice(0, 10), join(folder.path, 'backups'));
  database
    .command<[string]>("INSERT INTO model_facts (digest, key, body) VALUES ('d', 'calling', ?)")
    .run(body);
  database.close();
  return knowledgeIn(folder.open(), { clock: { now: () => Date.now() } });
};

test('A refusal that an older Andiron had learnt for ever is dropped (audit-E2)', () => {
  const older = { mode: 'native', takesGrammar: false, provenNative: false, grammarSteps: 2 };
  const knowledge = withOlderFacts(JSON.stringify(older));
  expect(knowledge.holds(model, 'grammar')).toBe(true);
  expect(modeByItself(model, native, knowledge)).toBe('constrained');
});

test('A model that is known to lack what every model is expected to have does not hold it', () => {
  const known = new Set<Ability>(['grammar']);
  const knowledge = knowledgeIn(folder.open(), { knownAbilities: () => known });
  expect(abilities.filter((each) => knowledge.holds(model, each))).toEqual(['grammar']);
});

test('A model that had made a call by itself for an older Andiron goes on making them', () => {
  const knowledge = withOlderFacts('{"mode":"native","provenNative":true,"grammarSteps":0}');
  expect(row(knowledge, 'native')?.good).toBeCloseTo(3, 3);
  expect(modeByItself(model, native, knowledge)).toBe('native');
});

test.each(['{', '[]', '{"provenNative":"yes"}', 'null'])(
  'Damaged facts of an older Andiron (%s) count for nothing',
  (body) => {
    const knowledge = withOlderFacts(body);
    expect(row(knowledge, 'native')).toMatchObject({ good: 0, bad: 0, at: null });
  },
);

test('A model that nobody asked is asked under a grammar, and has a row for each ability', () => {
  const knowledge = knowledgeIn(folder.open());
  expect(modeByItself(model, native, knowledge)).toBe('constrained');
  const rows = knowledge.rowsOf(model);
  expect(rows.map(({ ability }) => ability)).toEqual([...abilities]);
  expect(rows.filter(({ holds }) => holds).map(({ ability }) => ability)).toEqual(engineDecides);
  expect(rows.every(({ at }) => at === null)).toBe(true);
});

test('One refused grammar, and one lost call, change no way to call', () => {
  const knowledge = knowledgeIn(folder.open());
  knowledge.observe(model, 'grammar', false);
  expect(modeByItself(model, native, knowledge)).toBe('constrained');
  observe(knowledge, 'native', '+++');
  knowledge.observe(model, 'native', false);
  expect(modeByItself(model, native, knowledge)).toBe('native');
});

test('A model that makes its calls is promoted to native ones, and one that loses them is demoted again', () => {
  const knowledge = knowledgeIn(folder.open());
  observe(knowledge, 'native', '++');
  expect(modeByItself(model, native, knowledge)).toBe('constrained');
  observe(knowledge, 'native', '+');
  expect(modeByItself(model, native, knowledge)).toBe('native');
  observe(knowledge, 'native', '-----');
  expect(modeByItself(model, native, knowledge)).toBe('constrained');
  observe(knowledge, 'grammar', '---');
  expect(modeByItself(model, native, knowledge)).toBe('native');
});

test('A model whose template has no tools is asked under a grammar however good its calls were', () => {
  const knowledge = knowledgeIn(folder.open());
  observe(knowledge, 'native', '+++');
  expect(modeByItself(model, { toolsInSystem: true }, knowledge)).toBe('constrained');
  expect(modeByItself({ ...model, capabilities: ['completion'] }, native, knowledge)).toBe('constrained');
});

test('Counts are there again after a restart', () => {
  observe(knowledgeIn(folder.open()), 'native', '+++-');
  const again = knowledgeIn(folder.open());
  expect(row(again, 'native')).toMatchObject({ good: 3, bad: 1, holds: true, at: 1_000 });
});

test('Counts of a model are half of what they were after 30 days', () => {
  const store = folder.open();
  observe(knowledgeIn(store), 'native', '+++-');
  const later = knowledgeIn(store, { clock: { now: () => 1_000 + 30 * 24 * 3_600_000 } });
  expect(row(later, 'native')).toMatchObject({ good: 1.5, bad: 0.5, at: 1_000 });
});

test('A new version of the engine starts what it decides afresh, and what the model does stays', () => {
  const store = folder.open();
  const before = knowledgeIn(store);
  for (const ability of engineDecides) observe(before, ability, '---');
  observe(before, 'native', '+++');
  const after = knowledgeIn(store, { engineStatus: () => runningEngine('0.41.0') });
  expect(engineDecides.map((ability) => before.holds(model, ability))).toEqual([false, false, false]);
  expect(engineDecides.map((ability) => after.holds(model, ability))).toEqual([true, true, true]);
  expect(after.holds(model, 'native')).toBe(true);
});

test('Nothing that the engine decides is counted while it is not known which engine that is', () => {
  const store = folder.open();
  const knowledge = knowledgeIn(store, { engineStatus: () => undefined });
  observe(knowledge, 'grammar', '---');
  observe(knowledge, 'settles', '+++');
  expect(store.listEvidence(model.digest).map(({ ability }) => ability)).toEqual(['settles']);
  expect(knowledge.holds(model, 'grammar')).toBe(true);
});

test('Damaged rows are told and count as never observed', () => {
  const store = folder.open();
  observe(knowledgeIn(store), 'native', '+++');
  observe(knowledgeIn(store), 'settles', '+++');
  const database = openDatabase(join(folder.path, databaseFile));
  database.exec("UPDATE model_abilities SET good = -1 WHERE ability = 'native'");
  database.exec("INSERT INTO model_abilities VALUES ('d', '', 'flies', 1, 0, 0, 1)");
  database.close();
  const knowledge = knowledgeIn(store);
  expect(knowledge.holds(model, 'native')).toBe(false);
  expect(knowledge.holds(model, 'settles')).toBe(true);
  expect(store.listEvidence(model.digest).map(({ ability }) => ability)).toEqual(['settles']);
  expect(new Set(folder.errors.map(({ message }) => message))).toEqual(
    new Set(['A stored value is damaged']),
  );
  knowledge.observe(model, 'native', true);
  expect(row(knowledge, 'native')).toMatchObject({ good: 1, bad: 0 });
});

test('Forgetting a model leaves others as they were, and both changes are told', () => {
  const told: string[] = [];
  const knowledge = knowledgeIn(folder.open(), { onChange: (name) => told.push(name) });
  const other = { ...model, name: 'other', digest: 'o' };
  for (const each of [model, other]) for (let n = 0; n < 3; n += 1) knowledge.observe(each, 'native', true);
  told.length = 0;
  knowledge.forget(model);
  expect([knowledge.holds(model, 'native'), knowledge.holds(other, 'native')]).toEqual([false, true]);
  expect(told).toEqual([model.name]);
});

test('A model on another host starts with native calls, and loses them by what it does', () => {
  const knowledge = knowledgeIn(folder.open());
  const elsewhere = { ...model, name: 'box/large', digest: 'box/large' };
  expect(modeByItself(elsewhere, native, knowledge)).toBe('native');
  for (let n = 0; n < 2; n += 1) knowledge.observe(elsewhere, 'native', false);
  expect(modeByItself(elsewhere, native, knowledge)).toBe('native');
  knowledge.observe(elsewhere, 'native', false);
  expect(modeByItself(elsewhere, native, knowledge)).toBe('constrained');
});
