/** Ends a stream that stays silent, and says which limit fired (H3, P20). Blank lines do not count as a sign of life (Q18). */
import type { Clock, Timer } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { ModelRequest } from './provider.ts';
import { watchSilence } from './silence.ts';
import { toWireTools } from './wire.ts';

export interface GuardLimits {
  firstTokenMs: number;
  idleMs: number;
  /** A call is written without a line (docs/engine.md, Streaming); left out = none can be. */
  call?: WrittenCall | undefined;
}

/** How a call that is being written is told from a model that hangs. */
interface WrittenCall {
  /** Whether the runner still writes; null = it cannot be asked. */
  isWriting: () => Promise<boolean | null>;
  /** How long the longest call may take; added where the runner cannot be asked. */
  maxMs: number;
}

export const cannotAsk = (): Promise<null> => Promise.resolve(null);

/** As slow as a model gets with which anybody has files written. */
const slowestMsPerToken = 100;
const maxCallMs = 10 * 60_000;

export function limitsOf(request: ModelRequest, isWriting: WrittenCall['isWriting']): GuardLimits {
  const maxMs = Math.min(request.maxOutputTokens * slowestMsPerToken, maxCallMs);
  const mayCall = toWireTools(request.head, request.history).length > 0;
  return { ...request.timeouts, ...(mayCall && { call: { isWriting, maxMs } }) };
}

export function guardStream(limits: GuardLimits, clock: Clock, outer: AbortSignal) {
  const { firstTokenMs, idleMs, call } = limits;
  const controller = new AbortController();
  let timer = clock.after(firstTokenMs, () => controller.abort(noFirstToken(firstTokenMs)));
  const onIdle = (): void => controller.abort(wentSilent(idleMs));
  let hasSaidNothing = false;
  const watchIdle = (): Timer =>
    call
      ? watchSilence({
          clock,
          deadlineMs: idleMs,
          workMs: call.maxMs,
          isProcessing: () => (hasSaidNothing ? Promise.resolve(false) : call.isWriting()),
          onSilent: onIdle,
        })
      : clock.after(idleMs, onIdle);
  return {
    /** Fires with the person's reason or the guard's. */
    signal: AbortSignal.any([outer, controller.signal]),
    /** Something that a person could see has come. */
    alive(): void {
      hasSaidNothing = false;
      timer.cancel();
      timer = watchIdle();
    },
    /** A line came that says nothing: no call is being written. */
    saidNothing(): void {
      hasSaidNothing = true;
    },
    release(): void {
      timer.cancel();
    },
  };
}

const noFirstToken = (limitMs: number): AndironError =>
  new AndironError(
    'stream_first_token_timeout',
    `Nothing came for ${seconds(limitMs)}: the limit for the first token.`,
    'Send again, or raise the limit in the profile if this model reads slowly.',
  );

const wentSilent = (limitMs: number): AndironError =>
  new AndironError(
    'stream_idle_timeout',
    `Nothing more came for ${seconds(limitMs)}: the limit between tokens.`,
    'What came so far is kept. Send again, or raise the limit in the profile.',
  );

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
