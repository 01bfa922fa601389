/** A question of Andiron as an editor asks it, and its answer. */
import type { PermissionOption } from '@agentclientprotocol/sdk';
import type { Approval, CommandRule, HostScope } from '../protocol/model.ts';

export type ApprovalAnswer =
  { decision: 'deny' } | { decision: 'allow'; scope?: 'session'; rule?: CommandRule; hostScope?: HostScope };

interface Choice {
  option: PermissionOption;
  answer: ApprovalAnswer;
}

type Lasting = Omit<Extract<ApprovalAnswer, { decision: 'allow' }>, 'decision'>;

const always = (optionId: string, name: string, answer: Lasting): Choice => ({
  option: { optionId, name, kind: 'allow_always' },
  answer: { decision: 'allow', ...answer },
});

const decline: Choice = {
  option: { optionId: 'decline', name: 'Decline', kind: 'reject_once' },
  answer: { decision: 'deny' },
};

/** What may be answered, the narrowest first. */
export function permissionChoices({ scopes, grant, rules = [], host, form }: Approval): Choice[] {
  // An editor has no way to fill in a form.
  if (form) return [decline];
  const choices: Choice[] = [
    { option: { optionId: 'once', name: 'Allow once', kind: 'allow_once' }, answer: { decision: 'allow' } },
  ];
  if (scopes.includes('session')) {
    const where = grant ? ` (${grant.tool}${grant.shown === '' ? '' : ` in ${grant.shown}`})` : '';
    choices.push(always('session', `Allow for this session${where}`, { scope: 'session' }));
  }
  for (const [index, rule] of rules.entries()) {
    const words = `${rule.words.join(' ')}${rule.isExact ? '' : ' …'}`;
    choices.push(always(`rule-${String(index)}`, `Always allow "${words}" in this folder`, { rule }));
  }
  for (const scope of host?.scopes ?? []) {
    const where = scope === 'session' ? 'for this session' : 'in this folder';
    choices.push(
      always(`host-${scope}`, `Allow ${host?.name ?? 'this host'} ${where}`, { hostScope: scope }),
    );
  }
  choices.push(decline);
  return choices;
}

/** An option that was not offered is a no. */
export function answerTo(optionId: string, choices: readonly Choice[]): ApprovalAnswer {
  return choices.find(({ option }) => option.optionId === optionId)?.answer ?? { decision: 'deny' };
}
