/** Second starts of Andiron, heard from the moment that the lock is held: by then the first one may not listen yet. */
import { app } from 'electron';

export type StartQueue = ReturnType<typeof queueSecondStarts>;

export function queueSecondStarts() {
  /** Only the newest: each is a wish for what is in front. */
  let waiting: { handedOver: unknown } | null = null;
  let answer = (handedOver: unknown): void => {
    waiting = { handedOver };
  };
  app.on('second-instance', (_event, _argv, _folder, handedOver) => answer(handedOver));

  return {
    /** What each second start hands over, that of one which came before included. */
    answer(listener: (handedOver: unknown) => void): void {
      answer = listener;
      if (waiting) listener(waiting.handedOver);
      waiting = null;
    },
  };
}
