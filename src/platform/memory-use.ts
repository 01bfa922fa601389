/** How much memory processes use together, as Linux counts it. */
import { readFileSync } from 'node:fs';

/** Whether they use more, in bytes. What they share counts once. False where that is not told. */
export function useMoreMemory(pids: readonly number[], limit: number): boolean {
  // Quick, and too much where they share: the exact figure takes long for much memory.
  if (sum(pids, 'status', ['VmRSS', 'VmSwap']) <= limit) return false;
  return sum(pids, 'smaps_rollup', ['Pss', 'SwapPss']) > limit;
}

const sum = (pids: readonly number[], file: string, names: readonly string[]): number =>
  pids.reduce((total, pid) => total + bytesIn(`/proc/${String(pid)}/${file}`, names), 0);

function bytesIn(path: string, names: readonly string[]): number {
  const text = read(path);
  return names.reduce((total, name) => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1];
    return total + Number(kilobytes ?? 0) * 1024;
  }, 0);
}

/** `` for what is gone, or another user's. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
