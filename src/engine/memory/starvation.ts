/**
 * A load that waits for memory which another program does not let go: Ollama is silent about it and lists
 * no model that is being loaded. What tells is who is still there when a load should have made it go.
 */
import type { Clock, Timer } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';

export const starvedCode = 'load_starved';

const lookAgainMs = 2_000;

export interface StarvationOptions {
  clock: Clock;
  /** How long a load may take before anybody is suspected. */
  patienceMs: number;
  /** The models that are in the way, as far as is known; empty = none. Must not reject. */
  blockers: () => Promise<string[]>;
  /** Told again when others are in the way; with none when the way is free. */
  onChange: (blockers: string[]) => void;
}

export function watchForStarvation(options: StarvationOptions) {
  const { clock, patienceMs, blockers, onChange } = options;
  let reported = '';
  let stopped = false;
  let timer: Timer;

  const look = async (): Promise<void> => {
    const now = await blockers();
    if (stopped) return;
    if (now.join() !== reported) onChange(now);
    reported = now.join();
    timer = clock.after(lookAgainMs, () => void look());
  };
  timer = clock.after(patienceMs, () => void look());

  return {
    stop(): void {
      stopped = true;
      timer.cancel();
    },
  };
}

/** @param certain they are known not to fit beside it; otherwise it may just be a slow load. */
export function starved(model: string, blockers: readonly string[], certain: boolean): AndironError {
  const others = blockers.join(' and ');
  if (blockers.includes(model)) {
    return new AndironError(
      starvedCode,
      `${model} can’t load with its context yet, because another program uses it with another one.`,
      'Let the other program finish, or stop this turn and unload the model in the settings.',
    );
  }
  return new AndironError(
    starvedCode,
    certain
      ? `${model} waits for GPU memory: another program keeps ${others} loaded.`
      : `${model} takes longer to load than it should: another program may be keeping ${others} loaded.`,
    `Let the other program finish, or unload ${others} in the settings. The turn then continues.`,
  );
}
