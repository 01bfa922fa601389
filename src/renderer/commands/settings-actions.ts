/** What the settings ask of host and desktop. Unlike a command's, failures are shown where the change was made. */
import type { DesktopBridge, DesktopSettings } from '../../protocol/desktop.ts';
import type { CollectionPlace } from '../../protocol/collection-methods.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { Profile, ProfileChanges, PromptName } from '../../protocol/model.ts';
import type { ListedBinding, ListedPersona } from '../../protocol/inbox-methods.ts';
import type { SessionGrant } from '../../protocol/person-methods.ts';
import type { PersonChanges } from '../../protocol/people-methods.ts';
import type { BudgetRules } from '../../rules/budget.ts';
import type { JobChanges, NewJob } from '../../protocol/schedule-methods.ts';
import type { Level } from '../../protocol/principal.ts';
import type { WebChanges } from '../../protocol/web-methods.ts';
import type { McpTool, ServerChanges } from '../../protocol/mcp-methods.ts';
import type { WayChanges, WayId } from '../../protocol/way-methods.ts';
import { files as filesText, person } from '../text.ts';
import type { HostConnection, Services } from './command.ts';
import { sessionAsJson } from './export-sessions.ts';
import { exportUsage, type UsagePeriod } from './token-use.ts';
import { inFolder } from './in-folder.ts';

export type SettingsActions = ReturnType<typeof createSettingsActions>;

/** All reject with what a person can read: what happened, and what to do next. */
export function createSettingsActions(services: Services) {
  const { host, desktop } = services;
  return {
    ...profileActions(host),
    forgetAbilities: (model: string) => host.call('model/forget-abilities', { model }),
    updateFact: (factId: string, value: string) => host.call('memory/update', { factId, value }),
    forgetFact: (factId: string) => host.call('memory/forget', { factId }),
    /** A forgotten one as it was. */
    restoreFact: (factId: string) => host.call('memory/restore', { factId }),
    /** Returns how many facts that were. */
    forgetAll: async () => (await host.call('memory/clear', {})).forgotten,
    /** '' removes it. */
    setSummary: (text: string) => host.call('memory/set-summary', { text }),
    /** null = Andiron chooses. */
    chooseMemoryModel: (model: string | null) => host.call('memory/choose-model', { model }),
    /** For the folder of that session. */
    addHosts: (sessionId: string, hosts: readonly string[]) =>
      host.call('approval/add-hosts', { sessionId, hosts: [...hosts] }),
    /** Resolves with it once it has listed its models. `key` null = none was given. */
    addHost: (server: { address: string; name: string; key: string | null }, signal: AbortSignal) =>
      host.call('model-host/add', server, signal),
    removeHost: (hostId: string) => host.call('model-host/remove', { hostId }),
    /** null removes it. */
    setHostKey: (hostId: string, key: string | null) => host.call('model-host/set-key', { hostId, key }),
    removeRule: (ruleId: string) => host.call('approval/remove-rule', { ruleId }),
    revoke: ({ sessionId, tool, folder }: Pick<SessionGrant, 'sessionId' | 'tool' | 'folder'>) =>
      host.call('approval/revoke', { sessionId, tool, folder }),
    /** Returns how many deleted sessions went for good. */
    purge: async () => (await host.call('storage/purge', {})).removed,
    /** Returns the bytes that the disk got back. */
    compact: async () => (await host.call('storage/compact', {})).freedBytes,
    /** Empty = sound. */
    check: async () => (await host.call('storage/check', {})).problems,
    /** Saves one file; `aborted` ends it without one. null = the person chose no place for it. */
    exportAll: (onProgress: (done: number, total: number) => void, aborted: AbortSignal) =>
      exportAll(services, onProgress, aborted),
    updatePerson: (userId: string, changes: PersonChanges) =>
      host.call('people/update', { userId, ...changes }),
    /** A key goes in here, and is kept nowhere else of the window. */
    changeWeb: (changes: WebChanges) => host.call('web/change', changes),
    tryWeb: (query: string) => host.call('web/try', { query }),
    addCollection: (name: string, place: CollectionPlace) => host.call('collection/add', { name, place }),
    renameCollection: (collectionId: string, name: string) =>
      host.call('collection/rename', { collectionId, name }),
    removeCollection: (collectionId: string) => host.call('collection/remove', { collectionId }),
    refreshCollection: (collectionId: string) => host.call('collection/refresh', { collectionId }),
    addServers: (text: string) => host.call('mcp/add', { text }),
    refreshServers: (name?: string) => host.call('mcp/refresh', name === undefined ? {} : { name }),
    removeServer: (name: string) => host.call('mcp/remove', { name }),
    signInToServer: (name: string) => host.call('mcp/sign-in', { name }),
    cancelSignIn: () => host.call('mcp/cancel-sign-in', {}),
    signOutOfServer: (name: string) => host.call('mcp/sign-out', { name }),
    changeServer: (name: string, changes: ServerChanges) => host.call('mcp/change', { name, ...changes }),
    /** Allows these definitions, and no others of the same names. */
    confirmTools: (name: string, tools: readonly McpTool[]) =>
      host.call('mcp/confirm', { name, tools: tools.map(({ name, hash }) => ({ name, hash })) }),
    /** As it was shown, by its hash. */
    allowSkill: (path: string, hash: string, workspace: string | null) =>
      host.call('skill/allow', { path, hash, ...inFolder(workspace) }),
    turnSkillOff: (path: string, workspace: string | null) =>
      host.call('skill/turn-off', { path, ...inFolder(workspace) }),
    trustFolder: (workspace: string, isTrusted: boolean) =>
      host.call('skill/trust-folder', { workspace, isTrusted }),
    changeWay: (id: WayId, changes: WayChanges) => host.call('way/change', { id, ...changes }),
    /** Resolves with its text, which nothing else ever returns. */
    createToken: async (name: string, level: Level) =>
      (await host.call('token/create', { name, level })).text,
    revokeToken: (tokenId: string) => host.call('token/revoke', { tokenId }),
    resetBudget: (userId: string) => host.call('people/reset-budget', { userId }),
    setBudgetRules: (rules: BudgetRules) => host.call('people/set-budget-rules', { rules }),
    /** In the place of the one that its platform and server had. */
    putBinding: (binding: Omit<ListedBinding, 'id' | 'hasBadModules'>) =>
      host.call('binding/put', { binding }),
    removeBinding: (bindingId: string) => host.call('binding/remove', { bindingId }),
    /** `id` null = a new one. Resolves with the id. */
    putPersona: async (persona: Omit<ListedPersona, 'id'> & { id: string | null }): Promise<string> =>
      (await host.call('persona/put', { persona })).persona.id,
    removePersona: (personaId: string) => host.call('persona/remove', { personaId }),
    addJob: (job: NewJob) => host.call('schedule/add', { job }),
    changeJob: (jobId: string, changes: JobChanges) => host.call('schedule/change', { jobId, changes }),
    removeJob: (jobId: string) => host.call('schedule/remove', { jobId }),
    runJob: (jobId: string) => host.call('schedule/run-now', { jobId }),
    /** Saves one file. null = the person chose no place for it. */
    exportUsage: (period: UsagePeriod) => exportUsage(services, period),
    /** null in a browser. */
    desktop: desktop && desktopActions(desktop),
  };
}

function profileActions(host: HostConnection) {
  return {
    /** Resolves with the profile as it is now; a built-in one is copied first. */
    updateProfile: async (profileId: string, changes: ProfileChanges): Promise<Profile> =>
      (await host.call('profile/update', { profileId, changes })).profile,
    /** null = from nothing. */
    createProfile: async (name: string, from: string | null): Promise<Profile> =>
      (await host.call('profile/create', { name, from })).profile,
    /** `remaining` is the built-in one of the same name. */
    deleteProfile: (profileId: string) => host.call('profile/delete', { profileId }),
    /** Resolves with the id of what is back. */
    restoreProfile: async (restoreId: string) =>
      (await host.call('profile/restore', { restoreId })).profileId,
    /**
     * `expected` is the text that was changed: where the file says something else by now, nothing is written and
     * `conflict` is what it says.
     */
    writePrompt: (profileId: string, change: { prompt: PromptName; text: string; expected: string }) =>
      host.call('profile/write-prompt', { profileId, ...change }),
  };
}

function desktopActions({ settings }: Pick<DesktopBridge, 'settings'>) {
  return {
    read: () => settings.read(),
    async change(change: Partial<DesktopSettings>): Promise<DesktopSettings> {
      const changed = await settings.change(change);
      if (changed !== null) return changed;
      throw new AndironError('storage', person.desktop.notKept.message, person.desktop.notKept.advice);
    },
  };
}

/** One session after another: together they may be larger than one answer should be, or one text of the page. */
async function exportAll(
  { host, files, stores, now }: Services,
  onProgress: (done: number, total: number) => void,
  aborted: AbortSignal,
) {
  const { sessions: list, profiles } = stores.host.getState();
  const at = new Date(now()).toISOString();
  const sessions: string[] = [];
  for (const [index, { id }] of list.entries()) {
    onProgress(index + 1, list.length);
    const session = await sessionAsJson(host, id);
    aborted.throwIfAborted();
    if (session !== null) sessions.push(session);
  }
  const { facts, summary } = await host.call('memory/list', {});
  aborted.throwIfAborted();
  const own = profiles.filter(({ builtIn }) => !builtIn);
  const rest = JSON.stringify({
    format: 'andiron-export',
    version: 1,
    at,
    memory: { facts, summary },
    profiles: own,
  });
  const separated = sessions.flatMap((session, index) => (index === 0 ? [session] : [',', session]));
  const parts = [rest.slice(0, -1), ',"sessions":[', ...separated, ']}'];
  const outcome = await files.save(`andiron-${at.slice(0, 10)}.json`, parts, 'application/json');
  if (outcome === 'cancelled') return null;
  if (outcome === 'interrupted') {
    const { message, advice } = filesText.saveFailed;
    throw new AndironError('storage', message, advice);
  }
  // A browser has the file, and tells the page no more.
  return { sessions: sessions.length, bytes: new Blob(parts).size, handedOver: outcome === 'handed-over' };
}
