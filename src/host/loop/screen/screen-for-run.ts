/** The screen of a run's next reply, and what its replies teach about the engine behind it. */
import type { LeakPlace, ModelKnowledge, Setting } from '../deps.ts';
import { ReplyScreen } from './reply-screen.ts';

export type RunScreen = ReturnType<typeof screenFor>;

/** @param place what the reply answers; null = nothing is presumed of it, and it teaches nothing. */
export function screenFor(place: LeakPlace | null, { lease, policy }: Setting, models: ModelKnowledge) {
  const presumed = place !== null && models.leaksThinking(lease.model, place);
  const screen = new ReplyScreen(policy.marks, presumed ? 'thinking' : 'text');
  return {
    screen,
    /** Once the reply has come to its end: the next one of this kind is presumed to be like it. */
    learn(): void {
      if (place !== null && screen.isLeaked !== presumed)
        models.learnLeak(lease.model, place, screen.isLeaked);
    },
  };
}
