/** The gateway on the local network: TLS on every private address of this machine, as they come and go. */
import { once } from 'node:events';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { BlockList, isIPv6 } from 'node:net';
import type { Clock } from '../platform/clock.ts';
import { issueCertificate, type KeyedCertificate } from '../platform/tls-authority.ts';

/** What this machine is called at present. */
export interface MachineNames {
  /** Of all networks that it is in. */
  addresses: string[];
  names: string[];
}

export interface NetworkServersOptions {
  authority: KeyedCertificate;
  port: number;
  machine: () => MachineNames;
  limits: ServerOptions;
  /** Gives a server its work. */
  attach: (server: Server) => void;
  /** Gets every address at which programs reach it, at first and after each change. */
  onChange: (urls: string[]) => void;
  /** An address that cannot be served; the others are. */
  onError: (error: unknown) => void;
  clock: Clock;
}

export interface NetworkServers {
  /** What a program may write as its Host. */
  hosts(): string[];
  close(): Promise<void>;
}

/** A laptop changes its network; nobody waits for it to be noticed at once. */
const lookMs = 60_000;

/** Resolves when it listens at all private addresses that this machine has now. */
export async function openNetworkServers(options: NetworkServersOptions): Promise<NetworkServers> {
  const { authority, port, machine, limits, attach, onChange, onError, clock } = options;
  const servers = new Map<string, Server>();
  let names: string[] = [];

  const open = async (address: string): Promise<void> => {
    const { certificate, key } = await issueCertificate(
      authority,
      { addresses: [address], names },
      clock.now(),
    );
    const server = createServer({ ...limits, cert: certificate, key, minVersion: 'TLSv1.2' });
    attach(server);
    server.listen(port, address);
    try {
      await once(server, 'listening');
      servers.set(address, server);
    } catch (error) {
      onError(error);
    }
  };
  const look = async (): Promise<void> => {
    const now = machine();
    names = now.names;
    const wanted = now.addresses.filter(isPrivate);
    const gone = [...servers.keys()].filter((address) => !wanted.includes(address));
    const added = wanted.filter((address) => !servers.has(address));
    await Promise.all(gone.map((address) => end(servers, address)));
    await Promise.all(added.map(open));
    if (gone.length + added.length > 0)
      onChange([...servers.keys()].map((address) => `https://${inUrl(address)}:${String(port)}`));
  };

  let last = look();
  await last;
  const lookAgain = (): ReturnType<Clock['after']> =>
    clock.after(lookMs, () => {
      last = look().catch(onError);
      timer = lookAgain();
    });
  let timer = lookAgain();
  return {
    hosts: () => [...servers.keys(), ...names].map((name) => `${inUrl(name)}:${String(port)}`),
    async close() {
      timer.cancel();
      await last;
      await Promise.all([...servers.keys()].map((address) => end(servers, address)));
    },
  };
}

async function end(servers: Map<string, Server>, address: string): Promise<void> {
  const server = servers.get(address);
  if (!server) return;
  servers.delete(address);
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

const inUrl = (name: string): string => (isIPv6(name) ? `[${name}]` : name);

/** An address that the internet can reach is never served, whatever the router in front of it does. */
function isPrivate(address: string): boolean {
  return privateAddresses().check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function privateAddresses(): BlockList {
  const list = new BlockList();
  list.addSubnet('10.0.0.0', 8);
  list.addSubnet('172.16.0.0', 12);
  list.addSubnet('192.168.0.0', 16);
  // Of private networks that span several places.
  list.addSubnet('100.64.0.0', 10);
  list.addSubnet('127.0.0.0', 8);
  list.addSubnet('fc00::', 7, 'ipv6');
  return list;
}
