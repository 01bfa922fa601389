/**
 * Putting a file in the place of another. On Windows that fails as long as anybody has one of the two open: virus scanners,
 * the indexer, editors and OneDrive do so for milliseconds, so it is tried again for about two seconds.
 */
import { renameSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { hasCode } from './file-errors.ts';

export interface RenameEdges {
  platform: string;
  rename(from: string, to: string): Promise<void>;
  pause(ms: number): Promise<void>;
}

/** 10, 20 … 200 ms: 2.1 s in all. */
const pausesMs = Array.from({ length: 20 }, (_, index) => (index + 1) * 10);
/** A program that does nothing else meanwhile waits for 0.55 s at most. */
const pausesOfNow = 10;

const isHeldOpen = (error: unknown): boolean =>
  ['EPERM', 'EACCES', 'EBUSY'].some((code) => hasCode(error, code));

const systemRenames: RenameEdges = {
  platform: process.platform,
  rename,
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/**
 * Rejects with the last error. @param check before each try: whether what is at `to` may still be replaced; what it rejects
 * with is not tried again
 */
export async function renameOver(
  from: string,
  to: string,
  check: () => Promise<void> = () => Promise.resolve(),
  edges: RenameEdges = systemRenames,
): Promise<void> {
  for (const pauseMs of [...pausesMs, null]) {
    await check();
    try {
      await edges.rename(from, to);
      return;
    } catch (error) {
      if (pauseMs === null || edges.platform !== 'win32' || !isHeldOpen(error)) throw error;
    }
    await edges.pause(pauseMs);
  }
}

export interface SyncRenameEdges {
  platform: string;
  rename(from: string, to: string): void;
  pause(ms: number): void;
}

const systemSyncRenames: SyncRenameEdges = {
  platform: process.platform,
  rename: renameSync,
  pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};

/** The same, and nothing else happens in this process meanwhile: for its first and its last moments. */
export function renameOverNow(from: string, to: string, edges: SyncRenameEdges = systemSyncRenames): void {
  for (const pauseMs of [...pausesMs.slice(0, pausesOfNow), null]) {
    try {
      edges.rename(from, to);
      return;
    } catch (error) {
      if (pauseMs === null || edges.platform !== 'win32' || !isHeldOpen(error)) throw error;
    }
    edges.pause(pauseMs);
  }
}
