/** What the host tells every window: sessions, profiles, and whether it answers. */
import { createStore } from 'zustand/vanilla';
import type { HostEvent } from '../../protocol/events.ts';
import { reduceHost, type HostState } from '../../protocol/reducer.ts';

interface HostDefaults {
  profileId: string;
  /** null = a new session asks for its folder. */
  workspace: string | null;
  /** Commands are kept in; absent = they are not. */
  isSandboxed?: boolean | undefined;
}

export interface HostStoreState extends HostState {
  connection: 'connecting' | 'live' | 'lost' | 'refused';
  /** null = nobody looked. */
  connectionSince: number | null;
  /** null until the first snapshot: nothing is shown as empty before it is known to be. */
  defaults: HostDefaults | null;
  /** Ids of the other hosts. */
  hosts: ReadonlySet<string>;
}

export type HostStore = ReturnType<typeof createHostStore>;

export function createHostStore() {
  return createStore<HostStoreState>(() => ({
    connection: 'connecting',
    connectionSince: null,
    sessions: [],
    profiles: [],
    problems: [],
    defaults: null,
    hosts: new Set(),
  }));
}

export function titleOf(store: HostStore, sessionId: string): string | undefined {
  return store.getState().sessions.find(({ id }) => id === sessionId)?.title;
}

export function applyHostEvents(store: HostStore, events: HostEvent[]): void {
  store.setState((state) => ({ ...state, ...events.reduce<HostState>(reduceHost, state) }));
}
