/** The one composition root of the agent host: every room gets what it needs here, and nowhere else. */
import { join } from 'node:path';
import type { Clock, NewId } from '../platform/clock.ts';
import { copySampleWorkspace } from '../platform/demo.ts';
import type { Sandbox, SandboxStatus } from '../platform/sandbox/sandbox.ts';
import { createRounds } from '../platform/event-loop.ts';
import type { Files } from '../platform/files.ts';
import type { Keychain } from '../platform/keychain.ts';
import type { Log } from '../platform/log.ts';
import type { Processes } from '../platform/processes.ts';
import type { Ability } from '../protocol/abilities.ts';
import { AndironError } from '../protocol/errors.ts';
import { hostMethods, type HostMethods } from '../protocol/host-methods.ts';
import { serve, type ServeOptions } from '../protocol/rpc-server.ts';
import type { Transport } from '../protocol/transport.ts';
import { openAttachments, type Attachments } from './attachments/attachments.ts';
import { EngineClient } from './engine-client/engine-client.ts';
import { defaultsFrom } from './profiles/environment-defaults.ts';
import { createProfiles, type Profiles, type ProfilesState } from './profiles/profiles.ts';
import { createHandlers } from './rpc/handlers.ts';
import type { ProfileSource } from './models/head-source.ts';
import type { IdentifiedModel } from './models/model-abilities.ts';
import { createModels } from './models/create-models.ts';
import { wireFirstMeetings } from './models/wire-first-meetings.ts';
import { openHosts } from './providers/open-hosts.ts';
import type { PrefixWarmer, WarmTarget } from './warm/prefix-warmer.ts';
import { createIdleWork, type IdleWorkDeps } from './sessions/idle-work.ts';
import { SessionManager } from './sessions/session-manager.ts';
import { wireExams } from './models/exam/wire-exams.ts';
import { watchModels } from './models/readiness.ts';
import { openSearch } from './store/session-search.ts';
import { openStore, type OpenDatabase, type Store } from './store/store.ts';
import { countBesideTurns } from './sessions/usage-entry.ts';
import { wireWarmer } from './warm/warm-wire.ts';
import { openWorkspaces, type WorkspacesDeps } from './workspaces.ts';
import { createUpkeep, type UpkeepDeps } from './data-folder.ts';
import { createUploads } from './attachments/uploads.ts';
import { createOffers } from './mcp/offers.ts';
import type { About, SearchPath } from '../protocol/person-methods.ts';
import type { MemoryAccess } from './tools/memory-access.ts';
import type { ScheduleAccess } from './tools/schedule-access.ts';
import { hostAccess } from '../protocol/host-access.ts';
import { ownerAt, type Principal, windowPlatform } from '../protocol/principal.ts';
import { allowedProfile, choosableProfiles, type AllowedProfileDeps } from './people/allowed-profile.ts';
import type { Meaning } from './memory/meaning/meaning.ts';
import { collectionControl, openFinding, toolCollections } from './open-collections.ts';
import type { Memories } from './memory/memories.ts';
import type { Tokens } from './people/tokens.ts';
import { openOthers, openPeople, openSessionFolders } from './open-people.ts';
import { serveBridge, type BridgeHandlerDeps } from './rpc/bridge-handlers.ts';
import { admitProgram, admitTokenHolder } from './people/program-sign-in.ts';
import { gatewayWay, type WayState } from '../protocol/way-methods.ts';
import type { WaysDeps } from './ways/wanted-ways.ts';
import { isOwn } from './people/is-own.ts';
import { noteSkill } from './approvals/instructed.ts';
import { describeTools } from './tools/describe-tools.ts';

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
  /** Called before work on the whole database, which answers nobody, and after it. */
  onBlocked?: (isBlocked: boolean) => void;
  /** Has the keys of other hosts (`hosts.json`) and the limits of the stream guard; empty unless given. */
  env?: NodeJS.ProcessEnv;
  /** What new files in a workspace do without; as this process unless given. */
  umask?: number | undefined;
  /** Bytes left on the disk of a folder; unknown unless given. */
  freeBytes?: (folder: string) => Promise<number | null>;
  /** Bytes of memory that programs can have now. */
  freeMemory?: () => number;
  /** What keys are kept with; none unless given: then they lie in a file of the data folder. */
  keychain?: Keychain | null;
  /** Called before a host is asked over TLS, which may be reached through what only the system trusts. */
  trustSystem?: () => void;
  /** Gets the ways in that are to run, with their secrets: once at the start, and after each change. */
  onWanted?: WaysDeps['onWanted'];
  /** What this process is, beside what the host knows itself. */
  self?: HostSelf;
  /** What commands are kept in; nothing unless given. */
  sandbox?: Promise<Sandbox>;
  /** It was started for one command, so no job begins. */
  isBrief?: boolean | undefined;
  /** The Node that this process is, by its path; in Electron there is none. */
  nodePath?: string | undefined;
  /** The built modules that read pages and documents, and write these; those of the source unless given. */
  pageReader?: URL;
  documentReader?: URL;
  documentWriter?: URL;
  /** Only tests have hosts and services of the internet on this computer. */
  webEdges?: WorkspacesDeps['webEdges'];
  /** The built module of the search thread; the one of the source unless given. */
  searchWorker?: URL;
  /** Likewise that of the thread of collections. */
  passageWorker?: URL;
  /** Only tests name another: one that fails or dies at a chosen write. */
  openDatabase?: OpenDatabase;
  /** Only tests know what models can do before they were ever asked. */
  knownAbilities?: (model: IdentifiedModel) => ReadonlySet<Ability> | undefined;
}

export interface HostSelf extends Pick<About, 'version' | 'homeDir' | 'arch' | 'searchPath'> {
  runtimes: Omit<About['runtimes'], 'sqlite'>;
}

export interface Host {
  /** Serves one window, which is the owner's. */
  connectWindow(transport: Transport): void;
  /** Serves a program, or a platform that somebody writes on. */
  connect(transport: Transport, principal: Principal): void;
  /** Serves a program of the owner's, or one that signs in with a token. Nobody else may be able to reach it. */
  connectProgram(transport: Transport): void;
  /** Serves a bridge, which can do nothing but bring messages of this platform; or the gateway, which must sign in. */
  connectBridge(transport: Transport, platform: string): void;
  connectEngine(transport: Transport): void;
  /** What became of a way in that was wanted. */
  wayChanged(id: string, state: WayState): void;
  /** It was started for one command (`isBrief`), and goes on for a person. */
  stay(): void;
  /** Stops every turn, waits for it, closes the store. */
  close(): Promise<void>;
}

export async function createHost(deps: HostDeps): Promise<Host> {
  const { files, dataDir, clock, newId, log, env = {}, keychain = null, trustSystem } = deps;
  const base = { clock, newId, log };
  const folder = { files, dataDir, ...base };
  const store = openData(deps);
  const search = openSearch({ store, worker: deps.searchWorker, ...folder });
  const { memories, people, tokens, ofPeople } = openPeople(store, base, () => ({ sessions, meaning }));
  const { tools, fileChanges, readLedger, workspaceFiles, mcp, web, ...workspaces } = await openWorkspaces({
    ...deps,
    keychain,
    store,
    ...laterTools(store, memories, () => ({ meaning, collections, jobs: others.jobs, ...workspaces })),
    ...forFolders(store, () => sessions),
  });
  const engine = new EngineClient(base);
  const toHosts = { ...folder, store, keychain, engine, env, trustSystem };
  // Nothing here waits for the other: each waits for the disk alone.
  const [attachments, hosts, profiles] = await Promise.all([
    openAttachments({ store, documents: workspaces.documents, ...folder }),
    openHosts(forHosts(toHosts, (): BesideHosts => ({ sessions, profiles, attachments }))),
    openProfiles(deps, tools, (state) => sessions.profilesChanged(state.profiles, state.problems)),
  ]);
  const onAbilities = (model: string): void => sessions.publish({ type: 'abilities/changed', model });
  const source = profileSource(profiles, store);
  const models = createModels({ ...deps, store, engine, profiles: source, tools, onAbilities });
  const counts = countBesideTurns({ ...base, store, metered: hosts.metered });
  const warmer = wireWarmer({ ...base, counts, store, models, engine, access: hosts.access, defaultProfile });
  const asking = { ...base, store, counts, gpu: engine, engine: hosts.access, tools, models, warmer, env };
  const meetings = wireFirstMeetings({ ...asking, mayBeMet: hosts.mayBeMet });
  const { meaning, collections } = openFinding({ ...deps, ...workspaces, ...asking }, () => sessions);
  const folders = openSessionFolders(store, folder);
  const uploads = createUploads(folder);
  const upkeep = openUpkeep(deps, { store, attachments, remember: [models.trackers, readLedger], folders });
  const defaults = { profileId: defaultProfile, workspace: deps.workspace };
  const sessions = new SessionManager({
    ...models,
    ...asking,
    ...workspaces,
    ...hosts,
    ...watchModels(engine, source, hosts.ids),
    store,
    meetings,
    meaning,
    attachments,
    ...ofPeople,
    reportRefusedGrammar: (model, words) => engine.reportRefusedGrammar(model, words),
    platform: deps.platform,
    defaults,
    emptyFolder: (sessionId) => folders.imported.make(sessionId),
    onActivity: (running, changed) => {
      deps.onActivity(running);
      for (const part of [idleWork, meaning, collections, upkeep, search, meetings])
        part.turns(running, changed);
      others.schedule.sessionsChanged();
    },
  });
  const idleWork = createIdleWork({ ...models, ...asking, memories, ...beside(sessions, warmer) });
  const known = { store, people, sessions, engine, tools, keychain, defaultProfile };
  const others = openOthers({ ...folder, ...workspaces, ...known }, profiles, folders.places, deps.onWanted);
  // The sessions have let go of those that were deleted long ago.
  await Promise.all([attachments.tidy(), folders.imported.tidy(), folders.places.tidy(), uploads.tidy()]);
  const exams = wireExams({ ...asking, sessions });
  const given = { attachments, uploads, workspaceFiles };
  const epoch = newId('host_');
  const handlers = createHandlers({
    sessions,
    search: search.search,
    files: given,
    fileChanges,
    profiles,
    tools: () => describeTools(tools),
    defaults: { ...defaults, isSandboxed: workspaces.sandboxStatus.kind !== 'none' },
    hosts,
    epoch,
    abilities: { models: models.abilities, engine, otherHosts: hosts.ids },
    mayWorkAlone: workspaces.mayWorkAlone,
    usage: store,
    firstRun: { exams, copySample: () => copySampleWorkspace(deps.resourcesDir, dataDir) },
    ...others,
    mcp,
    offers: createOffers({ servers: mcp, attachments, clock }),
    web,
    collections: collectionControl(collections, attachments),
    skills: workspaces.skills,
    tokens,
    person: { sessions, memories, meaning, upkeep, about: aboutHost(deps, store, workspaces.sandboxStatus) },
  });
  const serving = { handlers, epoch, settle: () => sessions.settle(), ...servingFor(clock, log, store) };
  others.schedule.start(deps.isBrief ?? false);

  return {
    ...connectionsOf(serving, tokens, { incoming: others.inbox.incoming, files: given, fileChanges }),
    wayChanged: (...changed) => others.ways.stateChanged(...changed),
    connectEngine: (transport) => engine.attach(transport),
    stay: () => others.schedule.stay(),
    close: () =>
      closeInOrder(
        [others.schedule, workspaceFiles, attachments, others.inbox],
        [sessions, exams, meetings, idleWork, meaning, collections, warmer, uploads, search, mcp],
        [profiles, store],
      ),
  };
}

function connectionsOf(
  serving: Omit<ServeOptions<HostMethods>, 'transport' | 'principal'>,
  tokens: Tokens,
  bridges: BridgeHandlerDeps,
): Pick<Host, 'connectWindow' | 'connect' | 'connectProgram' | 'connectBridge'> {
  const connect = (transport: Transport, principal: Principal): void =>
    void serve({ transport, principal, ...serving });
  return {
    connectWindow: (transport) => connect(transport, ownerAt(windowPlatform)),
    connect,
    connectProgram: (transport) => admitProgram(transport, { tokens, serve: connect }),
    connectBridge: (transport, platform) =>
      platform === gatewayWay
        ? admitTokenHolder(transport, { tokens, serve: connect })
        : serveBridge(transport, platform, { ...serving, ...bridges }),
  };
}

/** Those in the middle call their work off at once: no turn may see the connections go before it knows why. */
async function closeInOrder(
  first: readonly { close(): void }[],
  working: readonly { close(): Promise<void> }[],
  last: readonly { close(): void }[],
): Promise<void> {
  for (const part of first) part.close();
  await Promise.all(working.map((part) => part.close()));
  for (const part of last) part.close();
}

/** What a host that died was at is marked as interrupted. */
function openData({ dataDir, openDatabase: open, clock, newId, log }: HostDeps): Store {
  const store = openStore({ dataDir, log, newId, ...(open && { open }) });
  for (const interrupted of store.markInterrupted(clock.now()))
    log.warn('A turn was interrupted by the last exit', { ...interrupted });
  return store;
}

async function readImage(attachments: Pick<Attachments, 'read'>, id: string): Promise<Uint8Array | null> {
  const found = await attachments.read(id).catch(() => null);
  return found?.bytes ?? null;
}

function openProfiles(
  { resourcesDir, dataDir, files, clock, log, env }: HostDeps,
  tools: ReadonlyMap<string, unknown>,
  onChange: (state: ProfilesState) => void,
): Promise<Profiles> {
  const { defaults, problems } = defaultsFrom(env ?? {});
  for (const problem of problems) log.warn(problem);
  const builtInDir = join(resourcesDir, 'profiles');
  const userDir = join(dataDir, 'profiles');
  const toolNames = new Set(tools.keys());
  return createProfiles({ builtInDir, userDir, files, clock, toolNames, defaults, onChange, log });
}

function servingFor(clock: Clock, log: Log, store: Parameters<typeof isOwn>[0]) {
  return {
    owns: (principal: Principal, params: unknown) => isOwn(store, principal, params),
    methods: hostMethods,
    accessOf: (method: keyof HostMethods) => hostAccess[method],
    // Many requests at once leave room for a Stop and for other windows.
    begin: createRounds(clock),
    onInternalError: (error: unknown, what: string) => log.error('A request failed', error, { what }),
  };
}

/** What is asked beside a session's own turns. */
const beside = (
  sessions: Pick<SessionManager, 'get'>,
  warmer: Pick<PrefixWarmer, 'invalidateAfterSideCall'>,
): Pick<IdleWorkDeps, 'open'> & { onAsked: (session: WarmTarget) => void } => ({
  open: (sessionId) => sessions.get(sessionId),
  onAsked: (session) => warmer.invalidateAfterSideCall(session),
});

/** Folders are there before sessions are. */
const forFolders = (
  store: Parameters<typeof noteSkill>[0],
  sessions: () => Pick<SessionManager, 'get' | 'filesChanged' | 'publish'>,
): Pick<WorkspacesDeps, 'isRunning' | 'onChange' | 'onMcpChange' | 'onSkills'> => ({
  onSkills: {
    onLoad: (sessionId, skill) => noteSkill(store, sessionId, skill),
    onChange: () => sessions().publish({ type: 'skills/changed' }),
  },
  onMcpChange: () => sessions().publish({ type: 'mcp/changed' }),
  isRunning: (sessionId) => sessions().get(sessionId).running,
  onChange: (sessionId) => sessions().filesChanged(sessionId),
});

interface BesideHosts {
  sessions: Pick<SessionManager, 'publish'>;
  profiles: Pick<Profiles, 'state'>;
  attachments: Parameters<typeof readImage>[0];
}

interface ToHosts {
  store: Pick<Store, 'listSessions' | 'forgetModelsBelow'>;
  engine: Pick<EngineClient, 'state' | 'onState'>;
}

/** Hosts are there before sessions, profiles and attachments are. */
const forHosts = <T extends ToHosts>(parts: T, beside: () => BesideHosts) => ({
  ...parts,
  images: (id: string) => readImage(beside().attachments, id),
  engineState: () => parts.engine.state(),
  onEngineState: (listener: () => void) => void parts.engine.onState(listener),
  isTaken: (id: string): boolean =>
    [
      ...(parts.engine.state()?.models ?? []).map(({ name }) => name),
      ...parts.store.listSessions().map(({ model }) => model),
      ...beside()
        .profiles.state()
        .profiles.flatMap(({ models }) => models),
    ].some((name) => name?.startsWith(`${id}/`)),
  onRemoved: (id: string) => parts.store.forgetModelsBelow(`${id}/`),
  onChange: (hosts: string[]) => beside().sessions.publish({ type: 'hosts/changed', hosts }),
});

/** Tools are there before what they reach. */
const laterTools = (
  store: Parameters<typeof toolCollections>[0],
  memories: Memories,
  later: () => {
    meaning: Pick<Meaning, 'near'>;
    jobs: ScheduleAccess;
  } & ReturnType<Parameters<typeof toolCollections>[1]>,
): Pick<WorkspacesDeps, 'memory' | 'schedule' | 'collections'> => ({
  memory: toolMemory(memories, () => later().meaning),
  schedule: toolSchedule(() => later().jobs),
  collections: toolCollections(store, later),
});

/** Tools are there before the engine is. */
const toolMemory = (memories: Memories, meaning: () => Pick<Meaning, 'near'>): MemoryAccess => ({
  save: (fact, sessionId, origin) => memories.ofSession(sessionId).save(fact, sessionId, origin),
  async search(query, sessionId, signal) {
    const near = await meaning().near(sessionId, query, signal);
    return memories.ofSession(sessionId).search(query, near ?? []);
  },
});

/** Tools are there before the schedule is. */
const toolSchedule = (jobs: () => ScheduleAccess): ScheduleAccess => ({
  now: () => jobs().now(),
  readTime: (text) => jobs().readTime(text),
  cron: (expression) => jobs().cron(expression),
  add: (sessionId, job) => jobs().add(sessionId, job),
  list: (sessionId) => jobs().list(sessionId),
  cancel: (sessionId, jobId) => jobs().cancel(sessionId, jobId),
});

/** What of a session is known beside the store is forgotten with it. */
function openUpkeep(
  deps: HostDeps,
  parts: Pick<UpkeepDeps, 'store'> & {
    attachments: Pick<Attachments, 'remove'>;
    remember: readonly { forget(sessionId: string): void }[];
    folders: ReturnType<typeof openSessionFolders>;
  },
) {
  return createUpkeep({
    ...deps,
    store: parts.store,
    removeFile: (id) => parts.attachments.remove(id),
    async forget(sessionId) {
      for (const each of parts.remember) each.forget(sessionId);
      for (const each of Object.values(parts.folders)) await each.remove(sessionId);
    },
    freeBytes: deps.freeBytes ?? unknownSpace,
  });
}

const unknownSpace = (): Promise<null> => Promise.resolve(null);

const inherited: SearchPath = { source: 'inherited', shell: null, reason: null };

function aboutHost(
  { dataDir, platform, self }: HostDeps,
  store: Pick<Store, 'sqliteVersion'>,
  sandbox: SandboxStatus,
): About {
  const { version = null, homeDir = null, arch = process.arch, searchPath = inherited } = self ?? {};
  const sqlite = store.sqliteVersion();
  const runtimes = { node: process.versions.node, electron: null, chromium: null, ...self?.runtimes, sqlite };
  const logsDir = join(dataDir, 'logs');
  return { version, platform, arch, runtimes, dataDir, logsDir, homeDir, searchPath, sandbox };
}

function profileSource(profiles: Profiles, store: AllowedProfileDeps): ProfileSource {
  return {
    allowed: (sessionId, profile) => allowedProfile(store, sessionId, profile),
    choosable: (sessionId) => choosableProfiles(store, sessionId),
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
