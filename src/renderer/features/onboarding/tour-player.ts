/**
 * Plays a recording: which moment it is, and what was there then. Time comes in by parameter; between two moments it
 * waits, and while it rests nothing wakes up.
 */
import type { SessionEvent } from '../../../protocol/events.ts';
import type { SessionState } from '../../../protocol/reducer.ts';
import {
  applySessionEvents,
  applySessionSnapshot,
  createSessionStore,
  resetSession,
  type OpenSessionStore,
} from '../../stores/session-store.ts';

/** A recorded session: as it began, and what its host published then. */
export interface Recording<Chapter extends string> {
  begin: SessionState;
  events: readonly SessionEvent[];
  /** Where its time begins: what came before is there at once. */
  recordedAt: number;
  /** In milliseconds from there, in order; each lasts until the next one begins. `shows`: what its words speak of. */
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
}

export interface Player<Chapter extends string> {
  recording: Recording<Chapter>;
  /** The session as it was by then. */
  session: OpenSessionStore;
  subscribe: (listener: () => void) => () => void;
  /** The same object until something changed. */
  frame: () => Frame<Chapter>;
  play: () => void;
  pause: () => void;
  /** While it plays: to the next chapter. At rest: to what the next words speak of. At last to the end. */
  next: () => void;
}

/** The seconds of the clock beside it step with it. */
const stepMs = 1_000;

export function createPlayer<Chapter extends string>(
  recording: Recording<Chapter>,
  clock: PlayerClock,
): Player<Chapter> {
  const { events, recordedAt, chapters, lengthMs } = recording;
  const session = createSessionStore();
  const listeners = new Set<() => void>();
  let played = 0;
  /** When its beginning was, by the clock. */
  let startedAt = clock.now();
  let at = 0;
  let playing = false;
  let cancel: (() => void) | undefined;
  begin();
  let frame = frameNow();

  function frameNow(): Frame<Chapter> {
    const index = chapters.findLastIndex((chapter) => chapter.at <= at);
    const chapter = (chapters[index] ?? chapters[0])?.name;
    if (chapter === undefined) throw new Error('A recording has chapters.');
    return { at, playing, ended: at >= lengthMs, index: Math.max(0, index), chapter };
  }

  /** When the next event comes. */
  function nextAt(): number {
    const next = events[played];
    return next ? next.at - recordedAt : Infinity;
  }

  /** Everything that happened by then. */
  function moveTo(target: number): void {
    at = Math.min(target, lengthMs);
    const first = played;
    while (nextAt() <= at) played += 1;
    if (played > first) applySessionEvents(session, inTime(events.slice(first, played)));
  }

  /** What was recorded, as if it happened from `startedAt` on. */
  function inTime<T>(recorded: T): T {
    return withTimesMoved(recorded, startedAt - recordedAt);
  }

  function notify(): void {
    frame = frameNow();
    for (const listener of listeners) listener();
  }

  function wait(): void {
    cancel?.();
    cancel = undefined;
    if (!playing) return;
    const next = Math.min(nextAt(), lengthMs, (Math.floor(at / stepMs) + 1) * stepMs);
    cancel = clock.after(Math.max(0, next - (clock.now() - startedAt)), () => {
      moveTo(Math.max(next, clock.now() - startedAt));
      if (at >= lengthMs) playing = false;
      notify();
      wait();
    });
  }

  /** As if its beginning had been so long ago: what is timed from there goes on without a jump. */
  function align(): void {
    startedAt = clock.now() - at;
  }

  function begin(): void {
    played = 0;
    at = 0;
    align();
    resetSession(session, recording.begin.session.id);
    applySessionSnapshot(session, inTime(recording.begin));
    moveTo(0);
  }

  return {
    recording,
    session,
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
      if (at >= lengthMs) begin();
      align();
      playing = true;
      notify();
      wait();
    },
    pause() {
      playing = false;
      notify();
      wait();
    },
    next() {
      const following = at === 0 && !playing ? chapters[0] : chapters[frameNow().index + 1];
      const end = (playing ? following?.at : following?.shows) ?? lengthMs;
      startedAt = clock.now() - end;
      moveTo(end);
      if (at >= lengthMs) playing = false;
      notify();
      wait();
    },
  };
}

/** Before this every number is a count or a size, from it on a time in milliseconds. */
const firstTime = 1e12;

function withTimesMoved<T>(recorded: T, by: number): T {
  const moved = (_key: string, value: unknown): unknown =>
    typeof value === 'number' && value >= firstTime ? value + by : value;
  return JSON.parse(JSON.stringify(recorded), moved) as T;
}
