/** What ends a subagent before it has an answer: its wall clock, only thinking, its own Stop (R, P3). */
import type { Clock, Timer } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { TurnEvent } from '../../protocol/events.ts';
import type { AgentStopReason } from '../../protocol/model.ts';

/** Nothing but thinking for this long, or this much of it, is a stall. */
const stallMs = 60_000;
const stallCharacters = 12_000;
/** What a timer of the system can wait for: 24 days. */
const maxMs = 2 ** 31 - 1;

type EarlyEnd = Extract<AgentStopReason, 'timeout' | 'stalled' | 'stopped'>;

export type Limits = ReturnType<typeof createLimits>;

export function createLimits(wallClockMs: number, clock: Clock, turn: AbortSignal) {
  const controller = new AbortController();
  const stall = stallWatch(clock, () => end('stalled'));
  let ended: EarlyEnd | undefined;
  let left = Math.min(wallClockMs, maxMs);
  let running: { timer: Timer; since: number } | undefined;

  const end = (why: EarlyEnd): void => {
    if (ended || turn.aborted) return;
    ended = why;
    controller.abort(new AndironError('cancelled', `The subagent was ended: ${why}.`));
  };
  const pause = (): void => {
    if (!running) return;
    running.timer.cancel();
    left -= clock.monotonic() - running.since;
    running = undefined;
  };
  const go = (): void => {
    running ??= { timer: clock.after(Math.max(0, left), () => end('timeout')), since: clock.monotonic() };
  };

  return {
    /** Fires for the turn's stop and for each of these ends. */
    signal: AbortSignal.any([turn, controller.signal]),
    /** undefined = none of these has ended it. */
    ended: (): EarlyEnd | undefined => ended,
    end,
    /** The wall clock runs from here: waiting for the GPU is nobody's work. */
    start: go,
    /** Nor does it run while the person is asked. */
    async whilePaused<T>(work: () => Promise<T>): Promise<T> {
      pause();
      try {
        return await work();
      } finally {
        go();
      }
    },
    saw: (event: TurnEvent): void => stall.saw(event),
    close(): void {
      pause();
      stall.close();
    },
  };
}

/**
 * Only text or a call ends a stall: thinking that is asked for once more goes on counting. What thinks is heard, so silence
 * is none: a call may be written in it, and the stream's own guard says how long.
 */
function stallWatch(clock: Clock, onStall: () => void) {
  let since: number | undefined;
  let thinking: string | undefined;
  let characters = 0;
  const close = (): void => {
    since = undefined;
  };
  const heard = (): void => {
    since ??= clock.monotonic();
    if (characters >= stallCharacters || clock.monotonic() - since >= stallMs) onStall();
  };
  return {
    close,
    saw(event: TurnEvent): void {
      if (event.type === 'item/delta' && event.itemId === thinking) {
        characters += event.text.length;
        heard();
      }
      if (event.type === 'turn/phase' && event.phase === 'call') close();
      if (event.type !== 'item/started') return;
      const { kind, id } = event.item;
      if (kind === 'thinking') {
        thinking = id;
        heard();
      } else if (kind === 'text' || kind === 'tool') {
        characters = 0;
        close();
      }
    },
  };
}
