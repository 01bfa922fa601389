import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { personas } from './migrations/0021-personas.ts';
import { openDatabase } from './sqlite.ts';
import { storeFolder, summary, type StoreFolder } from './testing.ts';

let folder: StoreFolder;
beforeEach(() => {
  folder = storeFolder();
});
afterEach(() => folder.remove());

const ada = { id: 'p', name: 'Ada', text: 'You are Ada.', createdAt: 1 };
const place = { platform: 'telegram', server: '', channel: 'c', thread: '', part: '' };

test('A conversation keeps the persona that it began with, and has none once that is removed (P24)', () => {
  const store = folder.open();
  store.putPersona(ada);
  store.createSession({ summary: summary(), workspaceReal: '/w', contextUsage: null });
  store.setPlace('s', 'owner', place, 'p');
  store.putPersona({ ...ada, text: 'You are Ada Lovelace.' });
  expect(store.personaOf('s')).toEqual({ ...ada, text: 'You are Ada Lovelace.' });
  expect([store.removePersona('p'), store.removePersona('p')]).toEqual([true, false]);
  expect(store.personaOf('s')).toBeNull();
});

test('A conversation that begins as its persona is removed begins without one (P24)', () => {
  const store = folder.open();
  store.createSession({ summary: summary(), workspaceReal: '/w', contextUsage: null });
  store.setPlace('s', 'owner', place, 'gone');
  expect(store.personaOf('s')).toBeNull();
  expect(store.placeOf('s')).toEqual(place);
});

test('Rules from before people had their own are the owner’s, with their use (X2)', () => {
  const database = openDatabase(join(folder.path, 'andiron.db'));
  migrate(database, migrations.slice(0, migrations.indexOf(personas)), join(folder.path, 'backups'));
  database.exec(`INSERT INTO command_rules (id, workspace, words, is_exact, created_at, used)
    VALUES ('r', '/w', '["npm","test"]', 1, 5, 41);
    INSERT INTO host_rules (id, workspace, host, created_at) VALUES ('h', '/w', 'pypi.org', 5)`);
  database.close();
  const store = folder.open();
  const of = (userId: string) => [
    ...store.commandRulesOf({ userId, workspace: '/w' }),
    ...store.hostRulesOf({ userId, workspace: '/w' }, 's'),
  ];
  expect(of('owner')).toMatchObject([
    { id: 'r', words: ['npm', 'test'], used: 41 },
    { id: 'h', host: 'pypi.org' },
  ]);
  expect(of('user_1')).toEqual([]);
});
