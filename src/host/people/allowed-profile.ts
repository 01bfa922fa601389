/** A profile as it may be used in a session that is not the owner's: with the tools of its person's level and its place's modules. */
import type { Profile } from '../../protocol/model.ts';
import {
  apiPlatform,
  lowerLevel,
  ownerId,
  type Principal,
  schedulePlatform,
  windowPlatform,
} from '../../protocol/principal.ts';
import { toolModules } from '../../protocol/tools.ts';
import { bindingFor, defaultModules, type Binding } from '../../rules/binding.ts';
import { mayUseTool } from '../../rules/tool-levels.ts';
import type { Place } from '../store/place-store.ts';
import type { Store } from '../store/store.ts';

export type AllowedProfileDeps = Pick<
  Store,
  'speakerOf' | 'getUser' | 'placeOf' | 'listBindings' | 'apiToken' | 'personaOf'
>;

type Allowed = Pick<Principal, 'level' | 'modules'>;

/** What a session is given of a profile. */
export interface AllowedProfile {
  profile: Profile;
  /** Of one reply; null = as many as the context has room for. */
  maxOutputTokens: number | null;
}

/** Looked up at each turn: a level that was taken away is gone from the next turn on. */
export function allowedProfile(
  store: AllowedProfileDeps,
  sessionId: string,
  profile: Profile,
): AllowedProfile {
  const userId = store.speakerOf(sessionId);
  const place = store.placeOf(sessionId);
  const isOwn = place?.platform === windowPlatform || place?.platform === schedulePlatform;
  if (userId === ownerId && isOwn) return { profile, maxOutputTokens: null };
  // Whoever is gone may no more than somebody new.
  const level = (userId === null ? null : store.getUser(userId))?.level ?? 'guest';
  const isProgram = place?.platform === apiPlatform;
  const binding = bindingAt(store, place);
  const may = isProgram ? ofToken(store, place.channel, level) : ofPlace(binding, level);
  // What one remembers would be read by all who write there.
  const remembers = place === null || !isShared(place);
  const mayUse = (tool: string): boolean => mayUseTool(may, tool) && (remembers || !isMemory(tool));
  const persona = store.personaOf(sessionId);
  return {
    profile: {
      ...profile,
      tools: profile.tools.filter(mayUse),
      // An empty list would be the profile's own tools.
      subagentTools: profile.subagentTools.filter(mayUse),
      memoryEnabled: profile.memoryEnabled && remembers,
      ...(persona && { persona: persona.text }),
      // A model that is gone is passed over, as one of the profile's is.
      ...(binding?.model != null && { models: [binding.model, ...profile.models] }),
    },
    maxOutputTokens: binding?.maxOutputTokens ?? null,
  };
}

/** The only profiles that a model may switch to there, or give to a subagent; null = all. */
export function choosableProfiles(
  store: Pick<AllowedProfileDeps, 'placeOf' | 'listBindings'>,
  sessionId: string,
): readonly string[] | null {
  const binding = bindingAt(store, store.placeOf(sessionId));
  return binding ? [binding.profileId] : null;
}

/** A program names its profile, and a window chooses: no binding holds there. */
function bindingAt(
  store: Pick<AllowedProfileDeps, 'listBindings'>,
  place: Place | null,
): Binding | undefined {
  if (place === null || [apiPlatform, windowPlatform].includes(place.platform)) return undefined;
  return bindingFor(store.listBindings(), place);
}

/** The part of a conversation that is one person's begins with whose. */
const isShared = ({ platform, part }: Place): boolean =>
  ![apiPlatform, windowPlatform].includes(platform) && (part === '' || part.startsWith(' '));

const isMemory = (tool: string): boolean =>
  new Map<string, string>(Object.entries(toolModules)).get(tool) === 'memory';

const ofPlace = (binding: Binding | undefined, level: Allowed['level']): Allowed => ({
  level,
  modules: level === 'owner' ? 'all' : (binding?.modules ?? defaultModules),
});

function ofToken(store: AllowedProfileDeps, tokenId: string, level: Allowed['level']): Allowed {
  const token = store.apiToken(tokenId);
  if (!token || token.revokedAt !== null) return { level: 'guest', modules: [] };
  return { level: lowerLevel(token.level, level), modules: token.modules ?? 'all' };
}
