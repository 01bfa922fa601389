/** The hosts of `hosts.json` as the settings show them, and the keys that a person gives them. */
import type { Clock } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { HostModels, ModelHost, ModelHostList } from '../../protocol/model-host-methods.ts';
import type { HostConfig } from './host-kind.ts';
import type { HostKeys } from './host-keys.ts';
import { hostKinds } from './host-kinds.ts';
import { inTime, listHostModels } from './host-models.ts';
import type { LoadedHosts } from './hosts.ts';

export type ListedHosts = ReturnType<typeof createListedHosts>;

/** Of one server: services list more than anybody looks through. */
const maxListed = 1_000;

const takesKey = ({ kind }: HostConfig): boolean => hostKinds[kind].takesKey;

export function createListedHosts({ hosts, problem }: LoadedHosts, keys: HostKeys, clock: Clock) {
  const modelsOf = async (host: HostConfig, signal: AbortSignal): Promise<HostModels> => {
    const access = { clock, readKey: () => keys.keyOf(host) };
    const named = { hostId: host.id, name: host.name };
    try {
      const listed = await inTime(host, clock, signal, (late) => listHostModels(host, access, late));
      return { ...named, models: listed.slice(0, maxListed).map(({ name }) => name), problem: null };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AndironError)) throw error;
      const { code, message, advice } = error;
      return { ...named, models: [], problem: { code, message, advice } };
    }
  };

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
    /** Of all hosts at once. Rejects with the signal's reason. */
    models: (signal: AbortSignal): Promise<HostModels[]> =>
      Promise.all(hosts.map((host) => modelsOf(host, signal))),
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
