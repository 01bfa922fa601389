/** What the engine tells every window: its status, models, GPU. */
import { createStore } from 'zustand/vanilla';
import type { EngineEvent } from '../../protocol/events.ts';
import type { EngineState, TimelinePoint } from '../../protocol/model.ts';
import { joined, pointOf, withPoint } from './gpu-history.ts';

export interface EngineStoreState {
  connection: 'connecting' | 'live' | 'lost' | 'refused';
  /** null = nobody looked. */
  connectionSince: number | null;
  /** null until the first snapshot. */
  engine: EngineState | null;
  /** The last half hour of the GPU, oldest first. */
  timeline: TimelinePoint[];
}

export type EngineStore = ReturnType<typeof createEngineStore>;

export function createEngineStore() {
  return createStore<EngineStoreState>(() => ({
    connection: 'connecting',
    connectionSince: null,
    engine: null,
    timeline: [],
  }));
}

export function applyEngineEvents(store: EngineStore, events: EngineEvent[]): void {
  store.setState((state) => {
    if (!state.engine) return state;
    const engine: EngineState = Object.assign({}, state.engine, ...events.map((event) => event.changes));
    const sampled = engine.gpus !== state.engine.gpus;
    return { engine, timeline: sampled ? withPoint(state.timeline, pointOf(engine)) : state.timeline };
  });
}

/** A new snapshot, of this process or of another: what the window saw itself stays. */
export function applyEngineSnapshot(store: EngineStore, engine: EngineState): void {
  store.setState(({ timeline }) => ({ engine, timeline: withPoint(timeline, pointOf(engine)) }));
}

export function applyTimeline(store: EngineStore, points: TimelinePoint[]): void {
  store.setState(({ timeline }) => ({ timeline: joined(points, timeline) }));
}
