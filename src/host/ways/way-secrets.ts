/** Secrets of ways in. */
import type { WayId } from '../../protocol/way-methods.ts';
import { createSecretFile, type SecretFile, type SecretFileDeps } from '../store/secret-file.ts';

export type WaySecretsDeps = SecretFileDeps;
export type WaySecrets = SecretFile<WayId>;

export const createWaySecrets = (deps: WaySecretsDeps): WaySecrets =>
  createSecretFile({ file: 'way-secrets.json', effect: 'no way in can be started' }, deps);
