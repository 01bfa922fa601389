import type { KeepAlivePolicy } from '../../protocol/model.ts';
import { command, type Services } from './command.ts';

/** The engine room: what is loaded, lent, downloaded and set up. */
export function createEngineCommands({ engine }: Services) {
  return {
    'engine/refresh': command({
      run: async () => {
        await engine.call('engine/refresh', {});
      },
    }),
    'engine/start': command({
      run: async () => {
        await engine.call('engine/start', {});
      },
    }),
    'engine/lend': command({
      run: async () => {
        await engine.call('engine/lend', {});
      },
    }),
    'engine/take-back': command({
      run: async () => {
        await engine.call('engine/take-back', {});
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
      run: async () => {
        await engine.call('setup/begin', {});
      },
    }),
    'setup/cancel': command({
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
