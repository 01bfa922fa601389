import { expect, it } from 'vitest';
import { MemoryStorage } from '../testing/window-kit.tsx';
import { createUiStore } from './ui-store.ts';

it('is kept for the next window', () => {
  const storage = new MemoryStorage();
  createUiStore(storage).setState({ textSize: 'largest', motion: 'reduced', wrapCode: true });
  expect(createUiStore(storage).getState()).toMatchObject({
    textSize: 'largest',
    motion: 'reduced',
    wrapCode: true,
  });
});

it('is as drawn where something else was stored, field by field', () => {
  const storage = new MemoryStorage();
  createUiStore(storage).setState({ textSize: 'large' });
  const [key = '', value = ''] = [...storage.values][0] ?? [];
  storage.write(key, JSON.stringify({ ...(JSON.parse(value) as object), motion: 'wild', wrapCode: 'yes' }));
  expect(createUiStore(storage).getState()).toMatchObject({
    textSize: 'large',
    motion: 'system',
    wrapCode: false,
  });
});
