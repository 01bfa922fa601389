/** NVIDIA's own figures: one short process per reading, with a time limit. */
import { win32 } from 'node:path';
import { variableOf, windowsProgram } from '../../platform/system-programs.ts';
import { figure, type GpuReading } from './gpu-reading.ts';

export interface NvidiaGpu {
  /** null = this driver was not asked for it. */
  uuid: string | null;
  reading: GpuReading;
}

/** One process that has memory on one GPU. */
export interface ComputeApp {
  uuid: string;
  pid: number;
  /** Path or name of its program. */
  program: string;
  /** null = the driver does not say, as under Windows and WSL. */
  bytes: number | null;
}

/** How the reasons for a slower clock are called: since driver 535, before, and by one that knows neither. */
export const wordings = ['event', 'throttle', 'none'] as const;
export type Wording = (typeof wordings)[number];

const mib = 1024 * 1024;
const maxLines = 64;
const fields = ['name', 'memory.total', 'memory.used', 'utilization.gpu', 'temperature.gpu', 'power.draw'];
const format = '--format=csv,noheader,nounits';

/** An unknown field makes the driver refuse the whole question, so each wording is a question of its own. */
function fieldsOf(wording: Wording): string[] {
  return wording === 'none' ? fields : [...fields, 'uuid', `clocks_${wording}_reasons.active`];
}

export function nvidiaSmiArgs(wording: Wording): string[] {
  return [`--query-gpu=${fieldsOf(wording).join(',')}`, format];
}

export const computeAppsArgs: readonly string[] = [
  '--query-compute-apps=gpu_uuid,pid,used_memory,process_name',
  format,
];

/**
 * Linux: on the PATH, then where WSL keeps it. Windows: where its driver puts it, then where old ones did; by a bare name it
 * would be looked for in the current folder first.
 */
export function nvidiaSmiPrograms(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  if (platform === 'darwin') return [];
  if (platform !== 'win32') return ['nvidia-smi', '/usr/lib/wsl/lib/nvidia-smi'];
  const programFiles = variableOf(env, 'ProgramFiles') ?? 'C:\\Program Files';
  return [
    windowsProgram(env, 'nvidia-smi.exe'),
    win32.join(programFiles, 'NVIDIA Corporation', 'NVSMI', 'nvidia-smi.exe'),
  ];
}

/** One line per GPU, cells by commas; `[N/A]` and its like are unknown, and so is anything that is no number. */
export function parseNvidiaSmi(stdout: string, wording: Wording): NvidiaGpu[] {
  return linesOf(stdout).flatMap((line) => {
    const cells = line.split(',').map((cell) => cell.trim());
    const [name, total, used, utilization, temperature, power, uuid, reasons] = cells;
    if (cells.length !== fieldsOf(wording).length || !name || !cells.every(isCell)) return [];
    const throttled = throttledBy(reasons);
    const reading: GpuReading = {
      name,
      vramTotalBytes: mebibytes(total),
      vramUsedBytes: mebibytes(used),
      utilization: figure(utilization),
      temperatureC: figure(temperature),
      powerW: rounded(figure(power)),
      ...(throttled && { throttled }),
    };
    return { uuid: uuid ?? null, reading };
  });
}

/** null = this is no such list. */
export function parseComputeApps(stdout: string): ComputeApp[] | null {
  const apps: ComputeApp[] = [];
  for (const line of linesOf(stdout)) {
    const [uuid = '', pid = '', used = '', ...program] = line.split(',').map((cell) => cell.trim());
    if (!/^(GPU|MIG)-/.test(uuid) || !/^\d+$/.test(pid) || program.length === 0) return null;
    apps.push({ uuid, pid: Number(pid), program: program.join(','), bytes: mebibytes(used) });
  }
  return apps;
}

/** Bits of `clocks_event_reasons.active` as NVIDIA's management library documents them. */
const heatBits = 0x20n | 0x40n;
const powerBits = 0x04n | 0x80n;
/** Slowed down by the hardware, or held at the pace of its group. A clock that is idle or was set is not held back. */
const otherBits = 0x08n | 0x10n;

function throttledBy(cell: string | undefined): GpuReading['throttled'] {
  if (cell === undefined || !/^0x[0-9a-f]{1,16}$/i.test(cell)) return undefined;
  const mask = BigInt(cell);
  const known: ('heat' | 'power')[] = [];
  if (mask & heatBits) known.push('heat');
  if (mask & powerBits) known.push('power');
  return known.length === 0 && mask & otherBits ? ['other'] : known;
}

/** A name, a number, or words like `[Not Supported]`: nonsense may have the right number of commas too. */
function isCell(cell: string, index: number): boolean {
  if (index === 0) return /^[\x20-\x7e]{1,100}$/.test(cell);
  return figure(cell) !== null || /^(\[?[a-z/ ]*\]?|gpu-[0-9a-z-]+|0x[0-9a-f]+)$/i.test(cell);
}

function linesOf(stdout: string): string[] {
  return stdout
    .split('\n', maxLines)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function mebibytes(cell: string | undefined): number | null {
  const value = figure(cell);
  return value === null ? null : value * mib;
}

/** Tenths of a watt are noise that would repaint an idle window. */
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}
