/** The hosts of `hosts.json` as the settings show them: which there are, and the keys that a person gives them. */
import type { Clock } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { AddedHost, HostModels, ModelHost, ModelHostList } from '../../protocol/model-host-methods.ts';
import type { HostConfig } from './host-kind.ts';
import { findServer, toAddress } from './find-server.ts';
import { sendableKey, type HostKeys } from './host-keys.ts';
import { hostKinds } from './host-kinds.ts';
import { isThere, type HostList } from './current-hosts.ts';
import { isSameServer } from './same-server.ts';
import { inTime, listHostModels } from './host-models.ts';
import { modelName } from '../../rules/model-names.ts';

export type ListedHosts = ReturnType<typeof createListedHosts>;

/** Of one server: services list more than anybody looks through. */
const maxListed = 1_000;

const takesKey = ({ kind }: HostConfig): boolean => hostKinds[kind].takesKey;

interface NewServer {
  /** As it was typed. */
  address: string;
  /** Empty = it is called by its address. */
  name: string;
  /** null = none was given. */
  key: string | null;
}

export interface ListedHostsDeps {
  hosts: HostList;
  keys: HostKeys;
  clock: Clock;
  /** Called before a server is asked over TLS. */
  trustSystem: (() => void) | undefined;
  /** Where the engine answers; undefined = nobody knows. */
  engineUrl: () => string | undefined;
}

export function createListedHosts({ hosts, keys, clock, trustSystem, engineUrl }: ListedHostsDeps) {
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
      hosts: await Promise.all(hosts.all().map(toModelHost)),
      problem: hosts.problem(),
      place: keys.place,
    }),
    /** Of all hosts at once, or of the one that is named. Rejects with the signal's reason. */
    models: (signal: AbortSignal, hostId?: string): Promise<HostModels[]> =>
      Promise.all(
        hosts
          .all()
          .filter(({ id }) => hostId === undefined || id === hostId)
          .map((host) => modelsOf(host, signal)),
      ),
    /**
     * Asks the server at that address for its models, and adds it to the list where it answers. Rejects with AndironError, or
     * the signal's reason, and then nothing was added.
     */
    async add({ name, address, key }: NewServer, signal: AbortSignal): Promise<AddedHost> {
      const given = key === null ? null : sendableKey(key);
      const server = { url: toAddress(address), name: name.trim(), key: given };
      if (isSameServer(server.url, engineUrl() ?? '')) throw isThere('Andiron’s own Ollama');
      const { kind, url, models } = await findServer(server, { clock, trustSystem }, signal);
      const host = await hosts.add({ name: server.name, kind, url }, ({ url: there }) =>
        isSameServer(url, there),
      );
      try {
        if (given !== null && takesKey(host)) await keys.set(host, given);
      } catch (error) {
        await hosts.remove(host.id);
        throw error;
      }
      const names = models.slice(0, maxListed).map((model) => modelName(host.id, model));
      return { host: await toModelHost(host), models: names };
    },
    /** With its key. */
    async remove(hostId: string): Promise<void> {
      await keys.forget(hostId);
      await hosts.remove(hostId);
    },
    /** null removes it. Rejects with AndironError where that host is unknown, or the key cannot be kept. */
    async setKey(hostId: string, key: string | null): Promise<void> {
      const host = hosts.find(hostId);
      if (!host || !takesKey(host))
        throw new AndironError(
          'not_found',
          `There is no model server ${hostId} that uses a key.`,
          'It may have been removed. Look at the list in Settings, Engine.',
        );
      await keys.set(host, key);
    },
  };
}
