/** What an address leads to: the internet, the person's own network or computer, or nothing that a page lies at. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { addressKind } from '../../platform/sandbox/host-addresses.ts';

/** `closed`: reached by nobody, whatever the person says. */
export type AddressClass = 'public' | 'private' | 'closed';

const privateRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/**
 * @param address without brackets; what is none is `closed`
 * @param kindOf what this computer says of it
 */
export function addressClass(address: string, kindOf = addressKind): AddressClass {
  // ipaddr.js alone reads 1.2.3 as an address as well.
  if (isIP(address) === 0 || !ipaddr.isValid(address)) return 'closed';
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (privateRanges.has(range)) return 'private';
  if (range !== 'unicast' || carriesAddress(parsed)) return 'closed';
  // An address of this computer, by which its own services can be reached.
  return kindOf(address) === 'own' ? 'private' : 'public';
}

/** Addresses that have an IPv4 address within them and read as any other: RFC 4291 (2.5.5.1) and 5214. */
function carriesAddress(parsed: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (!('parts' in parsed)) return false;
  const { parts } = parsed;
  const isCompatible = parts.slice(0, 6).every((part) => part === 0);
  const isIsatap = ((parts[4] ?? 0) & 0xfd_ff) === 0 && parts[5] === 0x5e_fe;
  return isCompatible || isIsatap;
}
