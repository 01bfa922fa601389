import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openingBounds, reachable, readWindowState, writeWindowState } from './window-state.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'andiron-window-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('what was written is read, and nothing is left beside it', () => {
  const path = join(dir, 'window.json');
  const state = {
    bounds: { x: -5, y: 0, width: 900, height: 600 },
    maximized: true,
    fullScreen: true,
    theme: 'dark',
  } as const;
  writeWindowState(path, state);
  expect(readWindowState(path)).toEqual(state);
  expect(readdirSync(dir)).toEqual(['window.json']);
});

const fresh = { bounds: null, maximized: false, fullScreen: false, theme: 'system' };

test.each(['', 'nonsense', '{}', '{"bounds":{"x":"1"},"maximized":false}'])('%s is a first start', (text) => {
  const path = join(dir, 'window.json');
  writeFileSync(path, text);
  expect(readWindowState(path)).toEqual(fresh);
  expect(readWindowState(join(dir, 'missing.json'))).toEqual(fresh);
});

test('A state that an older version wrote, or a theme that is none, costs only itself (desk-P7)', () => {
  const path = join(dir, 'window.json');
  const bounds = { x: 1, y: 2, width: 900, height: 600 };
  writeFileSync(path, JSON.stringify({ bounds, maximized: true, theme: 'dusk' }));
  expect(readWindowState(path)).toEqual({ ...fresh, bounds, maximized: true });
});

const display = { x: 0, y: 0, width: 1920, height: 1080 };
const at = (x: number, y: number) => ({ x, y, width: 900, height: 600 });

test('a window is put back where its title bar can be reached', () => {
  expect(reachable(at(100, 100), [display])).toEqual(at(100, 100));
  expect(reachable(at(-700, 0), [display])).toEqual(at(-700, 0));
  expect(reachable(at(2000, 100), [display, { ...display, x: 1920 }])).toEqual(at(2000, 100));
});

test.each([
  ['a display that is gone', at(2500, 100)],
  ['above the screen', at(100, -40)],
  ['below it', at(100, 1050)],
  ['nearly off to the left', at(-850, 100)],
])('a window %s is not put back there', (_, bounds) => {
  expect(reachable(bounds, [display])).toBeNull();
});

test('a window that is larger than its display is made to fit it', () => {
  const laptop = { x: 0, y: 25, width: 1366, height: 743 };
  const kept = { x: 100, y: 60, width: 2400, height: 700 };
  expect(openingBounds(kept, [laptop])).toEqual({ x: 0, y: 60, width: 1366, height: 700 });
  expect(openingBounds({ ...kept, height: 1400 }, [laptop])).toEqual(laptop);
});

test('a window opens as it was left, over the edge where it was put there', () => {
  expect(openingBounds(at(-700, 300), [display])).toEqual(at(-700, 300));
  const right = { ...display, x: 1920, width: 800 };
  expect(openingBounds(at(1900, 100), [display, right])).toEqual({ ...at(1920, 100), width: 800 });
});

test('a first window, or one whose display is gone, is of the usual size, or as large as the display', () => {
  expect(openingBounds(null, [display])).toEqual({ width: 1440, height: 900 });
  expect(openingBounds(at(5000, 100), [{ ...display, width: 1280, height: 720 }])).toEqual({
    width: 1280,
    height: 720,
  });
});
