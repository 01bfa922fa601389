/** The bridges that are on: started, started anew when their settings change, and ended when they are no longer wanted. */
import { isDeepStrictEqual } from 'node:util';
import { KeptBridge, type BridgeProcess, type BridgeState, type KeptBridgeOptions } from './kept-bridge.ts';

export interface WantedBridge {
  /** Its platform. */
  id: string;
  settings: unknown;
}

export interface KeptBridgesOptions<Port> extends Pick<KeptBridgeOptions<Port>, 'clock' | 'log'> {
  spawn: (id: string) => BridgeProcess<Port>;
  openHost: (platform: string) => Port | null;
  onState: (id: string, state: BridgeState) => void;
}

export type KeptBridges = ReturnType<typeof createKeptBridges>;

export function createKeptBridges<Port>({ spawn, openHost, onState, ...options }: KeptBridgesOptions<Port>) {
  const running = new Map<string, { bridge: KeptBridge<Port>; settings: unknown }>();
  const states = new Map<string, BridgeState>();
  /** One change after the other: two bridges of one platform never run side by side. */
  let last: Promise<void> = Promise.resolve();
  let isStopped = false;

  const start = ({ id, settings }: WantedBridge): void => {
    const bridge = new KeptBridge<Port>({
      ...options,
      name: id,
      settings,
      spawn: () => spawn(id),
      openHost: () => openHost(id),
      onState(state) {
        states.set(id, state);
        onState(id, state);
      },
    });
    running.set(id, { bridge, settings });
    bridge.start();
  };

  const apply = async (wanted: readonly WantedBridge[]): Promise<void> => {
    for (const [id, { bridge, settings }] of running) {
      const next = wanted.find((each) => each.id === id);
      if (next && isDeepStrictEqual(next.settings, settings)) continue;
      running.delete(id);
      await bridge.stop();
    }
    if (isStopped) return;
    for (const each of wanted) if (!running.has(each.id)) start(each);
  };

  return {
    /** Exactly these run from now on. One that has failed is tried again only with other settings, or after it was off. */
    want(wanted: readonly WantedBridge[]): void {
      last = last.then(() => apply(wanted));
    },
    /** A new host knows nothing of them yet. */
    hostReady(): void {
      for (const { bridge } of running.values()) bridge.hostReady();
      for (const [id, state] of states) onState(id, state);
    },
    /** Resolves when all are gone; never rejects. */
    stop(): Promise<void> {
      isStopped = true;
      last = last.then(() => apply([]));
      return last;
    },
  };
}
