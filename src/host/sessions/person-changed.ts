/** What a person changes of a prompt is read again, and nobody is to blame. */
import type { SessionDeps } from './session-deps.ts';

export function personChanged(
  sessionId: string,
  { detail, reloads }: { detail: string; reloads: boolean },
  { trackers, warmer }: Pick<SessionDeps, 'trackers' | 'warmer'>,
): void {
  trackers.announce(sessionId, { by: 'person', detail, reloads });
  warmer.changed({ id: sessionId });
}
