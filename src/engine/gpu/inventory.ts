/** Which GPUs there are, by name and size: systeminformation, in a process of its own because it can hang (toolchain 8). */
import { z } from 'zod';
import { parseJson } from '../../protocol/json.ts';
import { nothingLive, type GpuReading } from './reading.ts';

/** What the inventory process prints: one line of JSON. systeminformation leaves out or nulls what it does not know. */
const inventorySchema = z.object({
  controllers: z.array(
    z.object({
      vendor: z.string().nullish(),
      model: z.string().nullish(),
      /** MiB. */
      vram: z.number().nullish(),
    }),
  ),
});
export type Inventory = z.infer<typeof inventorySchema>;

/** Adapters that only draw: servers' management chips and virtual machines' displays. */
const notForModels =
  /aspeed|matrox|basic (display|render)|vmware|virtualbox|virtio|qxl|cirrus|bochs|hyper-v|parallels/i;

export function parseInventory(stdout: string): Inventory {
  return inventorySchema.parse(parseJson(stdout));
}

/** Everything but name and size is unknown; on Linux the size too, where it is that of a window into the memory. */
export function inventoryReadings(
  inventory: Inventory,
  machine: { platform: NodeJS.Platform; arch: string; totalMemory(): number },
): GpuReading[] {
  const { platform, arch } = machine;
  const unified = platform === 'darwin' && arch === 'arm64';
  const controllers = inventory.controllers.filter(
    ({ vendor, model }) => !notForModels.test(`${vendor ?? ''} ${model ?? ''}`),
  );
  return controllers.map(({ vendor, model, vram }) => {
    const sized = platform === 'linux' || !vram ? null : vram * 1024 * 1024;
    return {
      name: model || vendor || 'GPU',
      vramTotalBytes: unified ? machine.totalMemory() : sized,
      ...nothingLive,
    };
  });
}
