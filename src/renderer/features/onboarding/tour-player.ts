/**
 * Plays a recording: which moment it is, and what was there then. Time comes in by parameter; between two moments it
 * waits, and while it rests nothing wakes up.
 */
import type { SessionEvent } from '../../../protocol/events.ts';
import { reduceSession, type SessionState } from '../../../protocol/reducer.ts';

/** A recorded session: as it began, and what happened when, in milliseconds from its beginning. */
export interface Recording<Chapter extends string> {
  begin: (startedAt: number) => SessionState;
  moments: readonly { at: number; event: (startedAt: number) => SessionEvent }[];
  /** In order; each lasts until the next one begins. `shows`: the moment in it that its words speak of. */
  chapters: readonly { at: number; shows: number; name: Chapter }[];
  lengthMs: number;
}

export interface PlayerClock {
  now(): number;
  after(ms: number, run: () => void): () => void;
}

interface Frame<Chapter extends string> {
  at: number;
  playing: boolean;
  ended: boolean;
  /** Of the chapter that is on now. */
  index: number;
  chapter: Chapter;
  state: SessionState;
}

export interface Player<Chapter extends string> {
  subscribe: (listener: () => void) => () => void;
  /** The same object until something changed. */
  frame: () => Frame<Chapter>;
  play: () => void;
  pause: () => void;
  /** While it plays: to the next chapter. At rest: to what the next words speak of. At last to the end. */
  next: () => void;
  /** From the beginning. */
  restart: () => void;
}

/** The seconds of the clock beside it step with it. */
const stepMs = 1_000;

export function createPlayer<Chapter extends string>(
  recording: Recording<Chapter>,
  clock: PlayerClock,
): Player<Chapter> {
  const { moments, chapters, lengthMs } = recording;
  const listeners = new Set<() => void>();
  let played = 0;
  /** When its beginning was, by the clock. */
  let startedAt = clock.now();
  let state = recording.begin(startedAt);
  let at = 0;
  let playing = false;
  let cancel: (() => void) | undefined;
  moveTo(0);
  let frame = frameNow();

  function frameNow(): Frame<Chapter> {
    const index = chapters.findLastIndex((chapter) => chapter.at <= at);
    const chapter = (chapters[index] ?? chapters[0])?.name;
    if (chapter === undefined) throw new Error('A recording has chapters.');
    return { at, playing, ended: at >= lengthMs, index: Math.max(0, index), chapter, state };
  }

  /** Everything that happened by then. */
  function moveTo(target: number): void {
    at = Math.min(target, lengthMs);
    while (played < moments.length && (moments[played]?.at ?? Infinity) <= at) {
      const moment = moments[played];
      if (moment) state = reduceSession(state, moment.event(startedAt));
      played += 1;
    }
  }

  function tell(): void {
    frame = frameNow();
    for (const listener of listeners) listener();
  }

  function wait(): void {
    cancel?.();
    cancel = undefined;
    if (!playing) return;
    const next = Math.min(moments[played]?.at ?? lengthMs, lengthMs, (Math.floor(at / stepMs) + 1) * stepMs);
    cancel = clock.after(Math.max(0, next - (clock.now() - startedAt)), () => {
      moveTo(Math.max(next, clock.now() - startedAt));
      if (at >= lengthMs) playing = false;
      tell();
      wait();
    });
  }

  /** As if its beginning had been so long ago: what is timed from there goes on without a jump. */
  function align(): void {
    startedAt = clock.now() - at;
  }

  function rewind(): void {
    played = 0;
    at = 0;
    align();
    state = recording.begin(startedAt);
    moveTo(0);
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        // Nobody watches.
        cancel?.();
        cancel = undefined;
        playing = false;
        frame = frameNow();
      };
    },
    frame: () => frame,
    play() {
      if (at >= lengthMs) rewind();
      align();
      playing = true;
      tell();
      wait();
    },
    pause() {
      playing = false;
      tell();
      wait();
    },
    next() {
      const following = at === 0 && !playing ? chapters[0] : chapters[frameNow().index + 1];
      const end = (playing ? following?.at : following?.shows) ?? lengthMs;
      startedAt = clock.now() - end;
      moveTo(end);
      if (at >= lengthMs) playing = false;
      tell();
      wait();
    },
    restart() {
      rewind();
      playing = false;
      tell();
      wait();
    },
  };
}
