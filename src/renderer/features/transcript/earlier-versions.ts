/** Versions of a turn that another one took the place of. Pure. */
import type { Turn } from '../../../protocol/model.ts';

interface Stretch {
  firstTurnId: string;
  messages: number;
  /** Its version can be chosen where it was replaced, so it is no line of its own until a search opens it. */
  hidden: boolean;
}

/** Where it is kept whether an earlier version is open. */
export function earlierKey(firstTurnId: string): string {
  return `earlier:${firstTurnId}`;
}

/** Each replaced turn with the stretch of replaced turns that it belongs to. */
export function earlierVersions(turns: readonly Turn[]): Map<string, Stretch> {
  const versions = new Map<string, Stretch>();
  let stretch: Stretch | undefined;
  for (const { id, replaced, switchable: hidden = false } of turns) {
    if (!replaced) stretch = undefined;
    else {
      if (!stretch || stretch.hidden !== hidden) stretch = { firstTurnId: id, messages: 0, hidden };
      stretch.messages += 1;
      versions.set(id, stretch);
    }
  }
  return versions;
}
