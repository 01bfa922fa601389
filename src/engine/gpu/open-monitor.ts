/** All that watches the machine while models run: samples, timeline, incidents, load progress, the runners' status. */
import type { EngineMethods } from '../../protocol/engine-methods.ts';
import type { EngineState } from '../../protocol/model.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { Facts } from '../base/engine-facts.ts';
import type { Incidents } from '../incidents/incidents.ts';
import type { Ours } from '../memory/ours.ts';
import type { PlanStore } from '../models/plan-store.ts';
import { createRunnerFinder, type RunnerFinder } from '../runner-status/find-runner.ts';
import { createProcessLister } from '../runner-status/ollama-processes.ts';
import { createRunnerStatus } from '../runner-status/runner-status.ts';
import { createSideCache } from '../runner-status/side-cache-bytes.ts';
import { getOnce } from '../runner-status/runner-slots.ts';
import type { StateStore } from '../base/state.ts';
import { createLoadProgress } from './load-progress.ts';
import { allocatedBytes } from './main-memory.ts';
import { freeBytes } from '../models/load-need.ts';
import { createGpuMonitor, type AlsoChanges, type GpuMonitor, type GpuMonitorDeps } from './monitor.ts';
import { createOtherProgramsWatch, maxPrograms } from './other-programs.ts';
import { createSpillWatch } from './spill.ts';
import { createThrottleWatch } from './throttling.ts';
import { createTimeline, timelinePoint } from './gpu-timeline.ts';

export interface Monitor extends GpuMonitor {
  /** Free for models, measured now; null = unknown, as on another machine. */
  freeBytes(): Promise<number | null>;
  handlers: Pick<Handlers<EngineMethods>, 'engine/timeline' | 'runner/slots'>;
}

/** For whoever knows where the runners are; without it their command lines tell. */
export interface MonitorDeps extends GpuMonitorDeps {
  findRunner?: RunnerFinder;
}

export interface MonitorOptions {
  watched: () => boolean;
  /** Of a running Ollama; null = none. */
  url: () => string | null;
  /** The GPU that is read here runs the models. */
  seesGpu: () => boolean;
  facts: Pick<Facts, 'on'>;
  incidents: Pick<Incidents, 'add' | 'withNew'>;
  ours: Ours;
  plans: Pick<PlanStore, 'get'>;
}

export function openMonitor(deps: MonitorDeps, state: StateStore, options: MonitorOptions): Monitor {
  const { clock } = deps;
  const { incidents, seesGpu, ours } = options;
  const findInProcesses = (): RunnerFinder =>
    deps.simulated ? () => Promise.resolve(null) : createRunnerFinder(createProcessLister(deps));
  const find = deps.findRunner ?? findInProcesses();
  const status = createRunnerStatus(deps, state, { url: options.url, find, get: getOnce });
  const timeline = createTimeline();
  const progress = createLoadProgress(
    (model) =>
      options.plans.get(model)?.sizeBytes ??
      state.current().models.find(({ name }) => name === model)?.sizeBytes ??
      null,
  );
  const throttling = createThrottleWatch(clock);
  const otherPrograms = createOtherProgramsWatch(clock);
  const spill = createSpillWatch((model) => ours.get(model));
  const loadsSeen = new Set<string>();
  const sideCache = createSideCache({
    loaded: () => state.current().loaded.map(({ name }) => name),
    pid: (model) => status.pid(model),
    slots: (model) => status.slots(model),
    sawLoad: (model) => loadsSeen.has(model),
    allocatedBytes: async (pid) =>
      deps.machine.platform === 'linux' ? allocatedBytes(deps.files, pid) : null,
  });

  /** All that Andiron knows with this sample of programs, of a load under way and of what goes wrong. */
  const alsoChanges: AlsoChanges = (next, others) => {
    const isHere = seesGpu();
    const { gpus } = next;
    if (gpus && gpus.length > 0)
      timeline.add(timelinePoint(gpus, isHere ? heldByModels(next) : null, clock.now()));
    void estimateSideCache();
    const spilled = spill.look(next.loaded, isHere ? gpus : null);
    if (!isHere) return { sideCacheBytes, ...incidents.withNew(spilled) };
    const throttled = throttling.look(gpus ?? [], next.lease?.model ?? null);
    const gpuPrograms = maxPrograms(others);
    const isNews = next.gpuPrograms !== undefined || gpuPrograms.length > 0;
    const done = progress.of(next);
    return {
      sideCacheBytes,
      ...(isNews && { gpuPrograms }),
      ...(next.loading && done !== undefined && { loading: { ...next.loading, progress: done } }),
      ...incidents.withNew([...spilled, ...throttled, ...otherPrograms.look(next, others)]),
    };
  };

  /** A busy runner answers late, so what is found goes into the state with the next sample. */
  let sideCacheBytes: number | null = null;
  let isEstimating = false;
  const estimateSideCache = async (): Promise<void> => {
    if (isEstimating) return;
    isEstimating = true;
    sideCacheBytes = await sideCache.estimate();
    isEstimating = false;
  };

  const unlisten = state.onChange(({ loaded, loading }) => {
    if (loading && !loading.progress) {
      loadsSeen.add(loading.model);
      spill.loadBegan(loading.model);
    }
    if (!loaded) return;
    for (const found of spill.look(loaded, seesGpu() ? state.current().gpus : null)) incidents.add(found);
  });
  const monitor = createGpuMonitor(deps, state, options.watched, alsoChanges);
  options.facts.on('window/shown', () => void monitor.now());

  return {
    ...monitor,
    async freeBytes() {
      if (!seesGpu()) return null;
      await monitor.now();
      return freeBytes(state.current());
    },
    hasNoGpu: async () => (seesGpu() ? monitor.hasNoGpu() : null),
    handlers: {
      'engine/timeline': () => ({ points: timeline.points(clock.now()) }),
      'runner/slots': async ({ model }) => ({ slots: await status.slots(model) }),
    },
    stop() {
      unlisten();
      status.stop();
      monitor.stop();
    },
  };
}

function heldByModels({ loaded }: EngineState): number {
  return loaded.reduce((sum, { vramBytes }) => sum + vramBytes, 0);
}
