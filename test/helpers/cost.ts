/** What a piece of work costs the process it runs in. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface Cost<T> {
  results: T;
  /** Most memory at a time above what there was before, in MB: heap and buffers. */
  heapMb: number;
  /** The longest time in which nothing else could run. */
  lagMs: number;
}

const lookMs = 5;

export async function costOf<T>(work: () => Promise<T>): Promise<Cost<T>> {
  const before = inUse();
  let most = before;
  const look = setInterval(() => (most = Math.max(most, inUse())), lookMs);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  try {
    const results = await work();
    most = Math.max(most, inUse());
    return { results, heapMb: (most - before) / 1_000_000, lagMs: delay.max / 1_000_000 };
  } finally {
    delay.disable();
    clearInterval(look);
  }
}

function inUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
