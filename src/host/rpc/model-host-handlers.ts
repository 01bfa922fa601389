/** The model servers of `hosts.json`, and the keys that they are given. */
import type { ModelHostList, modelHostMethods } from '../../protocol/model-host-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';

export interface ModelHostDeps {
  list: () => Promise<ModelHostList>;
  /** null removes it. Rejects with AndironError where that host is unknown, or the key cannot be kept. */
  setKey: (hostId: string, key: string | null) => Promise<void>;
}

export function modelHostHandlers({ list, setKey }: ModelHostDeps): Handlers<typeof modelHostMethods> {
  return {
    'model-host/list': list,
    'model-host/set-key': async ({ hostId, key }) => {
      await setKey(hostId, key);
      return {};
    },
  };
}
