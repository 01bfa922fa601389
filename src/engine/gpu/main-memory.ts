/** Main memory and processor load, by the operating system's counters. Steps are coarse: noise is no news. */
import type { MemorySample } from '../../protocol/model.ts';
import type { EngineFiles, Machine } from '../base/engine-deps.ts';

export const memoryStep = 64 * 1024 * 1024;
export const loadStep = 5;

export type CpuTimes = ReturnType<Machine['cpuTimes']>;

/** @param before an earlier reading of the processor times; the load is that of the time since then, in percent. */
export function sampleMemory(
  machine: Machine,
  before: CpuTimes | null,
): { memory: MemorySample; cpu: CpuTimes } {
  const cpu = machine.cpuTimes();
  const totalBytes = machine.totalMemory();
  // On a Mac the free pages alone are counted, which is not what is available.
  const used = machine.platform === 'darwin' ? null : totalBytes - machine.availableMemory();
  const memory = {
    totalBytes,
    usedBytes: used === null ? null : toStep(used, memoryStep),
    cpuLoad: before === null ? null : loadSince(before, cpu),
  };
  return { memory, cpu };
}

function loadSince(before: CpuTimes, now: CpuTimes): number | null {
  const total = now.total - before.total;
  if (total <= 0) return null;
  return toStep(100 * (1 - (now.idle - before.idle) / total), loadStep);
}

export function toStep(value: number, step: number): number {
  return Math.round(value / step) * step;
}

/** What a process has allocated and uses, without the files it maps; by Linux's own account. null = not told. */
export async function allocatedBytes(
  files: Pick<EngineFiles, 'readText'>,
  pid: number,
): Promise<number | null> {
  const status = await files.readText(`/proc/${String(pid)}/status`);
  const [, kibibytes] = /^RssAnon:\s+(\d+) kB$/m.exec(status) ?? [];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}
