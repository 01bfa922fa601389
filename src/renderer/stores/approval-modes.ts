/** What a session may do without asking, from what asks most to what asks least. Pure. */
import type { ApprovalMode } from '../../protocol/model.ts';

const modes: readonly ApprovalMode[] = ['ask', 'auto_read', 'accept_edits', 'plan_only', 'autonomous'];

/** Nothing works alone where commands are not kept in. */
export const offeredApprovals = (isSandboxed: boolean): readonly ApprovalMode[] =>
  isSandboxed ? modes : modes.filter((mode) => mode !== 'autonomous');

/** The next one; after the last the first. */
export function approvalsAfter(mode: ApprovalMode, offered: readonly ApprovalMode[]): ApprovalMode {
  return offered[(offered.indexOf(mode) + 1) % offered.length] ?? mode;
}
