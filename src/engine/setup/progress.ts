/** How far a download is and how fast it goes, told at a pace that a window can use. */
import type { Clock } from '../../platform/clock.ts';

export interface Progress {
  receivedBytes: number;
  totalBytes: number | null;
  /** Over the last seconds; null = too early to say. */
  bytesPerSecond: number | null;
}

const windowMs = 5_000;
const tellEveryMs = 250;

/** The returned function takes every step; `tell` hears of the first, the last and some between. */
export function createProgress(
  clock: Clock,
  tell: (progress: Progress) => void,
): (receivedBytes: number, totalBytes: number | null) => void {
  let marks: { at: number; bytes: number }[] = [];
  let toldAt = Number.NEGATIVE_INFINITY;
  return (receivedBytes, totalBytes) => {
    const now = clock.monotonic();
    if (now - toldAt < tellEveryMs && receivedBytes !== totalBytes) return;
    toldAt = now;
    // A download that starts over has no speed yet.
    if (receivedBytes < (marks.at(-1)?.bytes ?? 0)) marks = [];
    marks = [...marks.filter(({ at }) => now - at <= windowMs), { at: now, bytes: receivedBytes }];
    const [first] = marks;
    const ms = first ? now - first.at : 0;
    const bytesPerSecond = first && ms > 0 ? ((receivedBytes - first.bytes) / ms) * 1_000 : null;
    tell({ receivedBytes, totalBytes, bytesPerSecond });
  };
}
