/** What a piece of work costs the process it runs in. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Cost<T> {
  results: T;
  /** Most memory held at a time above what there was before, in MB: heap and buffers, without garbage. */
  heapMb: number;
  /** The longest time in which nothing else could run. */
  lagMs: number;
}

const lookMs = 5;
/** Above this, garbage is collected before memory counts as held; collecting at every look would be the cost itself. */
const doubtfulBytes = 30_000_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export async function costOf<T>(work: () => Promise<T>): Promise<Cost<T>> {
  collect();
  const before = inUse();
  let most = before;
  const measure = (): void => {
    if (inUse() - Math.max(most, before + doubtfulBytes) > 0) collect();
    most = Math.max(most, inUse());
  };
  const look = setInterval(measure, lookMs);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  try {
    const results = await work();
    measure();
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
