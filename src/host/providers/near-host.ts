/**
 * Whether a model server is the person's own, on this computer or in its network: what it is asked costs time alone. A model
 * there is met like one of the engine's, while a service that sells its answers is never asked on Andiron's own account.
 */
import { isIP } from 'node:net';
import { addressKind } from '../../platform/sandbox/host-addresses.ts';
import type { HostConfig } from './host-kind.ts';

/** RFC 6761, 6762 and 8375, and what routers call their own network. */
const ownNetwork = /\.(?:localhost|local|home\.arpa|internal|lan|home|fritz\.box)$/;

export function isNearHost({
  url,
  prices,
}: Pick<HostConfig, 'url'> & Partial<Pick<HostConfig, 'prices'>>): boolean {
  if (prices !== undefined) return false;
  const { hostname } = new URL(url);
  const name = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(name) !== 0) return addressKind(name) !== 'public';
  // A name without a dot is known to this computer or its network alone.
  return !name.includes('.') || ownNetwork.test(name);
}
