/** What answers in a place of another platform: the rules of its server, of its platform, or of all (B7, X4). */

export interface BoundPlace {
  platform: string;
  /** '' = the platform has none, or the message came without one. */
  server: string;
}

export interface Binding extends BoundPlace {
  id: string;
  /** Whose prompt, tools and flags answer. */
  profileId: string;
  /** Who speaks, before the profile's prompt; null = the profile's own persona. */
  personaId: string | null;
  /** Asked before the profile's models; null = those alone. */
  model: string | null;
  /** Tokens of one reply at most; null = as many as the context has room for. */
  maxOutputTokens: number | null;
  /** Whose tools may be used; null = the default ones. */
  modules: readonly string[] | null;
  /** The list of modules could not be read, so the default ones are used (Q8). */
  hasBadModules: boolean;
  /** Each person of a channel has a conversation of their own. */
  isPerPerson: boolean;
  /** A message after so long a pause begins anew; null = never. */
  pauseMs: number | null;
}

/** The platform of the binding that holds wherever no other one does. */
export const anyPlatform = '';

/** Of a place for which nobody has chosen any. */
export const defaultModules: readonly string[] = ['work', 'memory'];

/** undefined = the profile of new sessions answers. */
export function bindingFor(
  bindings: readonly Binding[],
  { platform, server }: BoundPlace,
): Binding | undefined {
  const at = (place: BoundPlace): Binding | undefined =>
    bindings.find((each) => each.platform === place.platform && each.server === place.server);
  return (
    (server === '' ? undefined : at({ platform, server })) ??
    at({ platform, server: '' }) ??
    at({ platform: anyPlatform, server: '' })
  );
}
