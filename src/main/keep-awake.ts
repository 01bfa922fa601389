/** While a turn runs the machine stays awake, as far as the person wants that. The display may sleep. */
import { powerMonitor, powerSaveBlocker } from 'electron';
import type { Clock, Timer } from '../platform/clock.ts';
import type { KeepAwake } from '../protocol/desktop.ts';

export function mayKeepAwake(choice: KeepAwake, runningTurns: number, onBattery: boolean): boolean {
  if (runningTurns === 0 || choice === 'never') return false;
  return choice === 'always' || !onBattery;
}

export type AwakeKeeper = ReturnType<typeof createAwakeKeeper>;

export interface AwakeDeps {
  choice: () => KeepAwake;
  runningTurns: () => number;
  clock: Clock;
}

/** Linux tells of no change between mains and battery, so that is looked at while turns run. */
const lookEveryMs = 30_000;

export function createAwakeKeeper({ choice, runningTurns, clock }: AwakeDeps) {
  let held: number | undefined;
  let timer: Timer | undefined;

  const update = (): void => {
    timer?.cancel();
    const turns = runningTurns();
    const wanted = mayKeepAwake(choice(), turns, powerMonitor.isOnBatteryPower());
    if (wanted) held ??= powerSaveBlocker.start('prevent-app-suspension');
    else if (held !== undefined) {
      powerSaveBlocker.stop(held);
      held = undefined;
    }
    if (turns > 0 && choice() === 'mains') timer = clock.after(lookEveryMs, update);
  };

  powerMonitor.on('on-ac', update);
  powerMonitor.on('on-battery', update);
  return {
    /** Something that it depends on has changed. */
    update,
  };
}
