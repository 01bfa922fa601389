/** What systeminformation knows of this machine: the live monitor of every maker's cards, memory and processor. */
import { z } from 'zod';
import type { MemorySample } from '../../protocol/model.ts';
import type { Machine } from '../base/engine-deps.ts';
import { metalBytes } from './apple-memory.ts';
import { loadStep, memoryStep, toStep } from './main-memory.ts';
import { nothingLive, type GpuReading } from './gpu-reading.ts';

/** systeminformation leaves out, nulls or empties what it does not know; a figure of 0 is left out, too. */
const known = z.number().nonnegative().nullish().catch(null);

/** One answer of `system-sample-entry`. Sizes of cards in MiB, of the main memory in bytes, load in percent. */
const systemSampleSchema = z.object({
  controllers: z.array(
    z.object({
      vendor: z.string().nullish(),
      model: z.string().nullish(),
      vram: known,
      memoryTotal: known,
      memoryUsed: known,
      utilizationGpu: known,
      temperatureGpu: known,
      powerDraw: known,
    }),
  ),
  memory: z.object({ total: known, available: known }).nullish(),
  cpuLoad: known,
});
export type SystemSample = z.input<typeof systemSampleSchema>;

export interface SystemReadings {
  gpus: GpuReading[];
  memory: MemorySample;
}

/** Adapters that only draw: servers' management chips and virtual machines' displays. */
const notForModels =
  /aspeed|matrox|basic (display|render)|vmware|virtualbox|virtio|qxl|cirrus|bochs|hyper-v|parallels/i;
const mib = 1024 * 1024;

/** Throws when `answer` has another form. */
export function readSystemSample(
  answer: unknown,
  machine: Pick<Machine, 'platform' | 'arch' | 'totalMemory'>,
): SystemReadings {
  const { controllers, memory, cpuLoad } = systemSampleSchema.parse(answer);
  const cards = controllers.filter(
    ({ vendor, model }) => !notForModels.test(`${vendor ?? ''} ${model ?? ''}`),
  );
  const total = memory?.total || null;
  const available = memory?.available ?? null;
  return {
    gpus: cards.map((card) => ({
      ...nothingLive,
      name: card.model || card.vendor || 'GPU',
      vramTotalBytes: sizeOf(card, machine),
      vramUsedBytes: bytes(card.memoryUsed),
      ...(isUnified(card, machine) && { unified: true as const }),
      utilization: card.utilizationGpu ?? null,
      temperatureC: card.temperatureGpu ?? null,
      powerW: card.powerDraw ?? null,
    })),
    memory: {
      totalBytes: total,
      usedBytes:
        total === null || available === null ? null : toStep(Math.max(0, total - available), memoryStep),
      cpuLoad: cpuLoad === null || cpuLoad === undefined ? null : toStep(cpuLoad, loadStep),
    },
  };
}

type Controller = z.output<typeof systemSampleSchema>['controllers'][number];

/** No maker of other cards has one in a Mac with Apple silicon. */
function isUnified(
  { memoryTotal }: Controller,
  { platform, arch }: Pick<Machine, 'platform' | 'arch'>,
): boolean {
  return !memoryTotal && platform === 'darwin' && arch === 'arm64';
}

/** The driver's own figure first. On Linux the other one is the size of a window into the memory, so it is not used. */
function sizeOf(
  card: Controller,
  machine: Pick<Machine, 'platform' | 'arch' | 'totalMemory'>,
): number | null {
  const { vram, memoryTotal } = card;
  if (memoryTotal) return bytes(memoryTotal);
  if (isUnified(card, machine)) return metalBytes(machine.totalMemory());
  return machine.platform === 'linux' || !vram ? null : bytes(vram);
}

function bytes(mebibytes: number | null | undefined): number | null {
  return mebibytes ? mebibytes * mib : null;
}
