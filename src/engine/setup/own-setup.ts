/**
 * Ollama in Andiron's own folder: set up, updated and removed when a person asks for it, never unasked, and
 * kept running as a child while Andiron runs. Told in the state's `setup`.
 */
import { AndironError, type ErrorCode } from '../../protocol/errors.ts';
import type { setupMethods } from '../../protocol/engine-room-methods.ts';
import type { Setup } from '../../protocol/engine-room.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import type { Facts } from '../base/engine-facts.ts';
import type { StateStore } from '../base/state.ts';
import type { OwnHost } from '../supervision/supervisor.ts';
import { pause } from '../base/timing.ts';
import type { SetupEdges } from './edges.ts';
import { toProblem } from './setup-failure.ts';
import { personsModels, setupFolders } from './setup-folders.ts';
import { createInstaller, type InstallReport } from './installer.ts';
import { createOwnChild } from './own-child.ts';
import type { OwnRecords } from './own-process.ts';
import type { OwnRecord } from './own-record.ts';
import { createProgress } from './setup-progress.ts';
import { releaseFor, type Place, type Release } from './release.ts';

export interface OwnSetup {
  /** For the supervisor; null = it is not offered here. */
  host: OwnHost | null;
  handlers: Omit<Handlers<typeof setupMethods>, 'engine/set-hosts'>;
  /** What is downloaded stays; the child is ended. */
  stop(): Promise<void>;
}

export interface SetupOptions {
  records: OwnRecords;
  /** Nobody uses the GPU: only then the child is exchanged or ended. */
  isIdle: () => boolean;
  facts: Pick<Facts, 'publish'>;
}

type Job = NonNullable<Setup['job']>;

interface RunningJob {
  controller: AbortController;
  /** Never rejects. */
  done: Promise<void>;
}

const quietPollMs = 1_000;

/** Not offered where another address was named, nothing is kept, or nobody gave what it takes. */
export function openSetup(
  deps: EngineDeps,
  edges: SetupEdges | undefined,
  state: StateStore,
  options: SetupOptions,
): OwnSetup {
  const { dataFile } = deps;
  if (!edges || dataFile === null || deps.simulated || deps.url !== null) return noSetup;
  return createSetup({ ...deps, dataFile }, edges, state, options);
}

/** Cleans up what an earlier Andiron left, and starts the child where it was set up. */
function createSetup(
  deps: EngineDeps & { dataFile: string },
  edges: SetupEdges,
  state: StateStore,
  options: SetupOptions,
): OwnSetup {
  const { clock, log, machine } = deps;
  const { records, facts } = options;
  const folders = setupFolders(machine.platform, deps.dataFile);
  const release = knownRelease(machine, edges);
  const installer = createInstaller(deps, edges, folders);
  let running: RunningJob | undefined;
  let closed = false;

  const updateSetup = (changes: Partial<Setup>): void => {
    state.update({ setup: { ...state.current().setup, ...changes } });
  };

  const remember = (changes: Partial<OwnRecord>): void => {
    const record = records.own();
    if (record) records.setOwn({ ...record, ...changes });
  };

  const reportChange = (): void => facts.publish({ type: 'child/changed' });
  const report = (failure: unknown): void => facts.publish({ type: 'engine/failed', failure });

  const child = createOwnChild(deps, edges, {
    records,
    folders,
    async program() {
      const record = records.own();
      const program = record && (await installer.programOf(record.version));
      if (program) return program;
      throw new AndironError('engine_unavailable', 'The program of Ollama is gone.', 'Set Ollama up again.');
    },
    keepsPartials: () => state.current().pulls.length > 0 || records.own()?.modelsFolder !== folders.models,
    onChange: reportChange,
    onGivenUp: report,
  });

  const isLeaving = (): boolean => closed || state.current().setup.job?.phase === 'removing';

  const reportFailure = (error: unknown): void => {
    if (!isLeaving()) report(error);
  };

  /** Starts what the record names; a version that never answered gives way to the one before it. */
  const startChild = async (signal?: AbortSignal): Promise<void> => {
    const record = records.own();
    try {
      await child.start(signal);
    } catch (error) {
      if (!record?.previous || isLeaving()) throw error;
      await child.stop();
      remember({ version: record.previous, previous: null });
      await edges.files.remove(folders.version(record.version));
      await reportInstalled();
      await child.start();
      throw error;
    }
    if (!record?.previous) return;
    remember({ previous: null });
    await edges.files.remove(folders.version(record.previous));
  };

  const reportInstalled = async (): Promise<void> => {
    const record = records.own();
    const models = record?.modelsFolder ?? (await chooseModels());
    if (!record) {
      updateSetup({ installed: null, models: { folder: models, own: models === folders.models } });
      return;
    }
    const folder = folders.version(record.version);
    let sizeBytes = 0;
    for await (const { size } of edges.files.walk(folder)) sizeBytes += size;
    updateSetup({
      installed: { version: record.version, folder, sizeBytes },
      models: { folder: models, own: models === folders.models },
    });
  };

  /** Our own library once it has something in it; else the person's where there is one. */
  const chooseModels = async (): Promise<string> => {
    if ((await deps.files.list(folders.models)).length > 0) return folders.models;
    const persons = personsModels(machine);
    const isThere = (await deps.files.list(persons)).includes('manifests');
    return isThere ? persons : folders.models;
  };

  const open = async (): Promise<void> => {
    const record = records.own();
    if (record && (await installer.programOf(record.version)) === null) records.setOwn(null);
    // Whole, but not in the record: `engine.json` was lost.
    if (!records.own() && release && (await installer.programOf(release.version)) !== null) {
      records.setOwn(await freshRecord(release.version));
    }
    const own = records.own();
    await installer.cleanUp(own ? [own.version, ...(own.previous ? [own.previous] : [])] : [], release);
    await reportInstalled();
    const left = release && own?.version !== release.version ? await installer.left(release) : null;
    if (left) {
      const kind = own ? 'update' : 'install';
      updateSetup({ job: { kind, phase: 'paused', ...left, bytesPerSecond: null, problem: null } });
    }
  };

  const freshRecord = async (version: string): Promise<OwnRecord> => ({
    version,
    previous: null,
    port: null,
    modelsFolder: await chooseModels(),
    child: null,
  });

  const run = (
    kind: Job['kind'],
    phase: Job['phase'],
    work: (signal: AbortSignal) => Promise<void>,
  ): void => {
    const controller = new AbortController();
    const began = { receivedBytes: 0, totalBytes: null, bytesPerSecond: null, problem: null };
    const before = state.current().setup.job;
    updateSetup({ job: { ...began, ...(before?.kind === kind && bytesOf(before)), kind, phase } });
    const done = work(controller.signal).then(
      () => updateSetup({ job: null }),
      async (error: unknown) => {
        if (controller.signal.aborted) {
          const left = release && (await installer.left(release).catch(() => null));
          change({ phase: 'paused', bytesPerSecond: null, ...left });
          return;
        }
        log.error(`setting up Ollama (${kind})`, error);
        change({ phase: 'failed', bytesPerSecond: null, problem: toProblem(error) });
      },
    );
    running = { controller, done: done.finally(() => (running = undefined)) };
  };

  const change = (changes: Partial<Job>): void => {
    const { job } = state.current().setup;
    if (job) updateSetup({ job: { ...job, ...changes } });
  };

  const install = async (signal: AbortSignal): Promise<void> => {
    if (!release) return;
    const progress = createProgress(clock, change);
    const report: InstallReport = {
      phase(phase) {
        progress.stop();
        change({ phase, bytesPerSecond: null });
      },
      progress: progress.step,
    };
    await installer.place(release, report, signal).finally(() => progress.stop());
    change({ phase: 'starting', bytesPerSecond: null });
    const before = records.own();
    if (!before) records.setOwn(await freshRecord(release.version));
    else if (before.version !== release.version) {
      while (!options.isIdle()) await pause(clock, quietPollMs, signal).then(() => signal.throwIfAborted());
      await child.stop();
      remember({ version: release.version, previous: before.version });
    }
    await reportInstalled();
    await startChild(signal);
  };

  const remove = async (models: boolean): Promise<void> => {
    await child.stop();
    const { files } = edges;
    await files.remove(folders.doomed);
    if ((await deps.files.list(folders.versions)).length > 0)
      await files.rename(folders.versions, folders.doomed);
    records.setOwn(null);
    reportChange();
    for (const path of [folders.doomed, folders.downloads, folders.home]) await files.remove(path);
    // The person's own library is never ours to delete.
    if (models) await files.remove(folders.models);
    if ((await deps.files.list(folders.root)).length === 0) await files.remove(folders.root);
    await reportInstalled();
  };

  const giveUpJob = async (): Promise<void> => {
    const job = running;
    if (!job || state.current().setup.job?.phase === 'removing') return;
    job.controller.abort(new AndironError('cancelled', 'Setting up Ollama was cancelled.'));
    await job.done;
  };

  let opening = true;
  const opened = open()
    .catch(report)
    .finally(() => {
      opening = false;
      if (records.own() && !closed) startChild().catch(reportFailure);
      else reportChange();
    });
  updateSetup({
    offer: release && {
      version: release.version,
      downloadBytes: null,
      url: release.url,
      folder: folders.root,
    },
  });

  return {
    host: {
      look() {
        const record = records.own();
        if (!record || record.port === null) return null;
        return {
          url: `http://127.0.0.1:${String(record.port)}`,
          program: folders.version(record.version),
          alive: child.isAlive(),
          coming: opening || child.isComing(),
          hint: `Start it here, or read its log: ${folders.log}`,
        };
      },
      start: () => startChild(),
    },
    handlers: {
      async 'setup/begin'() {
        await opened;
        if (!release) throw noRelease();
        if (state.current().setup.job?.phase === 'removing') throw busy('Ollama is being removed.');
        const own = records.own();
        if (running || (own?.version === release.version && child.isAlive())) return {};
        run(own && own.version !== release.version ? 'update' : 'install', 'downloading', install);
        return {};
      },
      async 'setup/cancel'() {
        await giveUpJob();
        return {};
      },
      async 'setup/remove'({ models }) {
        await opened;
        const { status } = state.current();
        if (status.kind === 'running' && status.own && !options.isIdle()) {
          throw busy('A turn is using it.');
        }
        await giveUpJob();
        if (!running) run('remove', 'removing', () => remove(models));
        await running?.done;
        const job = state.current().setup.job;
        if (job?.problem) throw new AndironError('storage', job.problem.message, job.problem.advice);
        return {};
      },
    },
    async stop() {
      closed = true;
      await opened;
      await giveUpJob();
      await child.stop();
    },
  };
}

const noSetup: OwnSetup = {
  host: null,
  handlers: {
    'setup/begin': () => Promise.reject(noRelease()),
    'setup/cancel': () => Promise.resolve({}),
    'setup/remove': () => Promise.resolve({}),
  },
  stop: () => Promise.resolve(),
};

function bytesOf({ receivedBytes, totalBytes }: Job): Pick<Job, 'receivedBytes' | 'totalBytes'> {
  return { receivedBytes, totalBytes };
}

/** null = nothing is published for this machine, or Andiron does not know what it would have to be. */
function knownRelease(machine: Place, { releasesUrl, checksums }: SetupEdges): Release | null {
  const release = releaseFor(machine, releasesUrl);
  return release && Object.hasOwn(checksums, release.asset) ? release : null;
}

function noRelease(): AndironError {
  return refusal(
    'not_found',
    'Andiron cannot set up Ollama here.',
    'Install it from https://ollama.com/download.',
  );
}

function busy(why: string): AndironError {
  return refusal('busy', why, 'Wait until that has ended, then try again.');
}

function refusal(code: ErrorCode, message: string, advice: string): AndironError {
  return new AndironError(code, message, advice);
}
