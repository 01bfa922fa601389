/** A host that a command wants to reach: what it is called in a question, and whether there has to be one. */
import type { ApprovalMode, HostScope } from '../protocol/model.ts';

/** Without a port where that is one of the web's; what is not the web's is named with it. */
export function hostName({ host, port }: { host: string; port: number }): string {
  if (port === 443 || port === 80) return host;
  return `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}

/** As a person may name one for good: of the web, by its name, and with a dot in it. */
export const isHostName = (name: string): boolean =>
  name.length <= 253 && /^(?=.*[a-z])[a-z\d-]+(?:\.[a-z\d-]+)+(?::\d{1,5})?$/.test(name);

/**
 * For how long it may be allowed beyond this command: what lies in the own network, never for a whole folder. Empty where
 * that would change nothing.
 */
export function hostScopes({ policy, isPrivate, allowed }: Omit<HostInput, 'isTainted'>): HostScope[] {
  if (policy === 'ask' || (allowed !== null && !(isPrivate && allowed === 'folder'))) return [];
  return isPrivate ? ['session'] : ['session', 'folder'];
}

export interface HostInput {
  policy: ApprovalMode;
  isPrivate: boolean;
  /** What the person allowed that holds here; null = nothing. */
  allowed: HostScope | null;
  /** The session has read from elsewhere than its folder and this host; false = they said yes to it in this turn. */
  isTainted: boolean;
}

export type HostReason = 'host' | 'tainted' | 'policy';

/** null = it need not ask. What was allowed was said before this session read what it has read. */
export function hostReason({ policy, isPrivate, allowed, isTainted }: HostInput): HostReason | null {
  if (policy === 'ask') return 'policy';
  if (allowed === null || (isPrivate && allowed === 'folder')) return 'host';
  return isTainted ? 'tainted' : null;
}
