/** What knows people, takes what they write on other platforms, and keeps folders for them. */
import type { WantedFor } from '../protocol/model.ts';
import type { HostEvent } from '../protocol/events.ts';
import { apiPlatform } from '../protocol/principal.ts';
import { importedWorkspaces, placeWorkspaces } from '../platform/own-workspaces.ts';
import type { EngineClient } from './engine-client/engine-client.ts';
import { createInbox, type InboxParts } from './inbox/inbox.ts';
import type { Meaning } from './memory/meaning/meaning.ts';
import { createMemories, type Memories, type MemoriesDeps } from './memory/memories.ts';
import { createPeople, type People, type PeopleDeps } from './people/people.ts';
import { createTokens, type Tokens, type TokensDeps } from './people/tokens.ts';
import type { Profiles } from './profiles/profiles.ts';
import type { HandlerDeps } from './rpc/handlers.ts';
import { createSessionFolders, type SessionFoldersDeps } from './session-folders.ts';
import type { SessionDeps } from './sessions/session-deps.ts';
import type { SessionManager } from './sessions/session-manager.ts';
import { createAgentJobs } from './schedule/agent-jobs.ts';
import { createJobTurns, type JobTurnsDeps } from './schedule/job-turns.ts';
import { createSchedule, type ScheduleDeps } from './schedule/schedule.ts';
import { createWaySecrets, type WaySecretsDeps } from './ways/way-secrets.ts';
import { createGatewayAuthority } from './ways/gateway-authority.ts';
import { createWays, type WaysDeps } from './ways/wanted-ways.ts';

export function openPeople(
  store: MemoriesDeps['store'] & PeopleDeps['store'] & TokensDeps['store'],
  edges: Pick<MemoriesDeps, 'clock' | 'newId'>,
  later: () => {
    sessions: Pick<SessionManager, 'publish' | 'stopAt'>;
    meaning: Pick<Meaning, 'textsChanged'>;
  },
): {
  memories: Memories;
  people: People;
  tokens: Tokens;
  ofPeople: Pick<SessionDeps, 'memories' | 'assertTokensLeft' | 'wantedFor'>;
} {
  const publish = (event: HostEvent): void => later().sessions.publish(event);
  const stopTurns = (tokenId: string): void => later().sessions.stopAt(apiPlatform, tokenId);
  const tokens = createTokens({ store, ...edges, stopTurns });
  const memories = createMemories({
    store,
    ...edges,
    onChange() {
      publish({ type: 'memory/changed' });
      later().meaning.textsChanged();
    },
  });
  const people = createPeople({
    store,
    ...edges,
    onChange: () => publish({ type: 'people/changed' }),
    onRights: (userId) => tokens.endOfUser(userId),
  });
  const assertTokensLeft = (sessionId: string): void => people.assertTokensLeft(sessionId);
  const wantedFor = (sessionId: string, isForProgram: boolean): WantedFor =>
    people.wantedFor(sessionId, isForProgram);
  return { memories, people, tokens, ofPeople: { memories, assertTokensLeft, wantedFor } };
}

/** What other people than the owner write, what may answer them, and what nobody is there for. */
export function openOthers(
  parts: Omit<InboxParts, 'isProfile' | 'makeFolder' | 'isRepeatable'> &
    Pick<HandlerDeps['people'], 'people'> &
    Pick<ScheduleDeps, 'clock'> &
    Pick<JobTurnsDeps, 'store' | 'sessions' | 'resolveWorkspace'> &
    WaySecretsDeps & {
      store: WaysDeps['store'];
      engine: Pick<EngineClient, 'state'>;
      tools: ReadonlyMap<string, { mutates: boolean }>;
    },
  profiles: Pick<Profiles, 'get'>,
  folders: ReturnType<typeof createSessionFolders>,
  onWanted: WaysDeps['onWanted'] = () => undefined,
) {
  const isProfile = (profileId: string): boolean => profiles.get(profileId) !== undefined;
  const makeFolder = (sessionId: string): Promise<string> => folders.make(sessionId);
  const turns = createJobTurns({ ...parts, makeFolder });
  const { people, sessions, engine } = parts;
  const mayUseTokens = (userId: string): boolean => people.mayUseTokens(userId);
  const schedule = createSchedule({
    ...parts,
    turns,
    isProfile,
    isGpuReleased: () => (engine.state()?.lent ?? null) !== null,
    mayUseTokens,
    publish: (event) => sessions.publish(event),
  });
  const secrets = createWaySecrets(parts);
  const ways = createWays({
    ...parts,
    secrets,
    authority: createGatewayAuthority({ ...parts, secrets }),
    onWanted,
    onChange: () => sessions.publish({ type: 'ways/changed' }),
  });
  // Nobody waits for it: what cannot be started says so itself.
  void ways.start();
  return {
    schedule,
    ways,
    jobs: createAgentJobs({ ...parts, schedule }),
    people: { people, now: () => parts.clock.now() },
    inbox: createInbox({
      ...parts,
      isProfile,
      makeFolder,
      isRepeatable: (tool) => parts.tools.get(tool)?.mutates === false,
    }),
  };
}

export function openSessionFolders(
  store: SessionFoldersDeps['store'],
  deps: Omit<SessionFoldersDeps, 'store' | 'name'>,
) {
  return {
    imported: createSessionFolders({ ...deps, store, name: importedWorkspaces }),
    places: createSessionFolders({ ...deps, store, name: placeWorkspaces }),
  };
}
