/** When updates are looked for, and what becomes of them. One failure is one sentence, and the running version stays. */
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { UpdateState } from '../../protocol/updates.ts';
import { UpdateFailure, updateFailureOf } from './failure.ts';

/** The window comes first. */
const firstCheckMs = 30_000;
const checkEveryMs = 24 * 60 * 60_000;

/** What is used of electron-updater. */
export interface UpdateCheck {
  /** null = this copy cannot be updated. */
  checkForUpdates(): Promise<{
    isUpdateAvailable: boolean;
    updateInfo: { version: string };
    downloadPromise?: Promise<unknown> | null;
  } | null>;
}

export interface UpdatesDeps {
  /** Loads it; nothing of electron-updater is in memory before the first check. */
  updater: () => Promise<UpdateCheck>;
  isEnabled: () => boolean;
  runningTurns: () => number;
  /** Quits, and installs on the way out. `restart` = starts again afterwards. */
  quitToInstall: () => void;
  onState: (state: UpdateState) => void;
  clock: Clock;
  log: Log;
}

export type Updates = ReturnType<typeof startUpdates>;

/** Looks soon after the start and then daily while the setting is on. */
export function startUpdates(deps: UpdatesDeps) {
  const { updater, isEnabled, runningTurns, quitToInstall, onState, clock, log } = deps;
  let state: UpdateState = { kind: 'idle' };
  let running: Promise<UpdateState> | undefined;
  let timer: Timer | undefined;

  const show = (next: UpdateState): UpdateState => {
    state = next;
    onState(next);
    return next;
  };
  const run = async (): Promise<UpdateState> => {
    show({ kind: 'checking' });
    try {
      const found = await (await updater()).checkForUpdates();
      if (!found) throw new UpdateFailure('not-installed');
      if (!found.isUpdateAvailable) return show({ kind: 'current' });
      const { version } = found.updateInfo;
      show({ kind: 'downloading', version });
      await found.downloadPromise;
      return show({ kind: 'ready', version });
    } catch (error) {
      const failure = updateFailureOf(error);
      log.error('no update', failure.cause, { code: failure.code });
      return show({ kind: 'failed', message: failure.message });
    }
  };
  const check = (): Promise<UpdateState> => {
    // What is ready is installed first: another check could delete it and then fail.
    if (state.kind === 'ready') return Promise.resolve(state);
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
  const plan = (ms: number): void => {
    timer = clock.after(ms, () => {
      plan(checkEveryMs);
      if (isEnabled()) void check();
    });
  };

  plan(firstCheckMs);
  return {
    state: (): UpdateState => state,
    /** Now, whatever the setting says. One check at a time. Never rejects. */
    check,
    /** False while a turn runs, or when nothing is ready: then nothing happened. */
    restart(): boolean {
      if (state.kind !== 'ready' || runningTurns() > 0) return false;
      quitToInstall();
      return true;
    },
    stop: (): void => timer?.cancel(),
  };
}
