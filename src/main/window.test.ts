import { beforeEach, expect, test } from 'vitest';
import { BrowserWindow, resetElectron } from '../../test/helpers/electron-stub.ts';
import { systemClock } from '../platform/clock.ts';
import { followState } from './window.ts';

beforeEach(resetElectron);

function followedWindow() {
  const timers = new Set<() => void>();
  const clock = {
    ...systemClock,
    after(_ms: number, callback: () => void) {
      timers.add(callback);
      return { cancel: () => void timers.delete(callback) };
    },
  };
  const window = new BrowserWindow({});
  const kept: string[] = [];
  followState(window as never, clock, () => void kept.push(JSON.stringify(window.bounds)));
  const settle = (): void => {
    for (const callback of timers) callback();
    timers.clear();
  };
  return { window, kept, settle };
}

test('where a window is left is kept once it has stopped moving', () => {
  const { window, kept, settle } = followedWindow();
  window.emit('move');
  window.bounds = { ...window.bounds, x: 99 };
  window.emit('resize');
  expect(kept).toEqual([]);
  settle();
  expect(kept).toEqual([JSON.stringify({ ...window.bounds, x: 99 })]);
});

test('nothing is kept of a window that is minimised or gone', () => {
  const { window, kept, settle } = followedWindow();
  window.minimized = true;
  window.emit('resize');
  settle();
  window.minimized = false;
  window.emit('move');
  window.emit('closed');
  settle();
  expect(kept).toEqual([]);
});
