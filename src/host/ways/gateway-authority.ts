/** Who signs the gateway's certificates: made once, its key kept as the secrets of ways in are, its certificate for everybody. */
import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Files } from '../../platform/files.ts';
import type { KeyedCertificate } from '../../platform/tls-authority.ts';
import { gatewayWay } from '../../protocol/way-methods.ts';
import { parseJson } from '../../protocol/json.ts';
import type { WaySecrets } from './way-secrets.ts';

export interface GatewayAuthorityDeps {
  secrets: Pick<WaySecrets, 'get' | 'set'>;
  files: Pick<Files, 'writeAtomic'>;
  dataDir: string;
  clock: Pick<Clock, 'now'>;
}

export interface GatewayAuthority {
  /** Where its certificate lies for the programs of other devices. */
  path: string;
  /** Rejects with AndironError where the keychain does not give it. */
  get(): Promise<KeyedCertificate>;
}

const keptSchema = z.object({ certificate: z.string(), key: z.string() });
/** What it signs must not outlive it. */
const minLeftMs = 400 * 24 * 60 * 60 * 1000;

export function createGatewayAuthority(deps: GatewayAuthorityDeps): GatewayAuthority {
  const { secrets, files, dataDir, clock } = deps;
  const path = join(dataDir, 'gateway-ca.pem');

  const kept = async (): Promise<KeyedCertificate | null> => {
    const text = await secrets.get(gatewayWay);
    const found = text === null ? null : keptSchema.parse(parseJson(text));
    const isGood = found && minLeftMs < validUntil(found) - clock.now();
    return isGood ? found : null;
  };
  const make = async (): Promise<KeyedCertificate> => {
    // Hardly anybody opens the gateway to others, and a host starts without its code.
    const { createAuthority } = await import('../../platform/tls-authority.ts');
    const made = await createAuthority(clock.now());
    await secrets.set(gatewayWay, JSON.stringify(made));
    return made;
  };
  return {
    path,
    async get() {
      const authority = (await kept()) ?? (await make());
      await files.writeAtomic(path, authority.certificate);
      return authority;
    },
  };
}

const validUntil = ({ certificate }: KeyedCertificate): number =>
  Date.parse(new X509Certificate(certificate).validTo);
