import Sqlite from 'better-sqlite3';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeFolder } from './testing.ts';

test('Modules that cannot be read count as none, and are said to be bad (Q8, X4)', () => {
  const folder = storeFolder();
  const store = folder.open();
  const binding = {
    id: 'b',
    platform: 'x',
    server: '',
    profileId: 'p',
    personaId: null,
    model: null,
    maxOutputTokens: 400,
    isPerPerson: true,
    pauseMs: 5,
  };
  store.putBinding({ ...binding, modules: ['files'] });
  expect(store.listBindings()).toEqual([{ ...binding, modules: ['files'], hasBadModules: false }]);
  for (const broken of ['{', '"files"', '[1]', 'null']) {
    const beside = new Sqlite(join(folder.path, 'andiron.db'));
    beside.prepare('UPDATE bindings SET modules = ?').run(broken);
    beside.close();
    expect(store.listBindings()[0]).toMatchObject({ modules: null, hasBadModules: true });
  }
  folder.remove();
});
