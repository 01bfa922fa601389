/** NVIDIA's own figures: one short process per reading, with a time limit (toolchain 8). */
import type { GpuSample } from '../../protocol/model.ts';

/** A GPU's figures without the moment they were taken. */
export type GpuReading = Omit<GpuSample, 'at'>;

/** Only name and size are known. */
export const nothingLive = {
  vramUsedBytes: null,
  utilization: null,
  temperatureC: null,
  powerW: null,
} satisfies Partial<GpuReading>;

const fields = ['name', 'memory.total', 'memory.used', 'utilization.gpu', 'temperature.gpu', 'power.draw'];

export const nvidiaSmiArgs: readonly string[] = [
  `--query-gpu=${fields.join(',')}`,
  '--format=csv,noheader,nounits',
];

/** On the PATH, then where WSL keeps it. */
export function nvidiaSmiPrograms(platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') return [];
  return platform === 'linux' ? ['nvidia-smi', '/usr/lib/wsl/lib/nvidia-smi'] : ['nvidia-smi'];
}

/** One line per GPU, cells by commas; `[N/A]` and its like are unknown, and so is anything that is no number. */
export function parseNvidiaSmi(stdout: string): GpuReading[] {
  return stdout.split('\n').flatMap((line) => {
    const cells = line.split(',').map((cell) => cell.trim());
    const [name, total, used, utilization, temperature, power] = cells;
    if (cells.length !== fields.length || !name) return [];
    return {
      name,
      vramTotalBytes: mebibytes(total),
      vramUsedBytes: mebibytes(used),
      utilization: number(utilization),
      temperatureC: number(temperature),
      powerW: rounded(number(power)),
    };
  });
}

function number(cell: string | undefined): number | null {
  const value = Number(cell);
  return cell === undefined || cell === '' || Number.isNaN(value) ? null : value;
}

function mebibytes(cell: string | undefined): number | null {
  const value = number(cell);
  return value === null ? null : value * 1024 * 1024;
}

/** Tenths of a watt are noise that would repaint an idle window. */
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}
