/** How far a download is and how fast it goes, told at a pace that a window can use. */
import type { Clock, Timer } from '../../platform/clock.ts';

export interface Progress {
  receivedBytes: number;
  totalBytes: number | null;
  /** Over the last seconds; null = too early to say. */
  bytesPerSecond: number | null;
}

export interface ProgressTeller {
  /** The first step is told at once, the others soon; one that stalls is told until its speed is 0. */
  step: (receivedBytes: number, totalBytes: number | null) => void;
  stop: () => void;
}

const windowMs = 5_000;
const reportEveryMs = 250;

export function createProgress(clock: Clock, onProgress: (progress: Progress) => void): ProgressTeller {
  let marks: { at: number; bytes: number }[] = [];
  let latest = { receivedBytes: 0, totalBytes: null as number | null };
  let timer: Timer | undefined;

  const reportNow = (): void => {
    const { receivedBytes } = latest;
    const now = clock.monotonic();
    const before = marks.at(-1)?.bytes ?? receivedBytes;
    // A download that starts over has no speed yet.
    if (receivedBytes < before) marks = [];
    marks = [...marks.filter(({ at }) => now - at <= windowMs), { at: now, bytes: receivedBytes }];
    const [first] = marks;
    const ms = first ? now - first.at : 0;
    const bytesPerSecond = first && ms > 0 ? ((receivedBytes - first.bytes) / ms) * 1_000 : null;
    onProgress({ ...latest, bytesPerSecond });
    timer = clock.after(reportEveryMs, () => {
      timer = undefined;
      if (latest.receivedBytes !== receivedBytes || bytesPerSecond !== 0) reportNow();
    });
  };

  return {
    step(receivedBytes, totalBytes) {
      latest = { receivedBytes, totalBytes };
      if (!timer) reportNow();
    },
    stop() {
      timer?.cancel();
      timer = undefined;
    },
  };
}
