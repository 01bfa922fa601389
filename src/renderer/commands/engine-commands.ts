import type { EngineState, KeepAlivePolicy } from '../../protocol/model.ts';
import { commands as text } from '../text.ts';
import type { EngineStore } from '../stores/engine-store.ts';
import { command, type EngineConnection } from './command.ts';

/** The engine room: what is loaded, lent, downloaded and set up. */
export function createEngineCommands(engine: EngineConnection, store: EngineStore) {
  /** False also while the engine has not answered. */
  const when = (holds: (engine: EngineState) => boolean) => (): boolean => {
    const { engine: state } = store.getState();
    return state !== null && holds(state);
  };
  return {
    'engine/refresh': command({
      run: () => engine.call('engine/refresh', {}),
    }),
    'engine/start': command({
      enabled: when(({ status }) => status.kind === 'stopped' && status.canStart),
      why: text.why.engineRuns,
      run: () => engine.call('engine/start', {}),
    }),
    'engine/lend': command({
      enabled: when(({ loaded, lease }) => loaded.length > 0 && lease?.purpose !== 'turn'),
      why: text.why.engineBusy,
      run: () => engine.call('engine/lend', {}),
    }),
    'engine/take-back': command({
      enabled: when((state) => state.lent !== null),
      why: text.why.notLent,
      run: () => engine.call('engine/take-back', {}),
    }),
    /** Everything that is loaded, so that the VRAM is free. */
    'engine/eject': command({
      enabled: when(({ loaded, lease }) => loaded.length > 0 && lease === null),
      why: text.why.engineBusy,
      run: async () => {
        const loaded = store.getState().engine?.loaded ?? [];
        for (const { name } of loaded) await engine.call('model/unload', { model: name });
      },
    }),
    'engine/set-keep-alive': command<{ policy: KeepAlivePolicy; minutes?: number }>({
      run: (params) => engine.call('engine/set-keep-alive', params),
    }),
    'engine/set-hosts': command<{ hosts: string[] }>({
      run: (params) => engine.call('engine/set-hosts', params),
    }),
    'model/preload': command<{ model: string; contextTokens?: number }>({
      run: (params) => engine.call('model/preload', params),
    }),
    'model/unload': command<{ model: string }>({
      run: ({ model }) => engine.call('model/unload', { model }),
    }),
    'model/cancel-load': command({
      enabled: when(({ loading }) => loading !== null),
      why: text.why.noLoad,
      run: () => engine.call('model/cancel-load', {}),
    }),
    'model/pull': command<{ model: string }>({
      run: ({ model }) => engine.call('model/pull', { model }),
    }),
    'model/pull-pause': command<{ model: string }>({
      run: ({ model }) => engine.call('model/pull-pause', { model }),
    }),
    'model/pull-forget': command<{ model: string }>({
      run: ({ model }) => engine.call('model/pull-forget', { model }),
    }),
    'model/delete': command<{ model: string }>({
      run: ({ model }) => engine.call('model/delete', { model }),
    }),
    'setup/begin': command({
      enabled: when(({ setup }) => setup.offer !== null && setup.installed === null && setup.job === null),
      why: text.why.noSetup,
      run: () => engine.call('setup/begin', {}),
    }),
    'setup/cancel': command({
      enabled: when(({ setup }) => setup.job !== null),
      why: text.why.noSetupJob,
      run: () => engine.call('setup/cancel', {}),
    }),
    'setup/remove': command<{ models: boolean }>({
      run: (params) => engine.call('setup/remove', params),
    }),
  };
}
