import type { EngineState, KeepAlivePolicy } from '../../protocol/model.ts';
import { commands as text } from '../text.ts';
import { command, type Services } from './command.ts';

/** The engine room: what is loaded, lent, downloaded and set up. */
export function createEngineCommands({ engine, stores }: Services) {
  /** False also while the engine has not answered. */
  const when = (holds: (engine: EngineState) => boolean) => (): boolean => {
    const { engine: state } = stores.engine.getState();
    return state !== null && holds(state);
  };
  return {
    'engine/refresh': command({
      run: async () => {
        await engine.call('engine/refresh', {});
      },
    }),
    'engine/start': command({
      enabled: when(({ status }) => status.kind === 'stopped' && status.canStart),
      why: text.why.engineRuns,
      run: async () => {
        await engine.call('engine/start', {});
      },
    }),
    'engine/lend': command({
      enabled: when(({ loaded, lease }) => loaded.length > 0 && lease?.purpose !== 'turn'),
      why: text.why.engineBusy,
      run: async () => {
        await engine.call('engine/lend', {});
      },
    }),
    'engine/take-back': command({
      enabled: when(({ lent }) => lent !== null),
      why: text.why.notLent,
      run: async () => {
        await engine.call('engine/take-back', {});
      },
    }),
    /** Everything that is loaded, so that the VRAM is free. */
    'engine/eject': command({
      enabled: when(({ loaded, lease }) => loaded.length > 0 && lease === null),
      why: text.why.engineBusy,
      run: async () => {
        const loaded = stores.engine.getState().engine?.loaded ?? [];
        for (const { name } of loaded) await engine.call('model/unload', { model: name });
      },
    }),
    'engine/set-keep-alive': command<{ policy: KeepAlivePolicy; minutes?: number }>({
      run: async (params) => {
        await engine.call('engine/set-keep-alive', params);
      },
    }),
    'engine/set-hosts': command<{ hosts: string[] }>({
      run: async (params) => {
        await engine.call('engine/set-hosts', params);
      },
    }),
    'model/preload': command<{ model: string; contextTokens?: number }>({
      run: async (params) => {
        await engine.call('model/preload', params);
      },
    }),
    'model/unload': command<{ model: string }>({
      run: async ({ model }) => {
        await engine.call('model/unload', { model });
      },
    }),
    'model/cancel-load': command({
      enabled: when(({ loading }) => loading !== null),
      why: text.why.noLoad,
      run: async () => {
        await engine.call('model/cancel-load', {});
      },
    }),
    'model/pull': command<{ model: string }>({
      run: async ({ model }) => {
        await engine.call('model/pull', { model });
      },
    }),
    'model/pull-pause': command<{ model: string }>({
      run: async ({ model }) => {
        await engine.call('model/pull-pause', { model });
      },
    }),
    'model/pull-forget': command<{ model: string }>({
      run: async ({ model }) => {
        await engine.call('model/pull-forget', { model });
      },
    }),
    'model/delete': command<{ model: string }>({
      run: async ({ model }) => {
        await engine.call('model/delete', { model });
      },
    }),
    'setup/begin': command({
      enabled: when(({ setup }) => setup.offer !== null && setup.installed === null && setup.job === null),
      why: text.why.noSetup,
      run: async () => {
        await engine.call('setup/begin', {});
      },
    }),
    'setup/cancel': command({
      enabled: when(({ setup }) => setup.job !== null),
      why: text.why.noSetupJob,
      run: async () => {
        await engine.call('setup/cancel', {});
      },
    }),
    'setup/remove': command<{ models: boolean }>({
      run: async (params) => {
        await engine.call('setup/remove', params);
      },
    }),
  };
}
