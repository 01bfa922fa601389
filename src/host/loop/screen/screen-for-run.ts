/** The screen of a run's next reply, and what its replies teach about the engine behind it. */
import type { LeakPlace } from '../deps.ts';
import { settingOf, type Run } from '../run.ts';
import { ReplyScreen } from './reply-screen.ts';

export interface RunScreen {
  screen: ReplyScreen;
  /** Once the reply has come to its end: the next one of this kind is presumed to be like it. */
  learn(): void;
}

/** @param place what the reply answers; null = nothing is presumed of it, and it teaches nothing. */
export function screenForRun(place: LeakPlace | null, run: Run): RunScreen {
  const { lease, policy } = settingOf(run);
  const { models } = run.deps;
  const presumed = place !== null && models.leaksThinking(lease.model, place);
  const screen = new ReplyScreen(policy.marks, presumed ? 'thinking' : 'text');
  return {
    screen,
    learn() {
      if (place !== null && screen.isLeaked !== presumed)
        models.learnLeak(lease.model, place, screen.isLeaked);
    },
  };
}
