/** Whether a call has to ask, and why: one order for every tool, mode and grant. */
import type { ApprovalMode, ApprovalPolicy, Grant, Risk } from '../protocol/model.ts';
import { grantFor, isGranted, type Touched } from './grants.ts';
import { isBeneath } from './path-names.ts';

/**
 * What a call does beyond the session's folder and its commands in the sandbox: it asks again in each turn, whatever was
 * allowed, once the session has read what the person did not write.
 */
export interface FarEffect {
  /** `service`: anything that is sent elsewhere. `outside`: files outside of the folder. */
  kind: 'host' | 'service' | 'outside' | 'memory' | 'profile' | 'schedule';
  /** The host, path, command, profile or text that it is about: a yes holds for just this. */
  target: string;
}

interface CallNeed {
  risk: Risk;
  summary: string;
  sandboxed: boolean;
  /** As the tool says it. */
  farEffect?: FarEffect | undefined;
}

/**
 * A tool that says nothing of it is judged by its risk and by the file that it opens, so no tool is left out for want of a
 * word. null = all of it stays in the folder.
 * @param workspace its real path
 */
export function farEffectOf(need: CallNeed, touched: Touched | null, workspace: string): FarEffect | null {
  const { risk, summary, sandboxed, farEffect } = need;
  if (farEffect) return farEffect;
  if (risk === 'network') return { kind: 'service', target: summary };
  if (risk === 'execute' && !sandboxed) return { kind: 'outside', target: summary };
  if (risk === 'write' && touched !== null && !isBeneath(workspace, touched.path))
    return { kind: 'outside', target: touched.path };
  return null;
}

export interface ApprovalInput {
  tool: string;
  risk: Risk;
  policy: ApprovalMode;
  /** null = it touches no files. */
  touched: Touched | null;
  /** It has an effect far off, and the session has read what the person did not write; false = they said yes in this turn. */
  isTainted: boolean;
  /** Its model makes no calls of its own that can be relied on, and did not say first what it would do. */
  isUnannounced: boolean;
  grants: readonly Grant[];
  /** It is kept in, and the person always allows it in this folder. */
  isRuled: boolean;
  /** It is kept in, and all that it can do to the folder can be taken back, as far as that was said. */
  isCovered: boolean;
}

const strictness: Record<ApprovalPolicy, number> = { ask: 2, auto_read: 1, accept_edits: 0 };

/** The one that asks for more. */
export const stricterPolicy = (one: ApprovalPolicy, other: ApprovalPolicy): ApprovalPolicy =>
  strictness[one] >= strictness[other] ? one : other;

/** Where a session only plans, what changes or runs anything is no question: it belongs into the plan. */
export const isOnlyPlanned = (policy: ApprovalMode, need: { risk: Risk; mutates: string }): boolean =>
  policy === 'plan_only' && (need.risk !== 'read' || need.mutates !== '');

/** The first that holds: only `policy` can be lifted by a grant. */
export type AskReason = 'command' | 'protected' | 'tainted' | 'unannounced' | 'policy';

/** null = it need not ask. What is closed to every tool was refused before. */
export function askReason(input: ApprovalInput): AskReason | null {
  const { tool, risk, policy, touched, isTainted, isUnannounced, grants } = input;
  if (risk === 'execute') {
    if (mayRun(input)) return isTainted ? 'tainted' : null;
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
