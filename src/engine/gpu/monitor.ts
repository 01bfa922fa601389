/**
 * The machine's GPUs, memory and processor, sampled at the window's pace (design 7). Live readers first; what they do
 * not know comes from the inventory; what nobody knows is null.
 */
import { isDeepStrictEqual } from 'node:util';
import type { GpuSample } from '../../protocol/model.ts';
import type { EngineDeps } from '../deps.ts';
import type { StateStore } from '../state.ts';
import { createTicker, pause, withDeadline } from '../timing.ts';
import { inventoryReadings, parseInventory } from './inventory.ts';
import { createLiveGpus } from './live-gpus.ts';
import { sampleMemory, type CpuTimes } from './memory.ts';
import type { OtherProgram } from './nvidia-reader.ts';
import type { GpuReading } from './reading.ts';

export interface GpuMonitor {
  /** Samples now. Never rejects. */
  now(): Promise<void>;
  /** Looks for GPUs anew, in the background. */
  takeInventory(): void;
  /** True when this machine has no GPU at all; null while that is not known. Waits a moment for the first inventory. */
  hasNoGpu(): Promise<boolean | null>;
  stop(): void;
}

/** What a sample found beyond what the state tells. */
export interface SampleExtras {
  /** Programs beside Ollama on the GPU, as far as they are told. */
  others: readonly OtherProgram[];
}

const watchedPaceMs = 2_000;
const hiddenPaceMs = 30_000;
/** A load is over in seconds, and its progress is read from the growth of memory. */
const loadingPaceMs = 500;
const inventoryMs = 20_000;
/** From the kill to the end that follows it. */
const graceMs = 1_000;
const patienceMs = 3_000;

/** @param onSample the state has just been brought up to date. */
export function createGpuMonitor(
  deps: EngineDeps,
  state: StateStore,
  watched: () => boolean,
  onSample: (extras: SampleExtras) => void = () => undefined,
): GpuMonitor {
  const { clock, log, machine, processes } = deps;
  let inventory: GpuReading[] | null = null;
  let takingInventory: Promise<void> | undefined;
  let cpu: CpuTimes | null = null;
  let isStopped = false;

  const live = createLiveGpus(deps, {
    holdsModels: () => state.current().loaded.some(({ vramBytes }) => vramBytes > 0),
    onLate: () => publish(),
  });

  const publish = (): void => {
    if (isStopped) return;
    const own = live.readings(inventory ?? []);
    const readings = own.length > 0 ? own : inventory;
    state.update({ gpus: readings && stamp(readings, state.current().gpus, clock.now()) });
    onSample({ others: live.others() });
  };

  const sample = async (): Promise<void> => {
    await live.refresh();
    const { memory, cpu: times } = sampleMemory(machine, cpu);
    cpu = times;
    state.update({ memory });
    publish();
  };

  const pace = (): number => {
    if (state.current().loading) return loadingPaceMs;
    return watched() ? watchedPaceMs : hiddenPaceMs;
  };
  const ticker = createTicker(clock, pace, async () => {
    try {
      await sample();
    } catch (error) {
      log.error('the GPU could not be sampled', error);
    }
  });
  let wasLoading = false;
  const unlisten = state.onChange(() => {
    const isLoading = state.current().loading !== null;
    if (isLoading && !wasLoading) void ticker.now();
    wasLoading = isLoading;
  });

  const readInventory = async (): Promise<void> => {
    try {
      const stdout = await withDeadline(clock, inventoryMs + graceMs, () =>
        processes.runInventory(inventoryMs),
      );
      inventory = inventoryReadings(parseInventory(stdout), machine);
    } catch (error) {
      log.warn('the GPU inventory failed', { reason: String(error) });
    }
    live.seekAgain();
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
    stop() {
      isStopped = true;
      unlisten();
      ticker.stop();
    },
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
