/** How other machines of the network find this one. */
import { hostname, networkInterfaces } from 'node:os';

export function machineNames(): { addresses: string[]; names: string[] } {
  const found = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const name = hostname().toLowerCase().replace(/\..*$/, '');
  return {
    addresses: found.filter(({ internal }) => !internal).map(({ address }) => address),
    names: [name, `${name}.local`],
  };
}
