/** The stores of a window, made together and handed down by context. */
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createEngineStore, type EngineStore, type EngineStoreState } from './engine-store.ts';
import { createHostStore, type HostStore, type HostStoreState } from './host-store.ts';
import { createKeysStore, type KeysState, type KeysStore } from './keys-store.ts';
import { createSessionStore, type OpenSessionStore, type SessionStoreState } from './session-store.ts';
import type { KeyValueStorage } from './storage.ts';
import { createUiStore, type UiState, type UiStore } from './ui-store.ts';

export interface Stores {
  host: HostStore;
  session: OpenSessionStore;
  engine: EngineStore;
  ui: UiStore;
  keys: KeysStore;
}

export function createStores(storage: KeyValueStorage, ofWindow?: KeyValueStorage): Stores {
  return {
    host: createHostStore(),
    session: createSessionStore(),
    engine: createEngineStore(),
    ui: createUiStore(storage, ofWindow),
    keys: createKeysStore(storage),
  };
}

export const StoresContext = createContext<Stores | null>(null);

export function useStores(): Stores {
  const stores = useContext(StoresContext);
  if (!stores) throw new Error('Render inside <StoresContext>.');
  return stores;
}

export function useHost<T>(select: (state: HostStoreState) => T): T {
  return useStore(useStores().host, select);
}

export function useSession<T>(select: (state: SessionStoreState) => T): T {
  return useStore(useStores().session, select);
}

export function useEngine<T>(select: (state: EngineStoreState) => T): T {
  return useStore(useStores().engine, select);
}

export function useUi<T>(select: (state: UiState) => T): T {
  return useStore(useStores().ui, select);
}

export function useKeys<T>(select: (state: KeysState) => T): T {
  return useStore(useStores().keys, select);
}
