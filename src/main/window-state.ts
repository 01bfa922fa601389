/** Where the window was when it was last closed. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { privateFileMode } from '../platform/private-data.ts';
import { renameOverNow } from '../platform/rename-over.ts';
import { parseJson } from '../protocol/json.ts';

const windowStateSchema = z.object({
  bounds: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).nullable(),
  maximized: z.boolean(),
  fullScreen: z.boolean().catch(false),
  /** Of the page; the system's own parts follow it before the page is there. */
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
});
export type WindowState = z.infer<typeof windowStateSchema>;

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

const defaultSize = { width: 1440, height: 900 };
/** Nothing overlaps down to here; a larger window that is zoomed in shows no more. */
export const minSize = { width: 640, height: 480 };
const fresh: WindowState = { bounds: null, maximized: false, fullScreen: false, theme: 'system' };

/** Unreadable or nonsense = as on the first start. */
export function readWindowState(path: string): WindowState {
  try {
    return windowStateSchema.parse(parseJson(readFileSync(path, 'utf8')));
  } catch {
    return fresh;
  }
}

/** Written whole. A state that cannot be kept must not keep the app from closing: the caller logs the throw. */
export function writeWindowState(path: string, state: WindowState): void {
  const beside = `${path}.new`;
  try {
    writeFileSync(beside, JSON.stringify(state), { mode: privateFileMode });
    renameOverNow(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/**
 * Where a window opens: as it was left where a display still shows it, no larger than that display; else of the usual
 * size in the middle of the first one.
 */
export function openingBounds(
  kept: Area | null,
  workAreas: readonly Area[],
): Partial<Area> & Pick<Area, 'width' | 'height'> {
  const bounds = reachable(kept, workAreas);
  const [first] = workAreas;
  if (!bounds) {
    return {
      width: Math.min(defaultSize.width, first?.width ?? defaultSize.width),
      height: Math.min(defaultSize.height, first?.height ?? defaultSize.height),
    };
  }
  const area = workAreas.toSorted((a, b) => shared(bounds, b) - shared(bounds, a))[0] ?? bounds;
  const [x, width] = within(bounds.x, bounds.width, area.x, area.width);
  const [y, height] = within(bounds.y, bounds.height, area.y, area.height);
  return { x, y, width, height };
}

/** On one axis: what is longer than the display is made to fit it, what only reaches over its edge was put there. */
function within(start: number, length: number, areaStart: number, areaLength: number): [number, number] {
  return length <= areaLength ? [start, length] : [areaStart, areaLength];
}

/** How much of a display the window covers. */
function shared(one: Area, other: Area): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}

/** The kept bounds if enough of the title bar can still be reached on some display, else null. */
export function reachable(bounds: Area | null, workAreas: readonly Area[]): Area | null {
  if (!bounds) return null;
  const grip = 100;
  const seen = workAreas.some((area) => {
    const width = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
    return width >= grip && bounds.y >= area.y && bounds.y <= area.y + area.height - grip;
  });
  return seen ? bounds : null;
}
