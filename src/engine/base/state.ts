/** The engine's state, immutable, and its topic: whoever subscribed hears of what changed and of nothing else. */
import { isDeepStrictEqual } from 'node:util';
import type { EngineEvent } from '../../protocol/events.ts';
import type { EngineState } from '../../protocol/model.ts';
import type { Connection } from '../../protocol/rpc-server.ts';

export const engineTopic = 'engine';

export const initialState: EngineState = {
  status: { kind: 'searching' },
  models: [],
  modelsReadAt: null,
  loaded: [],
  loading: null,
  lease: null,
  waiting: 0,
  gpus: null,
  memory: { totalBytes: null, usedBytes: null, cpuLoad: null },
  keepAlive: 'while_open',
  keepMinutes: 30,
  queue: [],
  lent: null,
  hosts: [],
  setup: { offer: null, installed: null, job: null },
  pulls: [],
  incidents: [],
  sideCacheBytes: null,
  problem: null,
};

export function createStateStore(initial: EngineState) {
  const subscribers = new Set<Connection>();
  const listeners = new Set<(changes: Partial<EngineState>) => void>();
  let state = initial;
  let seq = 0;

  return {
    current: (): EngineState => state,
    /** Values that are deeply equal to the present ones are no change: an idle window is told nothing. */
    update(wanted: Partial<EngineState>): void {
      const changes = onlyChanged(state, wanted);
      if (!changes) return;
      state = { ...state, ...changes };
      seq += 1;
      const event: EngineEvent = { type: 'engine/changed', changes };
      for (const connection of subscribers) connection.publish(engineTopic, seq, event);
      for (const listener of listeners) listener(changes);
    },
    /** Calls back after every change; returns the way to stop that. */
    onChange(listener: (changes: Partial<EngineState>) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    subscribe(connection: Connection): { seq: number; state: EngineState } {
      subscribers.add(connection);
      return { seq, state };
    },
    unsubscribe: (connection: Connection): void => void subscribers.delete(connection),
  };
}

export type StateStore = ReturnType<typeof createStateStore>;

function onlyChanged(state: EngineState, wanted: Partial<EngineState>): Partial<EngineState> | null {
  const keys = Object.keys(wanted) as (keyof EngineState)[];
  const changed = keys.filter((key) => !isDeepStrictEqual(state[key], wanted[key]));
  return changed.length === 0 ? null : Object.fromEntries(changed.map((key) => [key, wanted[key]]));
}

/** Where Ollama answers now; null = nowhere. */
export function runningUrl(state: StateStore): string | null {
  const { status } = state.current();
  return status.kind === 'running' ? status.url : null;
}
