/** What a name or an address of a host leads to, before anybody is asked or anything is connected. */
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** `own`: this very computer, or its neighbours' set-up services. `private`: the network that it is in. */
export type AddressKind = 'own' | 'private' | 'public';

/** Made when an address is looked at for the first time: no start waits for it. */
const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

const listOf = (subnets: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
};

/** RFC 6890: loopback, link-local (where clouds have their keys), unspecified, multicast and broadcast. */
const own = once(() =>
  listOf(['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/3', '::/127', 'fe80::/10', 'ff00::/8']),
);
/** RFC 6890, and addresses that have an IPv4 address within them (RFC 6052, 3056, 4380): they lead wherever that does. */
const inNetwork = once(() =>
  listOf([
    '10.0.0.0/8',
    '100.64.0.0/10',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    'fc00::/7',
    'fec0::/10',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '2001::/32',
    '2002::/16',
  ]),
);

/** @param address without brackets and zone; what is none is `own`, so that nothing is reached by it */
export function addressKind(address: string): AddressKind {
  const family = isIP(address);
  if (family === 0) return 'own';
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (own().check(address, type) || isOfThisComputer(address, type)) return 'own';
  return inNetwork().check(address, type) ? 'private' : 'public';
}

/** Read each time: networks come and go. Also where it stands in an address of the other kind. */
function isOfThisComputer(address: string, type: 'ipv4' | 'ipv6'): boolean {
  const list = new BlockList();
  for (const { address: mine, family } of Object.values(networkInterfaces()).flatMap((each) => each ?? []))
    list.addAddress(mine, family === 'IPv4' ? 'ipv4' : 'ipv6');
  return list.check(address, type);
}

export interface HostPort {
  /** As the URL standard writes it: lower case, ASCII, an address in its one spelling and without brackets. */
  host: string;
  port: number;
}

/** @param authority `host:port`, as it stands behind CONNECT; null = it names no host */
export function parseAuthority(authority: string): HostPort | null {
  const given = /^(?<host>\[[\da-fA-F:.]+\]|[^\s/?#@\\:[\]]+):(?<port>\d{1,5})$/.exec(authority)?.groups;
  const port = Number(given?.['port']);
  const name = given?.['host'] ?? '';
  if (name === '' || port < 1 || port > 65_535 || !URL.canParse(`http://${name}/`)) return null;
  const { hostname } = new URL(`http://${name}/`);
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return host === '' ? null : { host, port };
}
