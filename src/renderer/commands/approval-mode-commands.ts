import type { ApprovalMode } from '../../protocol/model.ts';
import { approvalsAfter, offeredApprovals } from '../stores/approval-modes.ts';
import { currentTarget } from '../stores/derive.ts';
import type { Stores } from '../stores/stores.ts';
import { command, type HostConnection } from './command.ts';

/** What the open session, or the one about to be made, may do without asking. */
export function createApprovalModeCommands(host: HostConnection, { ui, session, host: known }: Stores) {
  const choose = async (approvals: ApprovalMode | null): Promise<void> => {
    const sessionId = ui.getState().openSessionId;
    if (sessionId !== null) await host.call('session/update', { sessionId, approvals });
    else ui.setState(({ newSession }) => ({ newSession: { ...newSession, approvals } }));
  };

  return {
    /** null = as its profile has it. */
    'session/set-approvals': command<{ approvals: ApprovalMode | null }>({
      run: ({ approvals }) => choose(approvals),
    }),
    /** The next one of them, and from the last one back to the first. */
    'session/next-approvals': command({
      keys: 'Alt+P',
      run: async () => {
        const { profile, chosenApprovals } = currentTarget(
          known.getState(),
          ui.getState(),
          session.getState().state?.session,
        );
        if (!profile) return;
        const offered = offeredApprovals(known.getState().defaults?.isSandboxed ?? false);
        const next = approvalsAfter(chosenApprovals ?? profile.approvals, offered);
        await choose(next).catch(async (error: unknown) => {
          // Where it may not work alone, the round goes on with what asks most.
          if (next === 'autonomous') await choose('ask');
          throw error;
        });
      },
    }),
  };
}
