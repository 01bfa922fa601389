/** Whether a call has to ask, and why: one order for every tool, mode and grant. */
import type { ApprovalMode, Grant, Risk } from '../protocol/model.ts';
import { grantFor, isGranted, type Touched } from './grants.ts';

export interface ApprovalInput {
  tool: string;
  risk: Risk;
  policy: ApprovalMode;
  /** null = it touches no files. */
  touched: Touched | null;
  /** It would carry text that the person did not write into later sessions or other rules. */
  isTainted: boolean;
  /** Its model makes no calls of its own that can be relied on, and did not say first what it would do. */
  isUnannounced: boolean;
  grants: readonly Grant[];
  /** It is kept in, and the person always allows it in this folder. */
  isRuled: boolean;
  /** It is kept in, and all that it can do to the folder can be taken back, as far as that was said. */
  isCovered: boolean;
}

/** Where a session only plans, what changes or runs anything is no question: it belongs into the plan. */
export const isOnlyPlanned = (policy: ApprovalMode, need: { risk: Risk; mutates: string }): boolean =>
  policy === 'plan_only' && (need.risk !== 'read' || need.mutates !== '');

/** The first that holds: only `policy` can be lifted by a grant. */
export type AskReason = 'command' | 'protected' | 'tainted' | 'unannounced' | 'policy';

/** null = it need not ask. What is closed to every tool was refused before. */
export function askReason(input: ApprovalInput): AskReason | null {
  const { tool, risk, policy, touched, isTainted, isUnannounced, grants } = input;
  if (risk === 'execute') {
    if (mayRun(input)) return null;
    return isUnannounced && policy === 'autonomous' ? 'unannounced' : 'command';
  }
  if (touched !== null && touched.protection !== null) return 'protected';
  if (isTainted) return 'tainted';
  if (isUnannounced && risk === 'write') return 'unannounced';
  if (risk === 'read' && policy !== 'ask') return null;
  // A file that can be taken back, in the session's folder.
  if (risk === 'write' && touched !== null && takesEdits(policy)) return null;
  return isGranted(grants, tool, touched) ? null : 'policy';
}

const takesEdits = (policy: ApprovalMode): boolean => policy === 'accept_edits' || policy === 'autonomous';

function mayRun(input: ApprovalInput): boolean {
  return mayBeRuled(input) && (input.isRuled || (input.policy === 'autonomous' && input.isCovered));
}

/** Nothing else makes a command ask: a profile that asks before all, or a model that nobody led to it. */
export const mayBeRuled = ({
  policy,
  isUnannounced,
}: Pick<ApprovalInput, 'policy' | 'isUnannounced'>): boolean => policy !== 'ask' && !isUnannounced;

/** What the person may allow for the session instead of once; null = nothing wider than this call. */
export function offeredGrant({ tool, touched }: ApprovalInput, reason: AskReason): Grant | null {
  return reason === 'policy' ? grantFor(tool, touched) : null;
}
