/** What a piece of work costs the process it runs in. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Cost<T> {
  results: T;
  /** Most memory held at a time above what there was before, in MB: heap and buffers, without garbage. */
  heapMb: number;
  /** The longest work in which nothing else could run; on this thread's own clock, which other programs do not slow. */
  lagMs: number;
}

const lookMs = 5;
/** Above this, garbage is collected before memory counts as held; collecting at every look would be the cost itself. */
const doubtfulBytes = 30_000_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

export async function costOf<T>(work: () => Promise<T>): Promise<Cost<T>> {
  collect();
  const before = inUse();
  let most = before;
  let [worked, lagMs] = [workedMs(), 0];
  const measure = (): void => {
    lagMs = Math.max(lagMs, workedMs() - worked);
    const isDoubtful = (): boolean => inUse() > Math.max(most, before + doubtfulBytes);
    // Most garbage is young, and in a process that holds much the whole heap costs many times as much.
    if (isDoubtful()) collect({ type: 'minor' });
    if (isDoubtful()) collect();
    most = Math.max(most, inUse());
    worked = workedMs();
  };
  const look = setInterval(measure, lookMs);
  try {
    const results = await work();
    measure();
    return { results, heapMb: (most - before) / 1_000_000, lagMs };
  } finally {
    clearInterval(look);
  }
}

function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function inUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Entries of the list that is written and read to learn how fast this machine is today. */
const paceEntries = 20_000;

/** A yardstick for work in one go: what it costs this thread to write and read about 2 MB of JSON, in ms. */
export function paceMs(): number {
  const text = 'a line of text, and more of it';
  const list = Array.from({ length: paceEntries }, (_, n) => ({ id: `item ${String(n)}`, at: n, text }));
  return leastMs(() => void JSON.parse(JSON.stringify(list)));
}

const tries = 7;

/** What the work costs this thread at its best: a machine that is slow today moves bound and figure alike. */
export function leastMs(work: () => void): number {
  const costs = Array.from({ length: tries }, () => {
    const before = workedMs();
    work();
    return workedMs() - before;
  });
  return Math.min(...costs);
}
