/** One session as a window is told of it, over the deaths of hosts: every state by its number, every event kept. */
import { isDeepStrictEqual } from 'node:util';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { sessionTopic } from '../../src/protocol/frames.ts';
import { sessionSnapshotSchema, type SessionSnapshot, type Turn } from '../../src/protocol/model.ts';
import { reduceSession } from '../../src/protocol/reducer.ts';
import type { Window } from './host-world.ts';
import { eventProblems } from './session-checks.ts';

export class ToldSession {
  readonly id: string;
  readonly #onEvent: () => void;
  #window: Window;
  #state: SessionSnapshot;
  #firstSeq = 1;
  #events: SessionEvent[] = [];
  #states = new Map<number, SessionSnapshot>();

  private constructor(id: string, window: Window, state: SessionSnapshot, onEvent: () => void) {
    this.id = id;
    this.#window = window;
    this.#state = state;
    this.#onEvent = onEvent;
  }

  static async open(window: Window, id: string, onEvent: () => void): Promise<ToldSession> {
    const early = collect(window, id);
    const { snapshot, seq } = await window.rpc.call('session/subscribe', { sessionId: id });
    const session = new ToldSession(id, window, snapshot, onEvent);
    session.#follow(window, snapshot, seq, early);
    return session;
  }

  /** Through another window, after a reload or with another process. */
  async follow(window: Window): Promise<SessionSnapshot> {
    const early = collect(window, this.id);
    const { snapshot, seq } = await window.rpc.call('session/subscribe', { sessionId: this.id });
    this.#follow(window, snapshot, seq, early);
    return snapshot;
  }

  #follow(window: Window, snapshot: SessionSnapshot, seq: number, events: EventQueue): void {
    this.#window = window;
    this.#state = snapshot;
    this.#firstSeq = seq + 1;
    this.#events = [];
    this.#states = new Map([[seq, snapshot]]);
    events.deliver((event) => {
      if (this.#window !== window || event.seq <= seq) return;
      this.#events.push(event);
      this.#state = reduceSession(this.#state, event);
      this.#states.set(event.seq, this.#state);
      this.#onEvent();
    });
  }

  get window(): Window {
    return this.#window;
  }

  get state(): SessionSnapshot {
    return this.#state;
  }

  turn(turnId: string): Turn | undefined {
    return this.#state.turns.find((turn) => turn.id === turnId);
  }

  get runningTurn(): Turn | undefined {
    return this.#state.turns.find((turn) => turn.status !== 'queued' && !turn.closed);
  }

  /** The open question, if there is one. */
  get question(): string | undefined {
    for (const item of this.#state.items) {
      const asks = item.kind === 'tool' && item.state === 'awaiting_approval' && item.decision === null;
      if (asks) return item.approval?.id;
    }
    return undefined;
  }

  eventProblems(): string[] {
    return eventProblems(this.#events, this.#firstSeq);
  }

  /** A second window is shown what the events have made of the first one's snapshot. */
  async replayProblems(second: Window): Promise<string[]> {
    const { snapshot, seq } = await second.rpc.call('session/subscribe', { sessionId: this.id });
    const parsed = sessionSnapshotSchema.safeParse(snapshot);
    const replayed = this.#states.get(seq);
    return [
      ...(parsed.success ? [] : [`the snapshot is malformed: ${parsed.error.message}`]),
      ...(isDeepStrictEqual(replayed, snapshot) ? [] : [difference(replayed, snapshot)]),
    ];
  }
}

/** Of a session what outlives its host: how warm its prompt is does not, and what was queued then waits for the person. */
export function lasting(state: SessionSnapshot | undefined): Partial<SessionSnapshot> {
  if (!state) return {};
  const { warmth: _warmth, ...rest } = state;
  const turns = state.turns.map((turn) =>
    turn.status === 'queued' ? { ...turn, waitsFor: 'person' as const } : turn,
  );
  return { ...rest, turns };
}

export function difference(before: SessionSnapshot | undefined, after: SessionSnapshot): string {
  return `expected ${JSON.stringify(before)}\nfound    ${JSON.stringify(after)}`;
}

interface EventQueue {
  deliver(to: (event: SessionEvent) => void): void;
}

/** What comes before the snapshot waits for it. */
function collect(window: Window, id: string): EventQueue {
  const early: SessionEvent[] = [];
  let deliver: (event: SessionEvent) => void = (event) => early.push(event);
  window.rpc.onEvent((topic, _seq, event) => {
    if (topic === sessionTopic(id)) deliver(event as SessionEvent);
  });
  return {
    deliver(to) {
      deliver = to;
      for (const event of early) to(event);
    },
  };
}
