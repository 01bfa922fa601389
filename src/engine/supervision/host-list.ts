/** The person's own list of hosts. */
import { AndironError } from '../../protocol/errors.ts';
import type { setupMethods } from '../../protocol/engine-room-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import { readAddress } from './host-address.ts';

/** @param look resolves when the state says what was found. */
export function hostListHandlers(
  hosts: { setHosts(hosts: readonly string[]): void },
  look: () => Promise<void>,
): Pick<Handlers<typeof setupMethods>, 'engine/set-hosts'> {
  return {
    async 'engine/set-hosts'({ hosts: typed }) {
      hosts.setHosts([...new Set(typed.map((address) => readOrRefuse(address)))]);
      await look();
      return {};
    },
  };
}

function readOrRefuse(typed: string): string {
  const url = readAddress(typed);
  if (url !== null) return url;
  throw new AndironError(
    'invalid_params',
    `${typed} is no address of an Ollama.`,
    'Write it as gpu.lan, 192.168.1.4:11434 or https://gpu.lan.',
  );
}
