/** The person's own list of hosts, and starting Ollama by hand. */
import { AndironError } from '../../protocol/errors.ts';
import type { EngineMethods } from '../../protocol/engine-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import { readAddress } from './host-address.ts';
import type { Supervisor } from './supervisor.ts';

export function supervisorHandlers(
  supervisor: Pick<Supervisor, 'look' | 'start'>,
  hosts: { setHosts(hosts: readonly string[]): void },
): Pick<Handlers<EngineMethods>, 'engine/set-hosts' | 'engine/start'> {
  return {
    async 'engine/start'() {
      await supervisor.start();
      return {};
    },
    async 'engine/set-hosts'({ hosts: typed }) {
      hosts.setHosts([...new Set(typed.map((address) => readOrRefuse(address)))]);
      await supervisor.look();
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
