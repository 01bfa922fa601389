/** Why a card asks, in words for the person. */
import type { AskReason } from '../../rules/approval.ts';
import type { Protection } from '../../rules/protected-paths.ts';
import type { AuthorizeRequest } from '../loop/deps.ts';

export function whyAsked(
  reason: AskReason,
  { need, refused, ...facts }: Pick<AuthorizeRequest, 'need' | 'refused' | 'profile' | 'touched' | 'taint'>,
): string {
  const { profile, touched, taint } = facts;
  switch (reason) {
    case 'command':
      if (refused !== undefined) return `${refused} Outside the sandbox it can do all that you can.`;
      return need.whyNotSandboxed ?? 'In the sandbox it changes this folder alone, and has no network.';
    case 'protected':
      return touched?.protection ? `${describe(touched.protection)} Andiron asks each time.` : '';
    case 'tainted':
      return `This session has read ${taint ?? ''}, so the request may not come from you. Andiron asks each time.`;
    case 'unannounced':
      return 'Andiron does not know this model well enough yet, so every change asks.';
    case 'policy':
      return profile.approvals === 'ask'
        ? `The profile ${profile.name} asks before every tool.`
        : `The profile ${profile.name} asks before ${profile.approvals === 'auto_read' ? 'anything' : 'more than a file'} is changed.`;
  }
}

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
