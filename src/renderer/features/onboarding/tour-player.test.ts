import { describe, expect, test } from 'vitest';
import { sessionEventSchema } from '../../../protocol/events.ts';
import { sessionSnapshotSchema } from '../../../protocol/model.ts';
import type { SessionEvent } from '../../../protocol/events.ts';
import type { SessionState } from '../../../protocol/reducer.ts';
import { createPlayer, type Player, type PlayerClock, type Recording } from './tour-player.ts';
import recorded from './tour-recording.json?raw';
import { recordingOf } from './tour-recording.ts';

const tourRecording = recordingOf(recorded);

/** Time that moves when the test says so. */
class HandTime implements PlayerClock {
  time = 1_000_000;
  #timers: { at: number; run: () => void }[] = [];

  now(): number {
    return this.time;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.time + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  get waiting(): number {
    return this.#timers.length;
  }

  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.#timers.toSorted((a, b) => a.at - b.at)[0];
      if (!next || next.at > end) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.time = next.at;
      next.run();
    }
    this.time = end;
  }
}

const recordedAt = 1_700_000_000_000;

const text = (at: number, words: string): SessionEvent => ({
  seq: 1,
  sessionId: 's',
  turnId: 't',
  at: recordedAt + at,
  event: { type: 'item/delta', itemId: 'i', text: words },
});

const item = {
  id: 'i',
  turnId: 't',
  index: 0,
  startedAt: recordedAt,
  completedAt: null,
  cut: false,
  kind: 'text',
  text: '',
} as const;

const recording: Recording<'one' | 'two'> = {
  begin: { ...tourRecording.begin, items: [item] },
  recordedAt,
  events: [text(500, 'a'), text(1_500, 'b'), text(2_500, 'c')],
  chapters: [
    { at: 0, shows: 1_000, name: 'one' },
    { at: 2_000, shows: 2_600, name: 'two' },
  ],
  lengthMs: 3_000,
};

function stateOf(player: Player<string>): SessionState {
  const { state } = player.session.getState();
  if (!state) throw new Error('The player shows no session.');
  return state;
}

function start() {
  const time = new HandTime();
  const player = createPlayer(recording, time);
  const unsubscribe = player.subscribe(() => undefined);
  const words = (): string => {
    const [first] = stateOf(player).items;
    return first?.kind === 'text' ? first.text : '';
  };
  return { time, player, words, unsubscribe };
}

describe('a recording', () => {
  test('begins at rest, and nothing wakes up', () => {
    const { time, player } = start();
    expect(player.frame()).toMatchObject({ at: 0, playing: false, ended: false, chapter: 'one' });
    expect(time.waiting).toBe(0);
  });

  test('shows everything at its moment, chapter by chapter, and ends', () => {
    const { time, player, words } = start();
    player.play();
    time.pass(600);
    expect(words()).toBe('a');
    time.pass(1_500);
    expect(words()).toBe('ab');
    expect(player.frame().chapter).toBe('two');
    time.pass(5_000);
    expect(words()).toBe('abc');
    expect(player.frame()).toMatchObject({ at: 3_000, ended: true, playing: false });
    expect(time.waiting).toBe(0);
  });

  test('a pause holds it where it is, however long', () => {
    const { time, player, words } = start();
    player.play();
    time.pass(600);
    player.pause();
    expect(time.waiting).toBe(0);
    time.pass(60_000);
    expect(words()).toBe('a');
    player.play();
    time.pass(1_000);
    expect(words()).toBe('ab');
  });

  test('is stepped through by chapter, without a clock', () => {
    const { time, player, words } = start();
    player.next();
    expect(words()).toBe('a');
    expect(player.frame()).toMatchObject({ at: 1_000, chapter: 'one', playing: false });
    player.next();
    expect(words()).toBe('abc');
    expect(player.frame()).toMatchObject({ at: 2_600, chapter: 'two', ended: false });
    player.next();
    expect(player.frame().ended).toBe(true);
    expect(time.waiting).toBe(0);
  });

  test('goes on playing from the next chapter', () => {
    const { time, player, words } = start();
    player.play();
    player.next();
    expect(player.frame()).toMatchObject({ at: 2_000, chapter: 'two', playing: true });
    time.pass(600);
    expect(words()).toBe('abc');
  });

  test('can be seen again from its beginning', () => {
    const { time, player, words } = start();
    player.next();
    player.next();
    player.next();
    player.play();
    expect(words()).toBe('');
    time.pass(600);
    expect(words()).toBe('a');
  });

  test('rests when nobody watches any more', () => {
    const { time, player, unsubscribe } = start();
    player.play();
    unsubscribe();
    expect(time.waiting).toBe(0);
    expect(player.frame().playing).toBe(false);
  });
});

/** How it ends. */
const last = () => {
  const player = createPlayer(tourRecording, new HandTime());
  player.subscribe(() => undefined);
  while (!player.frame().ended) player.next();
  return stateOf(player);
};

const asking = (state: SessionState | undefined) =>
  state?.items.some((item) => item.kind === 'tool' && item.state === 'awaiting_approval') ?? false;

describe('the tour', () => {
  test('takes about a minute, and its moments are in order', () => {
    expect(tourRecording.lengthMs).toBeGreaterThanOrEqual(50_000);
    expect(tourRecording.lengthMs).toBeLessThanOrEqual(65_000);
    const times = tourRecording.events.map(({ at }) => at - tourRecording.recordedAt);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeLessThanOrEqual(tourRecording.lengthMs);
  });

  test('The recording of the tour is valid by the schemas of the protocol', () => {
    expect(sessionSnapshotSchema.parse(tourRecording.begin)).toEqual(tourRecording.begin);
    expect(tourRecording.events.map((event) => sessionEventSchema.parse(event))).toEqual(
      tourRecording.events,
    );
  });

  test('A replayed tour has the times of its replay, not of its recording', () => {
    const time = new HandTime();
    time.time = 2_000_000_000_000;
    const player = createPlayer(tourRecording, time);
    player.subscribe(() => undefined);
    player.play();
    time.pass(70_000);
    const { turns } = stateOf(player);
    const times = turns.flatMap(({ queuedAt, endedAt }) => [queuedAt, endedAt ?? 0]);
    expect(times.every((at) => at > 1_999_999_999_000 && at < time.time)).toBe(true);
    expect(turns[0]?.queuedAt).toBeLessThan(turns[1]?.queuedAt ?? 0);
  });

  test('has something to show before it is played', () => {
    const { items } = stateOf(createPlayer(tourRecording, new HandTime()));
    expect(items.map(({ kind }) => kind)).toEqual(['user']);
  });

  test('shows a plan whose steps end with evidence, an approval that was given, and a stop with its proof', () => {
    const { items, todo, turns } = last();
    expect(items.some(({ kind }) => kind === 'plan')).toBe(true);
    expect(todo?.steps.every(({ status }) => status === 'done')).toBe(true);
    expect(todo?.steps.some(({ evidence }) => evidence !== null)).toBe(true);
    expect(items.some((item) => item.kind === 'tool' && item.decision === 'allow')).toBe(true);
    const stop = items.find((item) => item.kind === 'stopped');
    expect(stop).toMatchObject({ stillLoaded: true, slot: 'sound' });
    expect(turns.map(({ status }) => status)).toEqual(['finished', 'stopped']);
  });

  test('asks at the moment that its words speak of it', () => {
    const player = createPlayer(tourRecording, new HandTime());
    player.subscribe(() => undefined);
    const seen = new Map<string, SessionState>();
    while (!player.frame().ended) {
      player.next();
      seen.set(player.frame().chapter, stateOf(player));
    }
    expect(asking(seen.get('approves'))).toBe(true);
  });
});
