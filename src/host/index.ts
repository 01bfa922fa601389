/** The one composition root of the agent host: every room gets what it needs here, and nowhere else. */
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { Clock, NewId } from '../platform/clock.ts';
import { copySampleWorkspace } from '../platform/demo.ts';
import { createRounds } from '../platform/event-loop.ts';
import { ownWorkspaces } from '../platform/own-workspaces.ts';
import type { Files } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';
import type { Processes } from '../platform/processes.ts';
import { filesWithUmask } from '../platform/umask-files.ts';
import { AndironError } from '../protocol/errors.ts';
import { hostMethods } from '../protocol/host-methods.ts';
import { serve } from '../protocol/rpc-server.ts';
import type { Transport } from '../protocol/transport.ts';
import { renderPrompt } from '../ollama/render.ts';
import { openAttachments } from './attachments/attachments.ts';
import { createWorkspaceFiles } from './attachments/workspace-files.ts';
import { createEngineClient } from './engine-client/engine-client.ts';
import { FileChanges } from './file-changes/file-changes.ts';
import { defaultsFrom } from './profiles/environment-defaults.ts';
import { createProfiles, type Profiles } from './profiles/profiles.ts';
import { createHostProviders, loadHosts } from './providers/hosts.ts';
import { candidatesFor, withHosts } from './providers/hosts-access.ts';
import { createRouter } from './providers/router.ts';
import { createHandlers } from './rpc/handlers.ts';
import { showModel, reportCacheLosses } from './models/cache-events.ts';
import { createCacheTrackers } from './models/cache-trackers.ts';
import { createHeadSource, type ProfileSource } from './models/head-source.ts';
import { createMemoryWork } from './sessions/memory-work.ts';
import { createModelAbilities } from './models/abilities.ts';
import { createReadingRates } from './models/reading-rates.ts';
import { createTemplates, type RenderFor } from './models/templates.ts';
import { createSlotWatch } from './models/slot-watch.ts';
import { SessionManager } from './sessions/session-manager.ts';
import { PrefixWarmer } from './warm/prefix-warmer.ts';
import { wireExams } from './models/exam/wire-exams.ts';
import { watchModels } from './models/readiness.ts';
import { warmWire } from './warm/warm-wire.ts';
import { openStore, type OpenDatabase } from './store/store.ts';
import { Memory } from './memory/memory.ts';
import { createImportedFolders } from './imported-folders.ts';
import { createUpkeep } from './upkeep.ts';
import { createUploads } from './attachments/uploads.ts';
import type { About, SearchPath } from '../protocol/person-methods.ts';
import { renderTodo, setStatus, setSteps, summarizeTodo } from './planning/todo.ts';
import { commandEnvironment } from './tools/command-environment.ts';
import { fileSeen, textSeen } from './planning/evidence.ts';
import { lookAtFile } from './tools/look-at-file.ts';
import { workspaceEntries } from './tools/workspace-entries.ts';
import { describeTools } from './tools/describe-tools.ts';
import { createPathGuard, type PathGuard } from './tools/path-guard.ts';
import { createReadLedger } from './tools/read-ledger.ts';
import { createToolRegistry } from './tools/registry.ts';

/** Stands in for a session's profile that is gone. */
const defaultProfile = 'developer';

export interface HostDeps {
  dataDir: string;
  resourcesDir: string;
  /** Workspace of new sessions that name none; null = they must name one. */
  workspace: string | null;
  files: Files;
  processes: Processes;
  /** null = this installation has none, so nothing can be searched. */
  ripgrepPath: string | null;
  platform: string;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** Turns that run now, after each change. */
  onActivity: (runningTurns: number) => void;
  /** Has the keys of other hosts (`hosts.json`) and the limits of the stream guard; empty unless given. */
  env?: NodeJS.ProcessEnv;
  /** What new files in a workspace do without; as this process unless given. */
  umask?: number | undefined;
  /** Bytes left on the disk of a folder; unknown unless given. */
  freeBytes?: (folder: string) => Promise<number | null>;
  /** Called before a host is asked over TLS, which may be reached through what only the system trusts. */
  trustSystem?: () => void;
  /** What this process is, beside what the host knows itself. */
  self?: HostSelf;
  /** Only tests name another: one that fails or dies at a chosen write. */
  openDatabase?: OpenDatabase;
}

export interface HostSelf extends Pick<About, 'version' | 'homeDir' | 'arch' | 'searchPath'> {
  runtimes: Omit<About['runtimes'], 'sqlite'>;
}

export interface Host {
  /** Serves one window. */
  connectWindow(transport: Transport): void;
  connectEngine(transport: Transport): void;
  /** Stops every turn, waits for it, closes the store. */
  close(): Promise<void>;
}

export async function createHost(deps: HostDeps): Promise<Host> {
  const { files, clock, newId, log } = deps;
  const epoch = newId('host_');
  const { dataDir, openDatabase: open } = deps;
  const store = openStore({ dataDir, log, newId, ...(open && { open }) });
  for (const interrupted of store.markInterrupted(clock.now())) {
    log.warn('A turn was interrupted by the last exit', { ...interrupted });
  }

  const memory = new Memory(store, clock, newId, () => sessions.publish({ type: 'memory/changed' }));
  const upkeep = createUpkeep({
    store,
    files,
    dataDir,
    clock,
    removeFile: (id) => attachments.remove(id),
    forget(sessionId) {
      trackers.forget(sessionId);
      readLedger.forget(sessionId);
    },
    freeBytes: deps.freeBytes ?? unknownSpace,
  });
  const ofWorkspaces = deps.umask === undefined ? files : filesWithUmask(files, deps.umask);
  const fileChanges = new FileChanges({
    store,
    files: ofWorkspaces,
    clock,
    log,
    isRunning: (sessionId) => sessions.get(sessionId).running,
    onChange: (sessionId) => sessions.filesChanged(sessionId),
  });
  await fileChanges.recover();
  const guard = await guardOwnData(files, dataDir, deps.self?.homeDir ?? null);
  const readLedger = createReadLedger();
  const tools = createToolRegistry({
    files: ofWorkspaces,
    guard,
    processes: deps.processes,
    ripgrepPath: deps.ripgrepPath,
    platform: deps.platform,
    todo: { setSteps, setStatus, renderTodo, summarizeTodo },
    memory,
    recorder: fileChanges.recorder,
    readLedger,
  });
  const { defaults: profileDefaults, problems } = defaultsFrom(deps.env ?? {});
  for (const problem of problems) log.warn(problem);
  // Nothing here waits for the other: each waits for the disk alone.
  const [attachments, { hosts, problem: hostsProblem }, profiles] = await Promise.all([
    openAttachments({ store, files, dataDir, clock, newId, log }),
    loadHosts(files, dataDir),
    createProfiles({
      builtInDir: join(deps.resourcesDir, 'profiles'),
      userDir: join(dataDir, 'profiles'),
      files,
      clock,
      toolNames: new Set(tools.keys()),
      defaults: profileDefaults,
      onChange: ({ profiles: list, problems }) => sessions.profilesChanged(list, problems),
      log,
    }),
  ]);
  if (hostsProblem !== null) log.warn('Not all of hosts.json can be used', { problem: hostsProblem });
  if (hosts.some(({ url }) => url.startsWith('https:'))) deps.trustSystem?.();
  const images = async (id: string): Promise<Uint8Array | null> => {
    const found = await attachments.read(id).catch(() => null);
    return found?.bytes ?? null;
  };
  const hostDeps = { hosts, env: deps.env ?? {}, clock, images };
  const engineClient = createEngineClient({ clock, log });
  const hostIds = new Set(hosts.map(({ id }) => id));
  const defaults = { profileId: defaultProfile, workspace: deps.workspace };
  const access = withHosts(engineClient, hostDeps);
  const heads = createHeadSource(store, profileSource(profiles), tools);
  const rates = createReadingRates((...prefill) => engineClient.reportPrefill(...prefill));
  const templates = createTemplates(store, renderFor(clock), log);
  const trackers = createCacheTrackers({
    cardOf: (digest) => templates.cardOf(digest),
    show: showModel(clock),
    clock,
    newId,
    log,
  });
  reportCacheLosses(engineClient, trackers);
  const warmer = new PrefixWarmer({
    // A turn's choice of a model, hosts included; only the engine's own models are warmed.
    engine: { ...engineClient, chooseModel: (...choice) => access.chooseModel(...choice) },
    heads,
    defaultProfile: defaults.profileId,
    templates,
    cardOf: (digest) => templates.cardOf(digest),
    wire: warmWire(clock, rates),
    trackerOf: (id) => trackers.of(id),
    facts: {
      read: (digest) => store.readModelFact(digest, 'warm', z.unknown()),
      write: (digest, standing) => store.writeModelFact(digest, 'warm', standing),
    },
    readingMs: (model, count) => rates.of(model).predictMs({ tokens: count, depth: 0 }),
    onWasted: ({ model, tokens, promptMs }) => engineClient.reportWasted(model, tokens, promptMs),
    clock,
    log,
  });
  const importedFolders = createImportedFolders({ files, dataDir, store, log });
  const slots = createSlotWatch(engineClient);
  const sessions = new SessionManager({
    store,
    provider: createRouter({ providers: createHostProviders(hostDeps), clock }),
    fallbacks: (model, listed) => (hosts.length > 0 ? candidatesFor(model, listed, hostIds) : undefined),
    tools,
    engine: access,
    ...watchModels(engineClient, profileSource(profiles), hostIds),
    heads,
    trackers,
    rates,
    slots,
    warmer,
    models: createModelAbilities(store),
    attachments,
    templates,
    memory,
    look: lookAtFile(files, guard, { fileSeen, textSeen }),
    workspaceEntries: (workspace) => workspaceEntries(files, guard, workspace),
    reportRefusedGrammar: (model, words) => engineClient.reportRefusedGrammar(model, words),
    platform: deps.platform,
    clock,
    newId,
    log,
    defaults,
    resolveWorkspace: (path) => resolveWorkspace(files, path),
    emptyFolder: (sessionId) => importedFolders.make(sessionId),
    onActivity: (running) => {
      deps.onActivity(running);
      memoryWork.turns(running);
      upkeep.turns(running);
    },
  });
  const memoryWork = createMemoryWork({
    store,
    memory,
    engine: access,
    clock,
    log,
    sessions: () => store.listSessions(),
    open: (sessionId) => sessions.get(sessionId),
    onAsked: (session) => warmer.invalidateAfterSideCall(session),
  });
  // The sessions have let go of those that were deleted long ago.
  const uploads = createUploads({ files, dataDir, newId, log });
  await Promise.all([attachments.tidy(), importedFolders.tidy(), uploads.tidy()]);
  const workspaceFiles = createWorkspaceFiles({
    processes: deps.processes,
    ripgrepPath: deps.ripgrepPath,
    environment: commandEnvironment(deps.processes.environment),
    resolveWorkspace: (path) => resolveWorkspace(files, path),
    clock,
  });
  const exams = wireExams({
    gpu: engineClient,
    engine: access,
    tools,
    slots,
    templates,
    store,
    heads,
    trackers,
    rates,
    warmer,
    publish: (change) => sessions.publish(change),
    clock,
    newId,
    log,
  });
  const handlers = createHandlers({
    sessions,
    files: { attachments, uploads, workspaceFiles },
    fileChanges,
    profiles,
    tools: () => describeTools(tools),
    defaults,
    hostIds,
    epoch,
    firstRun: { exams, copySample: () => copySampleWorkspace(deps.resourcesDir, dataDir) },
    person: { sessions, memory, upkeep, about: aboutHost(deps, store.sqliteVersion()) },
  });

  // Many requests at once leave room for a Stop and for other windows.
  const begin = createRounds(clock);

  return {
    connectWindow(transport) {
      serve({
        transport,
        methods: hostMethods,
        handlers,
        epoch,
        onInternalError: (error, what) => log.error('A request failed', error, { what }),
        settle: () => sessions.settle(),
        begin,
      });
    },
    connectEngine: (transport) => engineClient.attach(transport),
    async close() {
      workspaceFiles.close();
      attachments.close();
      // Each calls its work off at once: no turn may see the connections go before it knows why.
      await Promise.all([
        sessions.close(),
        exams.close(),
        memoryWork.close(),
        warmer.close(),
        uploads.close(),
      ]);
      profiles.close();
      store.close();
    },
  };
}

/** No tool opens Andiron's own data, but for the folders in it that sessions work in, nor hidden files unasked. */
async function guardOwnData(files: Files, dataDir: string, homeDir: string | null): Promise<PathGuard> {
  const real = await files.realPath(dataDir).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    const advice = 'Check the disk that holds the data folder, then start Andiron again.';
    throw new AndironError('storage', `The data folder cannot be read: ${reason}.`, advice, { cause: error });
  });
  const dataDirs = [dataDir, real ?? dataDir];
  const workspaces = dataDirs.flatMap((dir) => ownWorkspaces.map((name) => join(dir, name)));
  const realHome = homeDir && (await files.realPath(homeDir).catch(() => null));
  const homeDirs = [homeDir, realHome].filter((dir) => typeof dir === 'string');
  return createPathGuard(files, { dataDirs, workspaces, homeDirs });
}

const unknownSpace = (): Promise<null> => Promise.resolve(null);

const inherited: SearchPath = { source: 'inherited', shell: null, reason: null };

function aboutHost({ dataDir, platform, self }: HostDeps, sqlite: string): About {
  const { version = null, homeDir = null, arch = process.arch, searchPath = inherited } = self ?? {};
  const runtimes = { node: process.versions.node, electron: null, chromium: null, ...self?.runtimes, sqlite };
  return { version, platform, arch, runtimes, dataDir, logsDir: join(dataDir, 'logs'), homeDir, searchPath };
}

const renderFor =
  (clock: Clock): RenderFor =>
  ({ url, plan }) =>
  ({ messages, tools, think }, signal) =>
    renderPrompt({ url, plan, messages, tools, ...(think !== undefined && { think }), clock, signal });

function profileSource(profiles: Profiles): ProfileSource {
  return {
    resolve(profileId) {
      const profile = profiles.get(profileId) ?? profiles.get(defaultProfile) ?? profiles.state().profiles[0];
      if (profile) return profile;
      throw new AndironError(
        'profile_invalid',
        'No profile can be read.',
        'Look at the problems in the settings.',
      );
    },
    list: () => profiles.state().profiles,
    persona: () => profiles.state().persona,
  };
}

async function resolveWorkspace(files: Files, path: string): Promise<string> {
  // From wherever this process happens to run it would be another folder on each start.
  if (!isAbsolute(path)) {
    const advice = 'Give its whole path, from the root of the disk.';
    throw new AndironError('workspace_invalid', `${path} is no whole path of a folder.`, advice);
  }
  try {
    const real = await files.realPath(path);
    if (real !== null && (await files.stat(real))?.kind === 'folder') return real;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const advice = 'Check that you may read it, or choose another folder.';
    throw new AndironError('workspace_invalid', `The folder ${path} cannot be used: ${reason}.`, advice, {
      cause: error,
    });
  }
  throw new AndironError('workspace_invalid', `There is no folder ${path}.`, 'Choose a folder that exists.');
}
