import { expect, it } from 'vitest';
import type { Turn } from '../../protocol/model.ts';
import { aTurn } from '../testing/fixtures.ts';
import { isBusy } from './derive.ts';
import { createSessionStore } from './session-store.ts';

const busyWith = (turn: Partial<Turn>): boolean => {
  const store = createSessionStore().getState();
  return isBusy({ ...store, state: { turns: [aTurn(turn)] } as never });
};

it('a turn that is about to begin keeps Stop in its place, and one that waits for somebody does not', () => {
  expect(busyWith({ status: 'queued' })).toBe(true);
  expect(busyWith({ status: 'running' })).toBe(true);
  expect(busyWith({ status: 'queued', waitsFor: 'person' })).toBe(false);
  expect(busyWith({ status: 'queued', waitsFor: 'model' })).toBe(false);
  expect(busyWith({ status: 'finished' })).toBe(false);
});
