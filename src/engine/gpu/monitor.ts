/**
 * The machine's GPUs, memory and processor, sampled at the window's pace (design 7). Live readers first; what they do
 * not know comes from the inventory; what nobody knows is null.
 */
import { isDeepStrictEqual } from 'node:util';
import type { GpuSample } from '../../protocol/model.ts';
import type { EngineDeps } from '../deps.ts';
import type { StateStore } from '../state.ts';
import { createTicker, pause, withDeadline } from '../timing.ts';
import { readAmdGpus } from './amd-sysfs.ts';
import { inventoryReadings, parseInventory } from './inventory.ts';
import { sampleMemory, type CpuTimes } from './memory.ts';
import {
  nothingLive,
  nvidiaSmiArgs,
  nvidiaSmiPrograms,
  parseNvidiaSmi,
  type GpuReading,
} from './nvidia-smi.ts';

export interface GpuMonitor {
  /** Samples now. Never rejects. */
  now(): Promise<void>;
  /** Looks for GPUs anew, in the background. */
  takeInventory(): void;
  /** True when this machine has no GPU at all; null while that is not known. Waits a moment for the first inventory. */
  hasNoGpu(): Promise<boolean | null>;
  stop(): void;
}

const watchedPaceMs = 2_000;
const hiddenPaceMs = 30_000;
const readerMs = 3_000;
const inventoryMs = 20_000;
/** From the kill to the end that follows it. */
const graceMs = 1_000;
const patienceMs = 3_000;

export function createGpuMonitor(deps: EngineDeps, state: StateStore, watched: () => boolean): GpuMonitor {
  const { clock, log, machine, processes } = deps;
  let inventory: GpuReading[] | null = null;
  let takingInventory: Promise<void> | undefined;
  /** The program that answered; undefined = not found yet, and then each inventory tries again. */
  let nvidiaSmi: string | undefined;
  let seekNvidia = true;
  let lastNvidia: GpuReading[] = [];
  let asking: Promise<string> | undefined;
  let cpu: CpuTimes | null = null;

  const readNvidia = async (): Promise<GpuReading[]> => {
    if (nvidiaSmi !== undefined) return askNvidia(nvidiaSmi);
    if (!seekNvidia) return [];
    seekNvidia = false;
    for (const program of nvidiaSmiPrograms(machine.platform)) {
      const readings = await askNvidia(program);
      if (readings.length === 0) continue;
      nvidiaSmi = program;
      return readings;
    }
    return [];
  };

  /** A driver that does not answer now keeps its cards: their values become unknown. */
  const askNvidia = async (program: string): Promise<GpuReading[]> => {
    try {
      // A process stuck in the driver cannot even be killed: it is not waited for, and no second one joins it.
      asking ??= processes.run(program, nvidiaSmiArgs, readerMs).finally(() => (asking = undefined));
      const answer = asking;
      lastNvidia = parseNvidiaSmi(await withDeadline(clock, readerMs + graceMs, () => answer));
    } catch (error) {
      const news = lastNvidia.some((gpu) => gpu.vramUsedBytes !== null);
      if (news) log.warn('nvidia-smi did not answer', { reason: String(error) });
      lastNvidia = lastNvidia.map((gpu) => ({ ...gpu, ...nothingLive }));
    }
    return lastNvidia;
  };

  const readLive = async (): Promise<GpuReading[]> => {
    const amd = machine.platform === 'linux' ? readAmdGpus(deps.files) : Promise.resolve([]);
    return (await Promise.all([readNvidia(), amd])).flat();
  };

  const sample = async (): Promise<void> => {
    const live = await readLive();
    const readings = live.length > 0 ? live : inventory;
    const { memory, cpu: times } = sampleMemory(machine, cpu);
    cpu = times;
    state.update({
      gpus: readings && stamp(readings, state.current().gpus, clock.now()),
      memory,
    });
  };
  const ticker = createTicker(
    clock,
    () => (watched() ? watchedPaceMs : hiddenPaceMs),
    async () => {
      try {
        await sample();
      } catch (error) {
        log.error('the GPU could not be sampled', error);
      }
    },
  );

  const readInventory = async (): Promise<void> => {
    try {
      const stdout = await withDeadline(clock, inventoryMs + graceMs, () =>
        processes.runInventory(inventoryMs),
      );
      inventory = inventoryReadings(parseInventory(stdout), machine);
    } catch (error) {
      log.warn('the GPU inventory failed', { reason: String(error) });
    }
    seekNvidia = true;
    await ticker.now();
  };

  const takeInventory = (): Promise<void> =>
    (takingInventory ??= readInventory().finally(() => (takingInventory = undefined)));

  return {
    now: () => ticker.now(),
    takeInventory: () => void takeInventory(),
    async hasNoGpu() {
      if (takingInventory) await Promise.race([takingInventory, pause(clock, patienceMs)]);
      const { gpus } = state.current();
      return gpus === null ? null : gpus.length === 0;
    },
    stop: () => ticker.stop(),
  };
}

/** A reading that says what the last one said keeps its moment, so that nothing is told. */
function stamp(
  readings: readonly GpuReading[],
  before: readonly GpuSample[] | null,
  at: number,
): GpuSample[] {
  return readings.map((reading, index) => {
    const last = before?.[index];
    const unchanged = last !== undefined && isDeepStrictEqual({ ...reading, at: last.at }, last);
    return { ...reading, at: unchanged ? last.at : at };
  });
}
