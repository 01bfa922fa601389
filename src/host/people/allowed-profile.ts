/** A profile as it may be used in a session that is not the owner's: with the tools of its person's level and its place's modules. */
import type { Profile } from '../../protocol/model.ts';
import {
  apiPlatform,
  lowerLevel,
  ownerId,
  type Principal,
  windowPlatform,
} from '../../protocol/principal.ts';
import { bindingFor, defaultModules, type Binding } from '../../rules/binding.ts';
import { mayUseTool } from '../../rules/tool-levels.ts';
import type { Store } from '../store/store.ts';

export type AllowedProfileDeps = Pick<
  Store,
  'sessionOwner' | 'getUser' | 'placeOf' | 'listBindings' | 'apiToken'
>;

type Allowed = Pick<Principal, 'level' | 'modules'>;

/** Looked up at each turn: a level that was taken away is gone from the next turn on. */
export function allowedProfile(store: AllowedProfileDeps, sessionId: string, profile: Profile): Profile {
  const userId = store.sessionOwner(sessionId);
  const place = store.placeOf(sessionId);
  if (userId === ownerId && place?.platform === windowPlatform) return profile;
  // Whoever is gone may no more than somebody new.
  const level = (userId === null ? null : store.getUser(userId))?.level ?? 'guest';
  // A program names the profile itself.
  const isProgram = place?.platform === apiPlatform;
  const binding = place === null || isProgram ? undefined : bindingFor(store.listBindings(), place);
  const may = isProgram ? ofToken(store, place.channel, level) : ofPlace(binding, level);
  const allowed = (tools: readonly string[]): string[] => tools.filter((tool) => mayUseTool(may, tool));
  return {
    ...profile,
    tools: allowed(profile.tools),
    // An empty list would be the profile's own tools.
    subagentTools: allowed(profile.subagentTools),
    ...(binding?.model != null && { models: [binding.model] }),
  };
}

const ofPlace = (binding: Binding | undefined, level: Allowed['level']): Allowed => ({
  level,
  modules: level === 'owner' ? 'all' : (binding?.modules ?? defaultModules),
});

function ofToken(store: AllowedProfileDeps, tokenId: string, level: Allowed['level']): Allowed {
  const token = store.apiToken(tokenId);
  if (!token || token.revokedAt !== null) return { level: 'guest', modules: [] };
  return { level: lowerLevel(token.level, level), modules: token.modules ?? 'all' };
}
