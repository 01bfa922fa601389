/** Ends a stream that stays silent, and says which limit fired (H3, P20). Blank lines do not count as a sign of life (Q18). */
import type { Clock, Timer } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';

export interface GuardLimits {
  firstTokenMs: number;
  idleMs: number;
}

export function guardStream(limits: GuardLimits, clock: Clock, outer: AbortSignal) {
  const controller = new AbortController();
  let timer: Timer | undefined;
  const arm = (ms: number, error: () => AndironError): void => {
    timer?.cancel();
    timer = clock.after(ms, () => controller.abort(error()));
  };
  arm(
    limits.firstTokenMs,
    () =>
      new AndironError(
        'stream_first_token_timeout',
        `Nothing came for ${seconds(limits.firstTokenMs)}: the limit for the first token.`,
        'Send again, or raise the limit in the profile if this model reads slowly.',
      ),
  );
  return {
    /** Fires with the person's reason or the guard's. */
    signal: AbortSignal.any([outer, controller.signal]),
    /** Something that a person could see has come. */
    alive(): void {
      arm(
        limits.idleMs,
        () =>
          new AndironError(
            'stream_idle_timeout',
            `Nothing more came for ${seconds(limits.idleMs)}: the limit between tokens.`,
            'What came so far is kept. Send again, or raise the limit in the profile.',
          ),
      );
    },
    release(): void {
      timer?.cancel();
    },
  };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
