/** All that watches the machine while models run: samples, timeline, incidents, load progress, the runners' status. */
import type { EngineMethods } from '../../protocol/engine-methods.ts';
import type { EngineState } from '../../protocol/model.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import type { Incidents } from '../incidents/incidents.ts';
import type { Ours } from '../memory/ours.ts';
import { createRunnerFinder, type RunnerFinder } from '../runner-status/find-runner.ts';
import { createProcessLister } from '../runner-status/process-table.ts';
import { createRunnerStatus } from '../runner-status/runner-status.ts';
import { createSideCache } from '../runner-status/side-cache.ts';
import { getOnce } from '../runner-status/slots.ts';
import type { StateStore } from '../base/state.ts';
import { createLoadProgress } from './load-progress.ts';
import { allocatedBytes } from './memory.ts';
import { createGpuMonitor, type GpuMonitor, type SampleExtras } from './monitor.ts';
import { createOtherProgramsWatch, maxPrograms } from './other-programs.ts';
import { createSpillWatch } from './spill.ts';
import { createThrottleWatch } from './throttling.ts';
import { createTimeline, timelinePoint } from './timeline.ts';

export interface Monitor extends GpuMonitor {
  handlers: Pick<Handlers<EngineMethods>, 'engine/timeline' | 'runner/slots'>;
}

/** For whoever knows where the runners are; without it their command lines tell. */
export interface MonitorDeps extends EngineDeps {
  findRunner?: RunnerFinder;
}

export interface MonitorOptions {
  watched: () => boolean;
  /** Of a running Ollama; null = none. */
  url: () => string | null;
  /** Does this machine run the models? */
  isOwnMachine: () => boolean;
  incidents: Incidents;
  ours: Ours;
  /** What a model will take in memory; null = unknown. */
  predictedBytes: (model: string) => number | null;
}

export function openMonitor(deps: MonitorDeps, state: StateStore, options: MonitorOptions): Monitor {
  const { clock } = deps;
  const { incidents, isOwnMachine, ours } = options;
  const findInProcesses = (): RunnerFinder =>
    deps.simulated ? () => Promise.resolve(null) : createRunnerFinder(createProcessLister(deps));
  const find = deps.findRunner ?? findInProcesses();
  const status = createRunnerStatus(deps, state, { url: options.url, find, get: getOnce });
  const timeline = createTimeline();
  const progress = createLoadProgress(options.predictedBytes);
  const throttling = createThrottleWatch(clock, incidents);
  const otherPrograms = createOtherProgramsWatch(clock, incidents);
  const spill = createSpillWatch({
    incidents,
    loadOf: (model) => ours.get(model),
    gpus: () => (isOwnMachine() ? state.current().gpus : null),
  });
  const loadsSeen = new Set<string>();
  const sideCache = createSideCache({
    loaded: () => state.current().loaded.map(({ name }) => name),
    pid: (model) => status.pid(model),
    slots: (model) => status.slots(model),
    sawLoad: (model) => loadsSeen.has(model),
    allocatedBytes: async (pid) =>
      deps.machine.platform === 'linux' ? allocatedBytes(deps.files, pid) : null,
  });

  /** What Andiron knows of programs and of a load under way, with this sample. */
  const alsoChanges = (next: EngineState, { others }: SampleExtras): Partial<EngineState> => {
    if (!isOwnMachine()) return {};
    const gpuPrograms = maxPrograms(others);
    const isNews = next.gpuPrograms !== undefined || gpuPrograms.length > 0;
    const done = progress.of(next);
    return {
      ...(isNews && { gpuPrograms }),
      ...(next.loading && done !== undefined && { loading: { ...next.loading, progress: done } }),
    };
  };

  const onSample = ({ others }: SampleExtras): void => {
    const now = state.current();
    if (now.gpus && now.gpus.length > 0) {
      timeline.add(timelinePoint(now.gpus, isOwnMachine() ? heldByModels(now) : null, clock.now()));
    }
    void estimateSideCache();
    spill.look(now.loaded);
    if (!isOwnMachine()) return;
    throttling.look(now.gpus ?? [], now.lease?.model ?? null);
    otherPrograms.look(now, others);
  };

  let isEstimating = false;
  const estimateSideCache = async (): Promise<void> => {
    if (isEstimating) return;
    isEstimating = true;
    const sideCacheBytes = await sideCache.estimate();
    isEstimating = false;
    state.update({ sideCacheBytes });
  };

  const unlisten = state.onChange(({ loaded, loading }) => {
    if (loading && !loading.progress) {
      loadsSeen.add(loading.model);
      spill.loadBegan(loading.model);
    }
    if (loaded) spill.look(loaded);
  });
  const monitor = createGpuMonitor(deps, state, options.watched, { alsoChanges, onSample });

  return {
    ...monitor,
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
