/** Why a card asks, in words for the person. */
import type { AskReason } from '../../rules/approval.ts';
import type { HostReason } from '../../rules/asked-host.ts';
import type { Protection } from '../../rules/protected-paths.ts';
import type { UndoCoverage } from '../../protocol/changed-files.ts';
import type { ApprovalMode, Profile } from '../../protocol/model.ts';
import type { AuthorizeRequest } from '../loop/deps.ts';

interface Tainted {
  /** What the session has read that the person did not write, in words; null = nothing that matters here. */
  taint: string | null;
}

export function whyAsked(
  reason: AskReason,
  {
    need,
    refused,
    covered,
    ...facts
  }: Pick<AuthorizeRequest, 'need' | 'refused' | 'profile' | 'touched' | 'narrowedBy'> &
    Tainted & { covered?: UndoCoverage | undefined },
  mode: ApprovalMode | null,
): string {
  const { profile, touched, taint, narrowedBy } = facts;
  switch (reason) {
    case 'command':
      if (refused !== undefined) return `${refused} Outside the sandbox it can do all that you can.`;
      if (mode === 'autonomous' && need.sandboxed)
        return `${notCovered(covered)}, so the command asks. In the sandbox it ${reaches(need)}.`;
      return need.whyNotSandboxed ?? `In the sandbox it changes this folder alone, and ${reaches(need)}.`;
    case 'protected':
      return touched?.protection ? `${describe(touched.protection)} Andiron asks each time.` : '';
    case 'tainted':
      return asksAgain(taint);
    case 'unannounced':
      if (narrowedBy != null)
        return `The skill ${narrowedBy} lists the tools it needs. This is not one of them.`;
      return 'Andiron does not know this model well enough yet, so every change asks.';
    case 'policy':
      return `${whoAsks(profile, mode)} asks before ${askedBefore[mode ?? profile.approvals]}.`;
  }
}

export function whyHostAsked(
  reason: HostReason,
  { taint, profile, need }: Pick<AuthorizeRequest, 'profile' | 'need'> & Tainted,
  { isPrivate, mode }: { isPrivate: boolean; mode: ApprovalMode | null },
): string {
  const where = isPrivate ? 'This is in your own network. ' : '';
  switch (reason) {
    case 'policy':
      return `${where}${whoAsks(profile, mode)} asks before every tool, and before every host.`;
    case 'tainted':
      return `${where}${asksAgain(taint)}`;
    case 'host':
      return need.sandboxed
        ? `${where}In the sandbox a command reaches only hosts that you allow.`
        : `${where}Andiron reads from the web only where you allow it.`;
  }
}

/** Nothing about this one call makes it ask: every such call does. */
export const isUsual = (
  reason: AskReason,
  { need, refused }: Pick<AuthorizeRequest, 'need' | 'refused'>,
  mode: ApprovalMode | null,
): boolean =>
  reason === 'policy' ||
  (reason === 'command' && need.sandboxed && refused === undefined && mode !== 'autonomous');

const whoAsks = ({ name }: Profile, mode: ApprovalMode | null): string =>
  mode === null ? `The profile ${name}` : 'This session';

const notCovered = (coverage: UndoCoverage | undefined): string => {
  if (coverage?.kind !== 'covered') return 'Undo cannot cover this folder now';
  const { notKept } = coverage;
  return `Undo cannot keep ${notKept === 1 ? 'a file' : `${String(notKept)} files`} of this folder`;
};

/** In words that follow "this session has read". */
const asksAgain = (taint: string | null): string =>
  `Asks again because this session has read ${taint ?? ''}.`;

const reaches = ({ asksForHosts }: Pick<AuthorizeRequest['need'], 'asksForHosts'>): string =>
  asksForHosts ? 'asks before it reaches a host' : 'has no network';

const askedBefore: Record<ApprovalMode, string> = {
  ask: 'every tool',
  auto_read: 'changes',
  accept_edits: 'changes other than to files',
  plan_only: 'it carries out the plan',
  autonomous: 'changes outside the folder',
};

function describe(protection: Protection): string {
  if (protection.kind === 'closed') return 'No tool may open this.';
  const { what, name } = protection;
  switch (what) {
    case 'keys':
      return `${name} holds keys or passwords.`;
    case 'browser':
      return `${name} holds your browser or mail data.`;
    case 'start_up':
      return `${name} is read or run when you sign in or open a shell.`;
    case 'processes':
      return `${name} shows other programs and their keys.`;
    case 'hidden':
      return `${name} is hidden in a home folder, where programs keep settings and sign-ins.`;
    case 'name':
      return `Programs read or run ${name} without being told to.`;
    case 'kind':
      return `Programs may read or run ${name} without being told to.`;
    case 'executable':
      return `${name} is a program that can be run.`;
    case 'repository':
      return `Git takes ${name} for a repository, and runs what is set up in one.`;
    case 'linked':
      return `${name} is the same file as one in another place.`;
  }
}
