/** AMD on Linux: the kernel's own files, no process needed. */
import { posix } from 'node:path';
import type { EngineFiles } from '../base/engine-deps.ts';
import type { GpuReading } from './gpu-reading.ts';

const root = '/sys/class/drm';
const amdVendor = '0x1002';

type SysfsFiles = Pick<EngineFiles, 'list' | 'readText'>;

export async function readAmdGpus(files: SysfsFiles): Promise<GpuReading[]> {
  const cards = (await files.list(root)).filter((name) => /^card\d+$/.test(name)).toSorted();
  const readings = await Promise.all(cards.map((card) => readCard(files, posix.join(root, card, 'device'))));
  return readings.filter((reading) => reading !== null);
}

async function readCard(files: SysfsFiles, device: string): Promise<GpuReading | null> {
  const text = async (...path: string[]): Promise<string | null> => {
    try {
      return (await files.readText(posix.join(device, ...path))).trim();
    } catch {
      // Which files exist differs by card and kernel; a missing one is an unknown value.
      return null;
    }
  };
  const number = async (...path: string[]): Promise<number | null> => {
    const value = await text(...path);
    return value === null || value === '' || Number.isNaN(Number(value)) ? null : Number(value);
  };

  const vramTotalBytes = await number('mem_info_vram_total');
  if ((await text('vendor')) !== amdVendor || vramTotalBytes === null) return null;
  const [monitor = ''] = await files.list(posix.join(device, 'hwmon'));
  const sensor = async (name: string): Promise<number | null> =>
    monitor === '' ? null : number('hwmon', monitor, name);
  const milliDegrees = await sensor('temp1_input');
  const microWatts = (await sensor('power1_average')) ?? (await sensor('power1_input'));
  return {
    name: (await text('product_name')) || 'AMD GPU',
    vramTotalBytes,
    vramUsedBytes: await number('mem_info_vram_used'),
    utilization: await number('gpu_busy_percent'),
    temperatureC: milliDegrees === null ? null : Math.round(milliDegrees / 1_000),
    powerW: microWatts === null ? null : Math.round(microWatts / 1_000_000),
  };
}
