/** The hosts of `hosts.json` as the settings show them, and the keys that a person gives them. */
import { AndironError } from '../../protocol/errors.ts';
import type { ModelHost, ModelHostList } from '../../protocol/model-host-methods.ts';
import type { HostConfig } from './host-kind.ts';
import type { HostKeys } from './host-keys.ts';
import { hostKinds } from './host-kinds.ts';
import type { LoadedHosts } from './hosts.ts';

export type ListedHosts = ReturnType<typeof createListedHosts>;

const takesKey = ({ kind }: HostConfig): boolean => hostKinds[kind].takesKey;

export function createListedHosts({ hosts, problem }: LoadedHosts, keys: HostKeys) {
  const toModelHost = async (host: HostConfig): Promise<ModelHost> => {
    const { id, name, url, kind } = host;
    return { id, name, url, kind, key: takesKey(host) ? await keys.standingOf(host) : null };
  };
  return {
    list: async (): Promise<ModelHostList> => ({
      hosts: await Promise.all(hosts.map(toModelHost)),
      problem,
      place: keys.place,
    }),
    /** null removes it. Rejects with AndironError where that host is unknown, or the key cannot be kept. */
    async setKey(hostId: string, key: string | null): Promise<void> {
      const host = hosts.find(({ id }) => id === hostId);
      if (!host || !takesKey(host))
        throw new AndironError(
          'not_found',
          `hosts.json names no host ${hostId} that uses a key.`,
          'Check hosts.json in the data folder, then restart Andiron.',
        );
      await keys.set(host, key);
    },
  };
}
