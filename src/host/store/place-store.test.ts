import Sqlite from 'better-sqlite3';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeFolder } from './testing.ts';

test('Modules that cannot be read count as none (Q8)', () => {
  const folder = storeFolder();
  const store = folder.open();
  const binding = {
    id: 'b',
    platform: 'x',
    server: '',
    profileId: 'p',
    model: null,
    isPerPerson: true,
    pauseMs: 5,
  };
  store.putBinding({ ...binding, modules: ['files'] });
  expect(store.listBindings()).toEqual([{ ...binding, modules: ['files'] }]);
  for (const broken of ['{', '"files"', '[1]', 'null']) {
    const beside = new Sqlite(join(folder.path, 'andiron.db'));
    beside.prepare('UPDATE bindings SET modules = ?').run(broken);
    beside.close();
    expect(store.listBindings()[0]?.modules).toBeNull();
  }
  folder.remove();
});
