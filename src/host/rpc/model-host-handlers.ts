/** The models of Ollama, the model servers of `hosts.json`, and the keys that they are given. */
import type { EngineState } from '../../protocol/model.ts';
import type {
  AddedHost,
  HostModels,
  ModelHostList,
  modelHostMethods,
} from '../../protocol/model-host-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';

export interface ModelHostDeps {
  /** Once the models of Ollama are read; rejects with AndironError where they cannot be. */
  readModels: (signal: AbortSignal) => Promise<EngineState>;
  list: () => Promise<ModelHostList>;
  /** Of all, or of the one that is named. Rejects with the signal's reason alone. */
  models: (signal: AbortSignal, hostId?: string) => Promise<HostModels[]>;
  /** Once the server at that address has listed its models. Rejects with AndironError, or the signal's reason. */
  add: (
    server: { name: string; address: string; key: string | null },
    signal: AbortSignal,
  ) => Promise<AddedHost>;
  remove: (hostId: string) => Promise<void>;
  /** null removes it. Rejects with AndironError where that host is unknown, or the key cannot be kept. */
  setKey: (hostId: string, key: string | null) => Promise<void>;
}

export function modelHostHandlers({
  readModels,
  list,
  models,
  add,
  remove,
  setKey,
}: ModelHostDeps): Handlers<typeof modelHostMethods> {
  return {
    'model/list': async (_params, { signal }) => {
      const { models, loaded } = await readModels(signal);
      const names = new Set(loaded.map(({ name }) => name));
      return { models: models.map((model) => ({ model, isLoaded: names.has(model.name) })) };
    },
    'model-host/list': list,
    'model-host/models': async ({ hostId }, { signal }) => ({ hosts: await models(signal, hostId) }),
    'model-host/add': (server, { signal }) => add(server, signal),
    'model-host/remove': async ({ hostId }) => {
      await remove(hostId);
      return {};
    },
    'model-host/set-key': async ({ hostId, key }) => {
      await setKey(hostId, key);
      return {};
    },
  };
}
