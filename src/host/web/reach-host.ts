/**
 * Which addresses of a host may be connected to. Nothing is looked up before the person lets the host be reached, and what
 * was looked up then is all that is connected to.
 */
import { lookup } from 'node:dns/promises';
import { unlessAborted } from '../../platform/event-loop.ts';
import { hostName } from '../../rules/asked-host.ts';
import { ToolFailure, type Reach } from '../tools/tool.ts';
import { addressClass, type AddressClass } from './address-class.ts';
import type { PageAddress } from './page-address.ts';

export interface HostGuard {
  /** All addresses of a name; the system's unless given. */
  resolve?: ((host: string) => Promise<readonly string[]>) | undefined;
  /** Only tests have public servers on this computer. */
  classOf?: ((address: string) => AddressClass) | undefined;
}

export interface ReachWay {
  /** undefined = there is nobody to ask, so nothing is reached. */
  reach: Reach | undefined;
  signal: AbortSignal;
  /** A page of the internet leads there: no yes covers what lies in the person's own network. */
  isLed?: boolean;
}

export interface ReachedHost {
  addresses: readonly string[];
  isPrivate: boolean;
}

/** Rejects with ToolFailure, or with the signal's reason. */
export async function reachHost(
  address: PageAddress,
  way: ReachWay,
  { resolve = resolveBySystem, classOf = addressClass }: HostGuard,
): Promise<ReachedHost> {
  const { host, port, isLiteral, isLocalName } = address;
  const { isLed = false } = way;
  const ask = (name: string, isPrivate: boolean): Promise<void> => {
    if (isPrivate && isLed) throw leadsInside(hostName({ host: name, port }));
    return mustBeAllowed({ host: name, port, isPrivate }, way);
  };
  if (isLiteral) {
    const kind = classOf(host);
    if (kind === 'closed') throw noPage(host);
    await ask(host, kind === 'private');
    return { addresses: [host], isPrivate: kind === 'private' };
  }
  await ask(host, isLocalName);
  const found = await unlessAborted(
    resolve(host).catch(() => []),
    way.signal,
  );
  if (found.length === 0)
    throw new ToolFailure(`There is no host ${host}.`, { advice: 'Check its name, or try another source.' });
  const kinds = new Map(found.map((each) => [each, classOf(each)]));
  // A network of IPv6 alone names an address of its own beside each one of IPv4 (RFC 6147).
  const addresses = found.filter((each) => kinds.get(each) !== 'closed');
  if (addresses.length === 0) throw noPage(host);
  const inside = addresses.filter((each) => kinds.get(each) === 'private');
  // Behind a public name may lie what is nobody's business outside: that is a question of its own, about the address.
  if (!isLocalName) for (const each of inside) await ask(each, true);
  return { addresses, isPrivate: inside.length > 0 };
}

async function mustBeAllowed(wanted: Parameters<Reach>[0], { reach, signal }: ReachWay): Promise<void> {
  const name = hostName(wanted);
  if (!reach) throw new ToolFailure(`Nobody can be asked whether ${name} may be reached.`);
  const { isAllowed, reply } = await reach(wanted);
  signal.throwIfAborted();
  if (isAllowed) return;
  const said = reply === undefined ? '' : ` They say: ${reply}`;
  throw new ToolFailure(`The person did not let it reach ${name}.${said}`, {
    advice: 'Do not repeat it; go on without it, or ask what they want instead.',
  });
}

const noPage = (host: string): ToolFailure =>
  new ToolFailure(`${host} leads to an address that no page is read from.`, {
    advice: 'Do not repeat it; try another source.',
  });

const leadsInside = (name: string): ToolFailure =>
  new ToolFailure(`The page leads to ${name}, in the person's own network, which is not followed.`, {
    advice: 'Do not repeat it; try another source.',
  });

const resolveBySystem = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);
