/** The GPU for one question after the other: given back as soon as a turn waits for it, and taken again behind it. */
import type { Clock, Timer } from '../../../platform/clock.ts';
import type { Lease } from '../../loop/deps.ts';

export type GpuShare = ReturnType<typeof shareGpu>;

export interface ShareTurn {
  /** Fires when the person cancels, and when a turn waits. */
  signal: AbortSignal;
  /** Words come. */
  writing: () => void;
}

export interface GpuShareOptions {
  /** Behind every turn. */
  acquire: (signal: AbortSignal) => Promise<Lease>;
  turnWaits: () => boolean;
  signal: AbortSignal;
  clock: Clock;
}

/** A reply of a few dozen tokens is over by then; closing it earlier could cost the model its slot. */
const gracePeriodMs = 3_000;

export function shareGpu(options: GpuShareOptions) {
  const { acquire, turnWaits, signal, clock } = options;
  let lease: Lease | undefined;
  let now: { writing: boolean; calledOff: AbortController; timer: Timer | undefined } | undefined;

  const look = (): void => {
    if (!now || !turnWaits()) return;
    const { calledOff, writing } = now;
    if (!writing) calledOff.abort();
    else now.timer ??= clock.after(gracePeriodMs, () => calledOff.abort());
  };

  const giveBack = (failed: boolean): void => {
    lease?.release(failed);
    lease = undefined;
  };

  const attempt = async <T>(
    held: Lease,
    work: (lease: Lease, turn: ShareTurn) => Promise<T>,
  ): Promise<{ value: T } | 'gave_way'> => {
    const own = { writing: false, calledOff: new AbortController(), timer: undefined as Timer | undefined };
    now = own;
    const either = AbortSignal.any([signal, own.calledOff.signal]);
    try {
      look();
      return { value: await work(held, { signal: either, writing: () => (own.writing = true) }) };
    } catch (error) {
      signal.throwIfAborted();
      if (!own.calledOff.signal.aborted) throw error;
      return 'gave_way';
    } finally {
      own.timer?.cancel();
      now = undefined;
      if (turnWaits()) giveBack(false);
    }
  };

  return {
    /** Once more from its beginning when it had to give way. Rejects with the signal's reason, or what `work` throws. */
    async ask<T>(work: (lease: Lease, turn: ShareTurn) => Promise<T>): Promise<T> {
      for (;;) {
        signal.throwIfAborted();
        lease ??= await acquire(signal);
        const outcome = await attempt(lease, work);
        if (outcome !== 'gave_way') return outcome.value;
      }
    },
    /** The state of the engine has changed. */
    look,
    close: giveBack,
  };
}
