/**
 * The engine: Ollama and the GPU behind it, as one thing that windows watch and the host asks for leases.
 * Hosted by Electron's main or by the headless server. The one composition root of this folder.
 */
import type { EngineMethods } from '../protocol/engine-methods.ts';
import { AndironError } from '../protocol/errors.ts';
import type { EngineState } from '../protocol/model.ts';
import type { Handlers } from '../protocol/rpc-server.ts';
import type { Transport } from '../protocol/transport.ts';
import { createFacts } from './base/engine-facts.ts';
import { createStateStore, initialState, runningUrl } from './base/state.ts';
import { createClients } from './clients.ts';
import type { DescribeModel } from './models/describe-model.ts';
import { openFit } from './models/open-fit.ts';
import { openMonitor, type MonitorDeps } from './gpu/open-monitor.ts';
import { createIncidents } from './incidents/incidents.ts';
import { createGpuQueue } from './leases/gpu-queue.ts';
import { leaseHandlers } from './leases/lease-handlers.ts';
import { Leases } from './leases/leases.ts';
import { createLending } from './leases/lending.ts';
import { createLibrary } from './library/model-library.ts';
import { createEmbedder } from './memory/embedder.ts';
import { createKeepWarm } from './memory/keep-warm.ts';
import { Loader } from './memory/loader.ts';
import type { Ours, SideModels } from './memory/ours.ts';
import { createPrices } from './memory/load-price.ts';
import { createPlanner } from './memory/planner.ts';
import { createReloadGuard } from './memory/reload-guard.ts';
import { createResidency, findResident } from './memory/residency.ts';
import { createCatalogue } from './models/catalogue.ts';
import { openPlanStore } from './models/plan-store.ts';
import { showProblems } from './problems.ts';
import type { SetupEdges } from './setup/edges.ts';
import { openSetup } from './setup/own-setup.ts';
import { isLoopback } from './supervision/host-address.ts';
import { supervisorHandlers } from './supervision/host-list.ts';
import { Supervisor } from './supervision/supervisor.ts';

export { createOllamaApi } from '../ollama/api.ts';
export type { EngineDeps, SamplerProcess } from './base/engine-deps.ts';
export { createDescribeModel } from './models/describe-model.ts';
export { createDirectoryFinder } from './runner-status/directory-finder.ts';
export { createSimulatedGpus } from './gpu/simulated-gpus.ts';
export { nodeSetupEdges } from './setup/node-edges.ts';
export { nodeFiles, nodeMachine, nodeProcesses, startSamplerInNode } from './node-deps.ts';

export interface Engine {
  /** Serves one client: a window or the host. Its leases end with it. */
  connect(transport: Transport): void;
  state(): EngineState;
  /** For the tray: calls back after every change; returns the way to stop that. */
  onChange(listener: (state: EngineState) => void): () => void;
  /** Stops looking and sampling. Ollama and what it holds in memory stay as they are, but for a child of our own. */
  stop(): Promise<void>;
}

interface EngineParts extends MonitorDeps {
  /** Absent = setting Ollama up is not offered. */
  setup?: SetupEdges;
  /** Absent = models are judged by less. */
  describe?: DescribeModel;
  /** Opens a demo beside this Andiron and resolves to its address, null for a window of its own. Absent = there is none. */
  openDemo?: () => Promise<string | null>;
}

/**
 * Begins to look for Ollama and to sample the GPU at once. A part calls only parts that are created before it; what it does
 * after a later one, it hears as a fact.
 */
export function createEngine(deps: EngineParts): Engine {
  const { clock, log } = deps;
  // A simulated engine's models are not the real ones of the same name.
  const plans = openPlanStore(deps.files, deps.simulated ? null : deps.dataFile, log);
  const state = createStateStore({
    ...initialState,
    keepAlive: plans.keepAlive(),
    keepMinutes: plans.keepMinutes() ?? initialState.keepMinutes,
  });
  const facts = createFacts(log);
  const ours: Ours = new Map();
  const side: SideModels = new Set();
  const url = (): string | null => runningUrl(state);
  const onThisMachine = (): boolean => !deps.simulated && isLoopback(url() ?? '');
  /** Another machine's Ollama has other GPUs; the simulated one has none of ours, and may have one of its own. */
  const seesGpu = (): boolean => onThisMachine() || deps.readGpus !== undefined;

  showProblems(state, facts, clock, log);
  const incidents = createIncidents(state, facts, clock, deps.newId);
  const clients = createClients(state, facts, deps.newId('engine_'), log);
  const { isWatched: watched, isConnected } = clients;
  const queue = createGpuQueue((waiting) => state.update({ waiting: waiting.length, queue: waiting }));
  const setup = openSetup(deps, deps.setup, state, { facts, records: plans, isIdle: queue.isIdle });
  const supervisor = new Supervisor(deps, state, {
    facts,
    list: () => plans.hosts(),
    own: setup.host,
    isIdle: queue.isIdle,
  });
  const catalogue = createCatalogue(deps, state, { facts, url, watched });
  const fit = openFit(deps, deps.describe, state, { url, seesGpu, catalogue, plans });
  const look = createReloadGuard({ clock, state, ours, side, plans, incidents });
  const residency = createResidency(deps, state, { facts, url, watched, plans, fit, look });
  const monitor = openMonitor(deps, state, {
    facts,
    url,
    watched,
    seesGpu,
    incidents,
    ours,
    plans,
  });
  const memory = { supervisor, catalogue, residency, monitor, fit, plans, ours, side };
  const planner = createPlanner(state, memory);
  const loader = new Loader(deps, state, { ...memory, facts, incidents, planner });
  const leases = new Leases(deps, state, { facts, supervisor, catalogue, loader, queue });
  const embedder = createEmbedder(deps, state, { ...memory, facts, incidents });
  const unload = (model: string): Promise<void> => leases.unload(model);
  const keepAlive = createKeepWarm(deps, state, { facts, plans, loader, leases, ours, isConnected });
  const lending = createLending(state, { ...memory, clock, loader, leases });
  const prices = createPrices(state, { ...memory, planner });
  const library = createLibrary(deps, state, {
    url,
    onThisMachine,
    catalogue,
    unload,
    fitOf: (offer) => fit.fitOf(offer),
    cacheBytesPerToken: (model) => fit.cacheBytesPerToken(model),
  });

  const handlers: Handlers<EngineMethods> = {
    ...clients.handlers,
    ...library.handlers,
    ...leaseHandlers(leases, lending, prices, planner),
    ...keepAlive,
    ...embedder,
    ...fit.handlers,
    ...monitor.handlers,
    ...incidents.handlers,
    ...setup.handlers,
    ...supervisorHandlers(supervisor, plans),
    async 'model/residency'({ model: name }) {
      const at = await supervisor.url();
      const resident = findResident(await residency.read(at), await catalogue.find(name));
      return { loaded: resident !== undefined, vramBytes: resident?.size_vram ?? null };
    },
    async 'demo/open'() {
      if (!deps.openDemo)
        throw new AndironError('not_found', 'There is no demo to open here.', 'Start Andiron with --demo.');
      return { address: await deps.openDemo() };
    },
    async 'engine/refresh'() {
      monitor.lookAgain();
      await supervisor.look();
      await Promise.all([catalogue.read(), residency.now()]);
      return {};
    },
  };

  void supervisor.look();
  monitor.lookAgain();

  return {
    connect: (transport) => clients.serve(transport, handlers),
    state: () => state.current(),
    onChange: (listener) => state.onChange(() => listener(state.current())),
    async stop() {
      for (const part of [supervisor, catalogue, residency, monitor]) part.stop();
      await library.stop();
      await setup.stop();
      await fit.stop();
      await plans.flushed();
    },
  };
}
