/** Whether a call or a host has to be asked about, and what the person is asked. */
import type { Clock, NewId } from '../../platform/clock.ts';
import { unlessAborted } from '../../platform/event-loop.ts';
import type { UndoCoverage } from '../../protocol/changed-files.ts';
import type { FormQuestion } from '../../protocol/form-question.ts';
import type {
  Approval,
  ApprovalMode,
  CommandRule,
  ForeignQuote,
  Grant,
  ToolItem,
} from '../../protocol/model.ts';
import {
  askReason,
  farEffectOf,
  mayBeRuled,
  offeredGrant,
  type ApprovalInput,
  type AskReason,
  type FarEffect,
} from '../../rules/approval.ts';
import { hostReason, hostScopes } from '../../rules/asked-host.ts';
import { coversCommand, offeredRules } from '../../rules/command-rule.ts';
import { shownFolder } from '../../rules/grants.ts';
import type { LookedFor } from '../../rules/shared-text.ts';
import { coversAll } from '../../rules/undo-coverage.ts';
import { visibleText } from '../../rules/visible-text/visible-text.ts';
import type { AskedHost, AuthorizeRequest } from '../loop/deps.ts';
import type { ApprovalNeed } from '../tools/tool.ts';
import { isUsual, whyAsked, whyHostAsked } from './approval-words.ts';
import type { Confirmed } from './confirmed.ts';
import { findQuote } from './find-quote.ts';
import type { CommandRules, HostRules } from './kept-rules.ts';
import { wordsOfSource } from './text-sources.ts';

export interface QuestionDeps {
  workspace: () => { chosen: string; real: string };
  clock: Clock;
  newId: NewId;
  rules: CommandRules;
  hosts: HostRules;
  mode: () => ApprovalMode | null;
  granted: readonly Grant[];
  confirmed: Confirmed;
}

export interface AskedQuestion {
  approval: Approval;
  /** What a yes holds for until the turn ends; null = it is for this call alone. */
  effect: FarEffect | null;
}

/** A request with what it does far off. `taint`: in words, as far as that makes it ask; null = it does not. */
interface Weighed {
  request: AuthorizeRequest;
  effect: FarEffect | null;
  taint: string | null;
}

/** null = it may run without one. Rejects with the signal's reason. */
export async function questionFor(
  request: AuthorizeRequest,
  deps: QuestionDeps,
  signal: AbortSignal,
): Promise<AskedQuestion | null> {
  const weighed = weigh(request, deps);
  const approval = request.host
    ? await hostQuestion(weighed, request.host, deps, signal)
    : await callQuestion(weighed, deps, signal);
  return approval && { approval, effect: weighed.effect };
}

function weigh(
  request: AuthorizeRequest,
  { workspace, confirmed }: Pick<QuestionDeps, 'workspace' | 'confirmed'>,
): Weighed {
  const { item, host, need, touched, profile } = request;
  const effect = host
    ? ({ kind: 'host', target: host.name } as const)
    : farEffectOf(need, touched, workspace().real);
  // The profile in force changes nothing.
  if (effect === null || (effect.kind === 'profile' && effect.target === profile.id))
    return { request, effect: null, taint: null };
  if (confirmed.has(item.turnId, effect)) return { request, effect, taint: null };
  const { taint, elsewhere } = request.reads;
  return { request, effect, taint: host && elsewhere ? elsewhere(host.name) : taint() };
}

async function callQuestion(
  weighed: Weighed,
  deps: QuestionDeps,
  signal: AbortSignal,
): Promise<Approval | null> {
  // Each host that it reads from is a question of its own.
  const { risk, asksForHosts } = weighed.request.need;
  if (risk === 'read' && asksForHosts) return null;
  const { reason, rule, undo } = await judge(weighed, deps, signal);
  if (reason !== null) {
    const quote = await quoteFor(weighed, deps.clock, signal);
    return questionOf(weighed, { reason, undo }, quote, deps);
  }
  if (rule) deps.rules.used(rule.id);
  return null;
}

/** Only of what has an effect far off, and of commands: a path in the folder stands in many texts. */
async function quoteFor(
  { request, effect }: Weighed,
  clock: Clock,
  signal: AbortSignal,
): Promise<ForeignQuote | null> {
  const { need, reads } = request;
  if (effect === null && need.risk !== 'execute') return null;
  return findQuote(lookedFor(request, effect), reads, clock, signal);
}

function lookedFor({ item, need, host }: AuthorizeRequest, effect: FarEffect | null): LookedFor {
  if (host) return { name: host.name, words: item.subject };
  const words = need.editable?.text ?? effect?.target ?? need.summary;
  return { name: effect?.kind === 'profile' ? effect.target : null, words };
}

/** The text that was found is named before the newest one. */
const wordsOf = (quote: ForeignQuote | null, taint: string | null): string | null =>
  quote && taint !== null ? wordsOfSource(quote.source) : taint;

/** Whether it has to ask, and what undo covers, where that was looked at. Rejects with the signal's reason. */
async function judge(
  weighed: Weighed,
  deps: Pick<QuestionDeps, 'rules' | 'workspace' | 'mode' | 'granted'>,
  signal: AbortSignal,
) {
  const { request } = weighed;
  const look = async () => request.undo && (await unlessAborted(request.undo(), signal));
  const rule = ruleFor(request, deps);
  const policy = policyOf(request, deps);
  const isAlone = policy === 'autonomous' && keptCommand(request) !== null;
  const seen = isAlone ? await look() : undefined;
  const isCovered = seen !== undefined && coversAll(seen);
  const reason = askReason({
    ...inputOf(weighed, deps.granted, policy),
    isRuled: rule !== undefined,
    isCovered,
  });
  return { reason, rule, undo: seen ?? (reason === null ? undefined : await look()) };
}

/** What the person chose for this session comes before what its profile, or that of a subagent, has. */
export const policyOf = (
  { profile }: Pick<AuthorizeRequest, 'profile'>,
  { mode }: Pick<QuestionDeps, 'mode'>,
): ApprovalMode => mode() ?? profile.approvals;

/** The command where it is kept in; a rule is for nothing else. */
const keptCommand = ({ need, refused }: Pick<AuthorizeRequest, 'need' | 'refused'>): string | null =>
  need.risk === 'execute' && need.sandboxed && refused === undefined ? (need.editable?.text ?? null) : null;

function ruleFor(request: AuthorizeRequest, { rules, workspace }: Pick<QuestionDeps, 'rules' | 'workspace'>) {
  const command = keptCommand(request);
  if (command === null) return undefined;
  return rules.of(workspace().real).find((rule) => coversCommand(rule, command));
}

/** What may always be allowed instead of this command; empty where it would ask all the same. */
function rulesFor(request: AuthorizeRequest, policy: ApprovalMode): CommandRule[] {
  const command = keptCommand(request);
  if (command === null || !mayBeRuled({ policy, isUnannounced: isLimited(request) })) return [];
  return offeredRules(command);
}

/** Whatever was allowed before, a change asks. */
const isLimited = ({ isUnannounced, narrowedBy }: AuthorizeRequest): boolean =>
  isUnannounced || narrowedBy != null;

function inputOf({ request, taint }: Weighed, grants: readonly Grant[], policy: ApprovalMode): ApprovalInput {
  const { item, need, touched } = request;
  return {
    tool: item.tool,
    risk: need.risk,
    policy,
    touched,
    isTainted: taint !== null,
    isUnannounced: isLimited(request),
    grants,
    isRuled: false,
    isCovered: false,
  };
}

/** null = it may be reached without one. */
async function hostQuestion(
  weighed: Weighed,
  { name, isPrivate }: AskedHost,
  deps: Pick<QuestionDeps, 'workspace' | 'newId' | 'clock' | 'mode' | 'hosts'>,
  signal: AbortSignal,
): Promise<Approval | null> {
  const { request, taint } = weighed;
  const { workspace, newId, clock, hosts } = deps;
  const { chosen, real } = workspace();
  const rules = hosts.of(real).filter(({ host }) => host === name);
  const rule = rules.find(({ sessionId }) => sessionId !== null) ?? rules[0];
  const allowed = rule ? (rule.sessionId === null ? 'folder' : 'session') : null;
  const policy = policyOf(request, deps);
  const reason = hostReason({ policy, isPrivate, allowed, isTainted: taint !== null });
  if (reason === null) {
    if (rule) hosts.used(rule.id);
    return null;
  }
  const { item, need, profile } = request;
  const quote = await quoteFor(weighed, clock, signal);
  return {
    id: newId('ask_'),
    tool: item.tool,
    ...askedOf(need),
    why: whyHostAsked(
      reason,
      { taint: wordsOf(quote, taint), profile, need },
      { isPrivate, mode: deps.mode() },
    ),
    reason,
    ...(reason !== 'tainted' && !isPrivate && { isUsual: true }),
    where: chosen,
    host: { name, isPrivate, scopes: hostScopes({ policy, isPrivate, allowed }) },
    ...(quote && { quote }),
    ...(reason === 'tainted' && { untilTurnEnds: true }),
    requestedAt: clock.now(),
  };
}

/** What the person is asked, and which answers are offered. */
function questionOf(
  weighed: Weighed,
  { reason, undo }: { reason: AskReason; undo: UndoCoverage | undefined },
  quote: ForeignQuote | null,
  deps: Pick<QuestionDeps, 'workspace' | 'newId' | 'clock' | 'mode' | 'granted'>,
): Approval {
  const { request, taint } = weighed;
  const { workspace, newId, clock, granted } = deps;
  const policy = policyOf(request, deps);
  const { item, need, editable } = request;
  const { chosen, real } = workspace();
  const input = inputOf(weighed, granted, policy);
  const onlyTainted = askReason({ ...input, isTainted: false }) === null;
  const grant = need.scopes.includes('session') ? offeredGrant(input, reason) : null;
  const rules = rulesFor(request, policy);
  const shown = grant?.folder == null ? '' : visibleText(shownFolder(real, grant.folder));
  return {
    id: newId('ask_'),
    tool: item.tool,
    ...askedOf(need),
    // It reaches into later sessions, whatever it is for the computer.
    ...(reason === 'tainted' && need.risk === 'read' && { risk: 'write' }),
    scopes: grant ? ['once', 'session'] : ['once'],
    ...(grant && { grant: { ...grant, shown } }),
    ...(rules.length > 0 && { rules }),
    why: whyAsked(reason, { ...request, taint: wordsOf(quote, taint), covered: undo }, deps.mode()),
    reason: reason === 'unannounced' && request.narrowedBy != null ? 'skill' : reason,
    ...(isUsual(reason, request, deps.mode()) && { isUsual: true }),
    where: chosen,
    ...(need.risk === 'execute' && need.sandboxed && { network: need.asksForHosts ? 'asks' : 'none' }),
    ...(quote && { quote }),
    ...(undo && { undo }),
    ...(reason === 'tainted' && onlyTainted && { untilTurnEnds: true }),
    ...(editable && { editable: { argument: editable.argument, text: editable.text } }),
    requestedAt: clock.now(),
  };
}

/** Whatever mode or rule there is: nobody but the person knows what to fill in. */
export function formApproval(
  { tool }: ToolItem,
  form: FormQuestion,
  { workspace, newId, clock }: Pick<QuestionDeps, 'workspace' | 'newId' | 'clock'>,
): Approval {
  return {
    id: newId('ask_'),
    tool,
    risk: 'network',
    summary: `${form.server}: ${form.message}`,
    mutates: '',
    why: '',
    where: workspace().chosen,
    sandboxed: false,
    scopes: ['once'],
    form,
    requestedAt: clock.now(),
  };
}

export function askedOf({ risk, summary, mutates, sandboxed, scopes }: ApprovalNeed) {
  return { risk, summary, mutates, sandboxed, scopes };
}
