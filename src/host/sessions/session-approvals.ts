/** What may be done in one session: asked of whoever it belongs to, and recorded with it. */
import type { SessionSummary } from '../../protocol/model.ts';
import { apiPlatform, ownPlatforms, windowPlatform } from '../../protocol/principal.ts';
import { createApprovals, type Approvals } from '../approvals/approvals.ts';
import type { SessionDeps } from './session-deps.ts';

/** For the owner to answer a question of somebody who writes on another platform. */
export const maxApprovalMs = 10 * 60 * 1000;

interface AskedSession {
  summary: () => SessionSummary;
  workspaceReal: () => string;
  /** Somebody else than before may have written what it works on. */
  isShared: () => boolean;
  /** A question was asked or answered. */
  onChange: () => void;
}

type ApprovalParts = Pick<SessionDeps, 'store' | 'clock' | 'newId' | 'rules' | 'onGrants'>;

export function sessionApprovals(
  id: string,
  { store, clock, newId, rules, onGrants }: ApprovalParts,
  { summary, workspaceReal, isShared, onChange }: AskedSession,
): Approvals {
  const platform = (): string => summary().place?.platform ?? windowPlatform;
  return createApprovals({
    workspace: () => ({ chosen: summary().workspace, real: workspaceReal() }),
    clock,
    newId,
    granted: store.sessionGrants(id),
    onAnswer: (answer) => {
      store.recordApproval(id, { ...answer, at: clock.now() });
      if (answer.scope === 'session') onGrants();
    },
    onRevoke: (grant) => {
      store.revokeGrant(id, grant);
      onGrants();
    },
    rules: rules.commandsOf(id),
    hosts: rules.hostsOf(id),
    mode: () => summary().approvals ?? null,
    isShared,
    // A program cannot answer for a person.
    canAsk: () => summary().place?.platform !== apiPlatform,
    isOwnersOwn: () => platform() === windowPlatform,
    // Somebody waits elsewhere, who cannot see that the owner is away.
    maxWaitMs: () => (ownPlatforms.has(platform()) ? null : maxApprovalMs),
    onChange,
  });
}
