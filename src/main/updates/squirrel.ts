/** On a Mac the system's updater has the last word: it checks the signature of what was downloaded, and may refuse it. */
import type { EventEmitter } from 'node:events';
import type { Clock } from '../../platform/clock.ts';
import { UpdateFailure } from './failure.ts';
import type { UpdateCheck } from './updates.ts';

/** It unpacks about 400 MB. */
const maxAnswerMs = 5 * 60_000;

/**
 * The same check, whose download is over only when the system has accepted it.
 * @param native Electron's `autoUpdater` (its docs, api/auto-updater.md)
 */
export function awaitSquirrel(check: UpdateCheck, native: EventEmitter, clock: Clock): UpdateCheck {
  return {
    async checkForUpdates() {
      const answer = squirrelAnswer(native);
      try {
        const found = await check.checkForUpdates();
        if (!found?.downloadPromise) {
          answer.forget();
          return found;
        }
        const downloaded = found.downloadPromise.then(() => answer.within(clock));
        return { ...found, downloadPromise: downloaded.finally(() => answer.forget()) };
      } catch (error) {
        answer.forget();
        throw error;
      }
    },
  };
}

/** Listens from now on: it may answer before the last byte was counted here. */
function squirrelAnswer(native: EventEmitter) {
  const accepted = Promise.withResolvers<void>();
  // Nobody may be waiting yet.
  accepted.promise.catch(() => undefined);
  const accept = (): void => accepted.resolve();
  const refuse = (error?: Error): void =>
    accepted.reject(new UpdateFailure('not-accepted', { cause: error }));
  native.on('update-downloaded', accept);
  native.on('error', refuse);
  return {
    async within(clock: Clock): Promise<void> {
      const limit = clock.after(maxAnswerMs, () => refuse(new Error('macOS gave no answer.')));
      try {
        await accepted.promise;
      } finally {
        limit.cancel();
      }
    },
    forget(): void {
      native.off('update-downloaded', accept);
      native.off('error', refuse);
    },
  };
}
