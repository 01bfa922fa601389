/** One model out of the memory, until the engine says so itself: its answer comes before the model has gone. */
import { AndironError } from '../../protocol/errors.ts';
import { ask } from '../base/ask.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import { pause } from '../base/timing.ts';
import type { Ours } from './ours.ts';
import type { Residency } from './residency.ts';

const answerMs = 30_000;
/** Unloading one of several models usually takes 5 s; a busy one goes when its requests are done. */
const limitMs = 30_000;
const pollMs = 250;

/**
 * Resolves when `/api/ps` no longer lists it; `busy` when another program goes on using it.
 * @param onWait called before each further look; what it throws ends the wait.
 */
export type UnloadFrom = (url: string, name: string, onWait?: (waitedMs: number) => void) => Promise<void>;

export function createUnloading(
  { clock, ollama }: Pick<EngineDeps, 'clock' | 'ollama'>,
  residency: Pick<Residency, 'read'>,
  ours: Ours,
): UnloadFrom {
  return async (url, name, onWait = () => undefined) => {
    ours.delete(name);
    await ask(clock, answerMs, (signal) => ollama.unload(url, name, signal));
    const began = clock.monotonic();
    while ((await residency.read(url)).some((resident) => resident.name === name)) {
      const waitedMs = clock.monotonic() - began;
      onWait(waitedMs);
      if (waitedMs >= limitMs) {
        throw new AndironError(
          'busy',
          `${name} is still in memory: another program is using it.`,
          'Try again when that program is done.',
        );
      }
      await pause(clock, pollMs);
    }
  };
}
