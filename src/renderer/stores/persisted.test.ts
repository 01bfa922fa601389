import { expect, it } from 'vitest';
import { MemoryStorage } from '../testing/window-kit.tsx';
import { createUiStore } from './ui-store.ts';

const storageKey = 'andiron.ui';

it('the widths of the columns and what is unread survive a reload', () => {
  const storage = new MemoryStorage();
  const attention = { working: ['b'], unread: ['a'] };
  createUiStore(storage).setState({ columns: { left: 300, right: null }, attention });
  expect(createUiStore(storage).getState()).toMatchObject({
    columns: { left: 300, right: null },
    attention,
  });
});

it('whatever else was stored for them is as on the first start', () => {
  const storage = new MemoryStorage();
  storage.write(
    storageKey,
    '{"columns":{"left":"wide","right":null},"attention":{"working":7,"unread":["a",null,{}]}}',
  );
  expect(createUiStore(storage).getState()).toMatchObject({
    columns: { left: null, right: null },
    attention: { working: [], unread: ['a'] },
  });
});
