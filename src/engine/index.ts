/**
 * The engine: Ollama and the GPU behind it, as one thing that windows watch and the host asks for leases.
 * Hosted by Electron's main or by the headless server. The one composition root of this room.
 */
import { AndironError, toWireError } from '../protocol/errors.ts';
import { engineMethods, type EngineMethods } from '../protocol/engine-methods.ts';
import type { EngineState, ModelInfo } from '../protocol/model.ts';
import { serve, type Connection, type Handlers } from '../protocol/rpc-server.ts';
import type { Transport } from '../protocol/transport.ts';
import { openMonitor, type MonitorDeps } from './gpu/open-monitor.ts';
import type { DescribeModel } from './fit/describe-model.ts';
import { openFit } from './fit/open-fit.ts';
import { createIncidents, refusedGrammar, slotLost, wastedWarmUp } from './incidents/incidents.ts';
import { createLeases } from './leases/leases.ts';
import { createLending } from './leases/lending.ts';
import { createLoadHandlers } from './leases/load-handlers.ts';
import { createLibrary } from './library/library.ts';
import { freeBytes } from './memory/fit.ts';
import { createKeepWarm } from './memory/keep-warm.ts';
import { createLoader } from './memory/loader.ts';
import type { Ours } from './memory/ours.ts';
import { createPrices } from './memory/price.ts';
import { createReloadGuard } from './memory/reload-guard.ts';
import { createResidency, findResident } from './memory/residency.ts';
import { starvedCode } from './memory/starvation.ts';
import { createCatalogue } from './models/catalogue.ts';
import { openPlanStore } from './plans/plan-store.ts';
import type { SetupEdges } from './setup/edges.ts';
import { openSetup } from './setup/setup.ts';
import { createStateStore, initialState } from './base/state.ts';
import { isLoopback } from './supervision/host-address.ts';
import { hostListHandlers } from './supervision/host-list.ts';
import { createSupervisor } from './supervision/supervisor.ts';

export { createOllamaApi } from '../ollama/api.ts';
export type { EngineDeps, SamplerProcess } from './base/engine-deps.ts';
export { createDescribeModel } from './fit/describe-model.ts';
export { createDirectoryFinder } from './runner-status/directory-finder.ts';
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

/**
 * Begins to look for Ollama and to sample the GPU at once.
 * @param deps without `setup`, setting Ollama up is not offered; without `describe`, models are judged by less.
 */
export function createEngine(deps: MonitorDeps & { setup?: SetupEdges; describe?: DescribeModel }): Engine {
  const { clock, log } = deps;
  // A simulated engine's models are not the real ones of the same name.
  const plans = openPlanStore(deps.files, deps.simulated ? null : deps.dataFile, log);
  const state = createStateStore({
    ...initialState,
    keepAlive: plans.keepAlive(),
    keepMinutes: plans.keepMinutes() ?? initialState.keepMinutes,
  });
  const incidents = createIncidents(state, clock, deps.newId);
  const ours: Ours = new Map();
  const epoch = deps.newId('engine_');
  const connections = new Set<Connection>();
  const watching = new Set<Connection>();
  const watched = (): boolean => watching.size > 0;

  const runningUrl = (): string | null => {
    const { status } = state.current();
    return status.kind === 'running' ? status.url : null;
  };

  const nobodyUsesIt = (): boolean => state.current().lease === null && leases.quiet();
  const setup = openSetup(deps, deps.setup, state, {
    records: plans,
    quiet: nobodyUsesIt,
    onChange: () => void supervisor.look(),
    onProblem: (failure) => reportProblem(failure),
  });
  const supervisor = createSupervisor(deps, state, {
    list: () => plans.hosts(),
    own: setup.host,
    quiet: nobodyUsesIt,
    onRunning() {
      loader.forgetAll();
      if (state.current().problem?.code === 'engine_unavailable') state.update({ problem: null });
      void catalogue.read();
      void residency.now();
    },
    onGone() {
      loader.forgetAll();
      state.update({ loaded: [] });
    },
  });
  const catalogue = createCatalogue(deps, state, {
    url: runningUrl,
    watched,
    onLost: () => void supervisor.look(),
  });
  const residency = createResidency(deps, state, {
    url: runningUrl,
    watched,
    plans,
    weightsOf: (row) => fit.weightsOf(row),
    look: createReloadGuard({ clock, state, ours, plans, incidents }),
    onLost: () => void supervisor.look(),
    onRead: () => keepWarm.tend(),
  });
  const monitor = openMonitor(deps, state, {
    watched,
    url: runningUrl,
    isOwnMachine: () => samplesOwnMachine(),
    incidents,
    ours,
    predictedBytes: (model) =>
      plans.get(model)?.sizeBytes ??
      state.current().models.find(({ name }) => name === model)?.sizeBytes ??
      null,
  });
  /** Another machine's Ollama has other GPUs, and the simulated one has none of ours. */
  const samplesOwnMachine = (): boolean => {
    const url = runningUrl();
    return !deps.simulated && url !== null && isLoopback(url);
  };
  const fit = openFit(deps, deps.describe, state, {
    url: runningUrl,
    onThisMachine: samplesOwnMachine,
    catalogue,
    plans,
  });
  const memory = {
    url: () => supervisor.url(),
    catalogue,
    residency,
    plans,
    ours,
    judge: fit.judge,
    estimate: (model: ModelInfo, contextTokens: number) => fit.estimate(model, contextTokens),
    async freeBytes() {
      if (!samplesOwnMachine()) return null;
      await monitor.now();
      return freeBytes(state.current());
    },
  };
  const loader = createLoader(deps, state, {
    ...memory,
    incidents,
    cpuOnly: async () => (samplesOwnMachine() ? monitor.hasNoGpu() : null),
    onStarved: (starved) => reportStarved(starved),
    onLost: () => void supervisor.look(),
  });
  const leases = createLeases(deps, state, {
    url: (signal) => supervisor.url(signal),
    waitUntilAvailable: (signal) => supervisor.waitUntilAvailable(signal),
    catalogue,
    loader,
    onLoad: (failure) => reportProblem(failure),
    onCured: (model, tookMs) => incidents.add(slotLost(model, tookMs)),
    onLeaseEnd(model) {
      keepWarm.leaseEnded(model);
      // Who waits asks Ollama himself, and first.
      if (leases.quiet()) void residency.now();
    },
    onInvalidated() {
      void supervisor.look();
      void catalogue.read();
    },
  });
  const keepWarm = createKeepWarm({
    clock,
    log,
    state: () => state.current(),
    loader,
    ours,
    quiet: () => leases.quiet(),
    open: () => connections.size > 0,
    unload: (model) => leases.unload(model),
  });
  const loads = createLoadHandlers({
    leases,
    loader,
    lending: createLending(state, { ...memory, clock, loader, leases }),
    prices: createPrices(state, { ...memory, loader }),
  });

  const library = createLibrary(deps, state, {
    url: runningUrl,
    onThisMachine: () => samplesOwnMachine(),
    catalogue,
    unload: (model) => leases.unload(model),
    fitOf: (entry) => fit.fitOf(entry),
    cacheBytesPerToken: (...about) => fit.cacheBytesPerToken(...about),
  });

  /** The last thing that went wrong stays in the state until it works again. */
  const reportProblem = (failure: unknown): void => {
    if (failure === null) {
      state.update({ problem: null });
      return;
    }
    if (!(failure instanceof AndironError)) log.error('the engine', failure);
    const { code, message, advice = '' } = toWireError(failure);
    state.update({ problem: { code, message, advice, at: clock.now() } });
  };

  const reportStarved = (starved: AndironError | null): void => {
    if (starved) reportProblem(starved);
    else if (state.current().problem?.code === starvedCode) state.update({ problem: null });
  };

  const handlers: Handlers<EngineMethods> = {
    ...library.handlers,
    ...loads,
    ...fit.handlers,
    ...monitor.handlers,
    ...setup.handlers,
    ...hostListHandlers(plans, () => supervisor.look()),
    'engine/subscribe': (_, { connection }) => ({ epoch, ...state.subscribe(connection) }),
    'engine/watch'({ visible }, { connection }) {
      const wasWatched = watched();
      if (visible) watching.add(connection);
      else watching.delete(connection);
      if (!wasWatched && watched()) lookAround();
      return {};
    },
    async 'engine/refresh'() {
      monitor.lookAgain();
      await supervisor.look();
      await Promise.all([catalogue.read(), residency.now()]);
      return {};
    },
    async 'engine/start'() {
      try {
        await supervisor.start();
      } catch (error) {
        reportProblem(error);
        throw error;
      }
      return {};
    },
    'engine/set-keep-alive'({ policy, minutes }) {
      plans.setKeepAlive(policy, minutes);
      state.update({ keepAlive: policy, ...(minutes !== undefined && { keepMinutes: minutes }) });
      keepWarm.policyChanged();
      return {};
    },
    async 'model/preload'({ model, contextTokens }, { signal }) {
      await leases.preload(model, contextTokens, signal);
      return {};
    },
    async 'model/unload'({ model }) {
      await leases.unload(model);
      return {};
    },
    'lease/acquire': (params, { connection, signal }) => leases.acquire(params, connection, signal),
    'lease/regain': ({ leaseId }, { signal }) => leases.reacquire(leaseId, signal),
    'incident/wasted-warm-up'({ model, tokens, costMs }) {
      incidents.add(wastedWarmUp(model, tokens, costMs));
      return {};
    },
    'incident/refused-grammar'({ model, words }) {
      incidents.add(refusedGrammar(model, words));
      return {};
    },
    'lease/cure': ({ leaseId }, { signal }) => leases.recoverSlot(leaseId, signal),
    'lease/release'({ leaseId, failed = false }) {
      leases.release(leaseId, failed);
      return {};
    },
    async 'model/residency'({ model: name }) {
      const url = await supervisor.url();
      const model = await catalogue.find(name);
      const resident = findResident(await residency.read(url), model);
      return { loaded: resident !== undefined, vramBytes: resident?.size_vram ?? null };
    },
  };

  /** A window came to the front: what it shows should not be half a minute old. */
  const lookAround = (): void => {
    void supervisor.look();
    void residency.now();
    void monitor.now();
    // Where there was none, the list may not have been read for long: now somebody waits for a model to appear.
    if (state.current().models.length === 0) void catalogue.read();
  };

  void supervisor.look();
  monitor.lookAgain();

  return {
    connect(transport) {
      const connection = serve({
        transport,
        methods: engineMethods,
        handlers,
        epoch,
        onInternalError: (error, what) => log.error(`the engine could not answer ${what}`, error),
      });
      connections.add(connection);
      connection.onClose(() => {
        connections.delete(connection);
        watching.delete(connection);
        state.unsubscribe(connection);
        leases.releaseAll(connection);
      });
    },
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
