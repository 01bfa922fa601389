import type { EngineState } from '../../protocol/model.ts';
import type { Params } from '../../protocol/rpc-client.ts';
import type { WindowEngineMethods } from '../connection/engine-methods.ts';
import { commands as text } from '../text.ts';
import type { EngineStore } from '../stores/engine-store.ts';
import { command, type EngineConnection, type HostConnection } from './command.ts';
import type { DesktopBridge } from '../../protocol/desktop.ts';
import type { UiStore } from '../stores/ui-store.ts';

/** The engine room: what is loaded, lent, downloaded and set up. */
export function createEngineCommands(engine: EngineConnection, store: EngineStore) {
  /** False also while the engine has not answered. */
  const when = (holds: (engine: EngineState) => boolean) => (): boolean => {
    const { engine: state } = store.getState();
    return state !== null && holds(state);
  };
  /** Asks the engine for just that. */
  const passedOn = <M extends keyof WindowEngineMethods>(method: M) =>
    command<Params<WindowEngineMethods, M>>({ run: (params) => engine.call(method, params) });
  return {
    'engine/refresh': command({
      run: () => engine.call('engine/refresh', {}),
    }),
    'engine/start': command({
      enabled: when(({ status }) => status.kind === 'stopped' && status.canStart),
      why: () => text.why.engineRuns,
      run: () => engine.call('engine/start', {}),
    }),
    'engine/lend': command({
      enabled: when(({ loaded, lease }) => loaded.length > 0 && lease?.purpose !== 'turn'),
      why: () => text.why.engineBusy,
      run: () => engine.call('engine/lend', {}),
    }),
    'engine/take-back': command({
      enabled: when((state) => state.lent !== null),
      why: () => text.why.notLent,
      run: () => engine.call('engine/take-back', {}),
    }),
    /** Everything that is loaded, so that the VRAM is free. */
    'engine/eject': command({
      enabled: when(({ loaded, lease }) => loaded.length > 0 && lease === null),
      why: () => text.why.engineBusy,
      run: async () => {
        const loaded = store.getState().engine?.loaded ?? [];
        for (const { name } of loaded) await engine.call('model/unload', { model: name });
      },
    }),
    'engine/set-keep-alive': passedOn('engine/set-keep-alive'),
    'engine/set-hosts': passedOn('engine/set-hosts'),
    'model/preload': passedOn('model/preload'),
    'model/unload': passedOn('model/unload'),
    'model/cancel-load': command({
      enabled: when(({ loading }) => loading !== null),
      why: () => text.why.noLoad,
      run: () => engine.call('model/cancel-load', {}),
    }),
    'model/pull': passedOn('model/pull'),
    'model/pull-pause': passedOn('model/pull-pause'),
    'model/pull-forget': passedOn('model/pull-forget'),
    'model/delete': passedOn('model/delete'),
    'setup/begin': command({
      enabled: when(({ setup }) => setup.offer !== null && setup.installed === null && setup.job === null),
      why: () => text.why.noSetup,
      run: () => engine.call('setup/begin', {}),
    }),
    'setup/cancel': command({
      enabled: when(({ setup }) => setup.job !== null),
      why: () => text.why.noSetupJob,
      run: () => engine.call('setup/cancel', {}),
    }),
    'setup/remove': passedOn('setup/remove'),
  };
}

/** The processes behind the window. */
export function createConnectionCommands(
  host: HostConnection,
  engine: EngineConnection,
  signOut: (() => Promise<void>) | null,
) {
  return {
    'connection/retry': command({
      enabled: () => host.state !== 'live' || engine.state !== 'live',
      why: () => text.why.connected,
      run: () => {
        host.retryNow();
        engine.retryNow();
      },
    }),
    /** This page is signed out with them: its sockets are closed, and it then says how to come back. */
    'connection/sign-out': command({
      enabled: () => signOut !== null && host.state !== 'refused',
      why: () => text.why.noSignIn,
      run: () => signOut?.(),
    }),
  };
}

/** The next version of the program. */
export function createUpdateCommands(updates: DesktopBridge['updates'] | undefined, ui: UiStore) {
  return {
    'update/restart': command({
      enabled: () => ui.getState().updates?.state.kind === 'ready',
      run: () => updates?.act('restart'),
    }),
    'update/dismiss': command({
      enabled: () => Boolean(ui.getState().updates?.whatsNew ?? ui.getState().updates?.notInstalled),
      run: () => updates?.act('dismiss'),
    }),
    'update/check': command({
      enabled: () => ui.getState().updates !== null,
      run: () => updates?.act('check'),
    }),
  };
}
