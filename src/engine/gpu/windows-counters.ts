/**
 * Windows' own counters of video memory, for every maker and by process. They name adapters by a number
 * that is found nowhere else, so they are believed only where there is no doubt which GPU they speak of.
 */
import { z } from 'zod';
import { parseJson } from '../../protocol/json.ts';
import type { GpuReading } from './gpu-reading.ts';

const counterClass = 'Win32_PerfFormattedData_GPUPerformanceCounters_GPU';
const script =
  `@{adapters=@(Get-CimInstance ${counterClass}AdapterMemory|Select-Object Name,DedicatedUsage);` +
  `processes=@(Get-CimInstance ${counterClass}ProcessMemory|Where-Object DedicatedUsage -gt 0|` +
  'Select-Object Name,DedicatedUsage)}|ConvertTo-Json -Compress -Depth 3';

export const windowsCounterArgs: readonly string[] = ['-NoProfile', '-NonInteractive', '-Command', script];

const rowSchema = z.object({ Name: z.string(), DedicatedUsage: z.number().nonnegative() });
const answerSchema = z.object({ adapters: z.array(rowSchema), processes: z.array(rowSchema) });

export interface WindowsCounters {
  adapters: { luid: string; bytes: number }[];
  processes: { pid: number; luid: string; bytes: number }[];
}

/** Throws when the text is something else. */
export function parseWindowsCounters(stdout: string): WindowsCounters {
  const { adapters, processes } = answerSchema.parse(parseJson(stdout));
  return {
    adapters: adapters.flatMap(({ Name, DedicatedUsage: bytes }) => {
      const [, luid] = /^(luid_0x[0-9a-f]+_0x[0-9a-f]+)_phys_\d+$/i.exec(Name) ?? [];
      return luid === undefined ? [] : { luid, bytes };
    }),
    processes: processes.flatMap(({ Name, DedicatedUsage: bytes }) => {
      const [, pid, luid] = /^pid_(\d+)_(luid_0x[0-9a-f]+_0x[0-9a-f]+)_phys_\d+$/i.exec(Name) ?? [];
      return luid === undefined ? [] : { pid: Number(pid), luid, bytes };
    }),
  };
}

/** Adds what the counters know to the only GPU there is; of several nobody knows which is which. */
export function withWindowsCounters(
  readings: readonly GpuReading[],
  { adapters, processes }: WindowsCounters,
  isOllama: (pid: number) => boolean,
): GpuReading[] {
  const [only, ...more] = readings;
  if (!only || more.length > 0) return [...readings];
  const ours = processes.filter(({ pid }) => isOllama(pid));
  const busy = adapters.filter(({ bytes }) => bytes > 0);
  const [luid, ...doubt] = new Set((ours.length > 0 ? ours : busy).map((row) => row.luid));
  if (luid === undefined || doubt.length > 0) return [only];
  const used = sumOf(adapters.filter((row) => row.luid === luid));
  const held = sumOf(ours);
  const vramUsedBytes = only.vramUsedBytes ?? used;
  // The counter of a process can be wrong by more than there is.
  const isCredible = held > 0 && held <= vramUsedBytes;
  return [{ ...only, vramUsedBytes, ...(isCredible && { vramModelBytes: held }) }];
}

function sumOf(rows: readonly { bytes: number }[]): number {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}
