/** The system's clock so many times as fast: what waits in whole seconds is over in a part of them, in the same order. */
import { systemClock, type Clock } from '../../src/platform/clock.ts';

export function fastClock(times: number): Clock {
  const [began, origin] = [systemClock.now(), systemClock.monotonic()];
  const passed = (): number => (systemClock.monotonic() - origin) * times;
  return {
    now: () => Math.round(began + passed()),
    monotonic: () => origin + passed(),
    after: (ms, run) => systemClock.after(ms / times, run),
  };
}
