/**
 * Ollama in Andiron's own folder: set up, updated and removed when a person asks for it, never unasked, and
 * kept running as a child while Andiron runs. Told in the state's `setup`.
 */
import { AndironError } from '../../protocol/errors.ts';
import type { setupMethods } from '../../protocol/engine-room-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import type { StateStore } from '../base/state.ts';
import type { OwnHost } from '../supervision/supervisor.ts';
import type { SetupEdges } from './edges.ts';
import { setupFolders } from './setup-folders.ts';
import { createInstaller, type InstallReport } from './installer.ts';
import { OwnOllama, type OwnOllamaOptions } from './own-ollama.ts';
import { createProgress } from './setup-progress.ts';
import { releaseFor, type Place, type Release } from './release.ts';
import { SetupJob } from './setup-job.ts';

export interface OwnSetup {
  /** For the supervisor; null = it is not offered here. */
  host: OwnHost | null;
  handlers: Omit<Handlers<typeof setupMethods>, 'engine/set-hosts' | 'demo/open'>;
  /** What is downloaded stays; the child is ended. */
  stop(): Promise<void>;
}

type SetupOptions = Pick<OwnOllamaOptions, 'records' | 'isIdle' | 'facts'>;

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

function createSetup(
  deps: EngineDeps & { dataFile: string },
  edges: SetupEdges,
  state: StateStore,
  options: SetupOptions,
): OwnSetup {
  const { clock, log, machine } = deps;
  const folders = setupFolders(machine.platform, deps.dataFile);
  const release = knownRelease(machine, edges);
  const installer = createInstaller(deps, edges, folders);
  const ollama = new OwnOllama(deps, edges, state, { ...options, folders, installer });
  const job = new SetupJob(state, log, async () => release && installer.left(release));

  const install = async (wanted: Release, signal: AbortSignal): Promise<void> => {
    const progress = createProgress(clock, (figures) => job.change(figures));
    const report: InstallReport = {
      phase(phase) {
        progress.stop();
        job.change({ phase, bytesPerSecond: null });
      },
      progress: progress.step,
    };
    await installer.place(wanted, report, signal).finally(() => progress.stop());
    job.change({ phase: 'starting', bytesPerSecond: null });
    await ollama.use(wanted.version, signal);
  };

  const opened = ollama.open(release);
  const offer = release && {
    version: release.version,
    downloadBytes: null,
    url: release.url,
    folder: folders.root,
  };
  state.update({ setup: { ...state.current().setup, offer } });

  return {
    host: ollama,
    handlers: {
      async 'setup/begin'() {
        await opened;
        if (!release) throw noRelease();
        if (job.isRemoving) throw busy('Ollama is being removed.');
        const isInstalled = ollama.version === release.version;
        if (job.isRunning || (isInstalled && ollama.isAlive())) return {};
        const kind = ollama.version === null || isInstalled ? 'install' : 'update';
        job.run(kind, 'downloading', (signal) => install(release, signal));
        return {};
      },
      async 'setup/cancel'() {
        await job.cancel();
        return {};
      },
      async 'setup/remove'({ models }) {
        await opened;
        const { status } = state.current();
        if (status.kind === 'running' && status.own && !options.isIdle()) {
          throw busy('A turn is using it.');
        }
        await job.cancel();
        if (!job.isRunning) job.run('remove', 'removing', () => ollama.remove(models));
        const problem = await job.ended();
        if (problem) throw new AndironError('storage', problem.message, problem.advice);
        return {};
      },
    },
    async stop() {
      ollama.close();
      await opened;
      await job.cancel();
      await ollama.stop();
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

/** null = nothing is published for this machine, or Andiron does not know what it would have to be. */
function knownRelease(machine: Place, { releasesUrl, checksums }: SetupEdges): Release | null {
  const release = releaseFor(machine, releasesUrl);
  return release && Object.hasOwn(checksums, release.asset) ? release : null;
}

function noRelease(): AndironError {
  return new AndironError(
    'not_found',
    'Andiron cannot set up Ollama here.',
    'Install it from https://ollama.com/download.',
  );
}

function busy(why: string): AndironError {
  return new AndironError('busy', why, 'Wait until that has ended, then try again.');
}
