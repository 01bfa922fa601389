/** Where the window was when it was last closed (design 12). */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const windowStateSchema = z.object({
  bounds: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).nullable(),
  maximized: z.boolean(),
});
export type WindowState = z.infer<typeof windowStateSchema>;

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const defaultSize = { width: 1440, height: 900 };
export const leastSize = { width: 720, height: 480 };
const fresh: WindowState = { bounds: null, maximized: false };

/** Unreadable or nonsense = as on the first start. */
export function readWindowState(path: string): WindowState {
  try {
    return windowStateSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return fresh;
  }
}

/** Written whole. A state that cannot be kept must not keep the app from closing: the caller logs the throw. */
export function writeWindowState(path: string, state: WindowState): void {
  writeFileSync(`${path}.new`, JSON.stringify(state));
  renameSync(`${path}.new`, path);
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
