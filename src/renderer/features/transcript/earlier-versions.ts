/** Versions of a turn that another one took the place of. Pure. */
import type { Turn } from '../../../protocol/model.ts';

/** Where it is kept whether an earlier version is open. */
export function earlierKey(firstTurnId: string): string {
  return `earlier:${firstTurnId}`;
}

/** Each replaced turn with the stretch of replaced turns that it belongs to. */
export function earlierVersions(turns: Turn[]): Map<string, { firstTurnId: string; messages: number }> {
  const versions = new Map<string, { firstTurnId: string; messages: number }>();
  let stretch: { firstTurnId: string; messages: number } | null = null;
  for (const turn of turns) {
    if (!turn.replaced) stretch = null;
    else {
      stretch ??= { firstTurnId: turn.id, messages: 0 };
      stretch.messages += 1;
      versions.set(turn.id, stretch);
    }
  }
  return versions;
}
