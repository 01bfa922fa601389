/** What the engine tells every window: its status, models, GPU. */
import { createStore } from 'zustand/vanilla';
import type { EngineEvent } from '../../protocol/events.ts';
import type { EngineState } from '../../protocol/model.ts';

export interface EngineStoreState {
  connection: 'connecting' | 'live' | 'lost';
  /** null until the first snapshot. */
  engine: EngineState | null;
}

export type EngineStore = ReturnType<typeof createEngineStore>;

export function createEngineStore() {
  return createStore<EngineStoreState>(() => ({ connection: 'connecting', engine: null }));
}

export function applyEngineEvents(store: EngineStore, events: EngineEvent[]): void {
  store.setState((state) => {
    if (!state.engine) return state;
    const engine: EngineState = Object.assign({}, state.engine, ...events.map((event) => event.changes));
    return { engine };
  });
}
