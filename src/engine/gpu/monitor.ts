/**
 * The machine's GPUs, memory and processor, sampled at the window's pace: systeminformation for every machine, Andiron's
 * own readers laid over it field by field. What nobody knows is null. A sample is one change of the state.
 */
import { isDeepStrictEqual } from 'node:util';
import type { EngineState, GpuSample } from '../../protocol/model.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import type { StateStore } from '../base/state.ts';
import { createTicker, pause } from '../base/timing.ts';
import { createLiveGpus } from './live-gpus.ts';
import { sampleMemory, type CpuTimes } from './main-memory.ts';
import { mergeFields, mergeGpus } from './merge-samples.ts';
import type { OtherProgram } from './nvidia-reader.ts';
import type { GpuReading } from './gpu-reading.ts';
import { createSource } from './source.ts';
import { createSystemSampler } from './system-sampler.ts';

/**
 * What else changes with a sample, for the same event. @param next the state as it will be.
 * @param others programs beside Ollama on the GPU, as far as they are known.
 */
export type AlsoChanges = (next: EngineState, others: readonly OtherProgram[]) => Partial<EngineState>;

const watchedPaceMs = 2_000;
const hiddenPaceMs = 30_000;
/** A load is over in seconds, and its progress is read from the growth of memory. */
const loadingPaceMs = 500;
const patienceMs = 3_000;

export interface GpuMonitorDeps extends EngineDeps {
  /** The GPUs of a simulated engine, in place of those of the machine. */
  readGpus?: () => Promise<GpuReading[]>;
}

export function createGpuMonitor(
  deps: GpuMonitorDeps,
  state: StateStore,
  watched: () => boolean,
  alsoChanges: AlsoChanges = () => ({}),
) {
  const { clock, log, machine, readGpus } = deps;
  let cpu: CpuTimes | null = null;
  let isStopped = false;

  const system = createSystemSampler(deps, () => publish());
  const live = createLiveGpus(deps, {
    holdsModels: () => state.current().loaded.some(({ vramBytes }) => vramBytes > 0),
    onLate: () => publish(),
  });

  const simulated =
    readGpus && createSource(clock, { patienceMs, isNeeded: true, onLate: () => publish() }, readGpus);
  const stamped = (readings: readonly GpuReading[]): GpuSample[] =>
    stamp(readings, state.current().gpus, clock.now());

  const gpusNow = (): Partial<EngineState> => {
    if (simulated) {
      const readings = simulated.latest();
      return { gpus: readings ? stamped(readings) : null };
    }
    const base = system.latest();
    const named = base?.value.gpus ?? [];
    const own = { value: live.readings(named), at: clock.monotonic() };
    // Before the first answer nobody knows whether there is none.
    const isKnown = base !== null || own.value.length > 0 || system.hasFailed();
    const readings = isKnown ? mergeGpus(base && { value: named, at: base.at }, own) : null;
    return { gpus: readings && stamped(readings) };
  };

  const publish = (more: Partial<EngineState> = {}): void => {
    if (isStopped) return;
    const changes = {
      ...more,
      ...gpusNow(),
      systemReadings: system.hasFailed() ? 'failed' : 'working',
    } as const;
    state.update({ ...changes, ...alsoChanges({ ...state.current(), ...changes }, live.others()) });
  };

  const sample = async (): Promise<void> => {
    if (simulated) await simulated.refresh();
    else {
      system.ask();
      await live.refresh();
    }
    const { memory, cpu: times } = sampleMemory(machine, cpu);
    cpu = times;
    const base = system.latest();
    const own = { value: memory, at: clock.monotonic() };
    publish({ memory: base ? mergeFields({ value: base.value.memory, at: base.at }, own) : memory });
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

  return {
    /** Samples now. Never rejects. */
    now: (): Promise<void> => ticker.now(),
    /** Looks again for GPUs and readers that were not there or had failed, in the background. */
    lookAgain(): void {
      system.retry();
      live.seekAgain();
      void ticker.now();
    },
    /** True when this machine has no GPU at all; null while that is not known. Waits a moment for the first sample. */
    async hasNoGpu(): Promise<boolean | null> {
      await Promise.race([simulated?.refresh() ?? system.settled(), pause(clock, patienceMs)]);
      const { gpus } = state.current();
      return gpus === null ? null : gpus.length === 0;
    },
    stop(): void {
      isStopped = true;
      unlisten();
      ticker.stop();
      system.stop();
    },
  };
}

export type GpuMonitor = ReturnType<typeof createGpuMonitor>;

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
