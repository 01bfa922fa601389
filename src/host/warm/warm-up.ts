/**
 * One warm-up: what the next prompt of a session will begin with is evaluated as a raw prompt, a true prefix on every
 * kind of memory. Nobody reads what is generated: one token.
 */
import { asSent, type Lead } from '../loop/request/as-sent.ts';
import { settingOf } from '../loop/setting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ActiveProfile, Lease, ModelKnowledge, Setting } from '../loop/deps.ts';
import type { CacheTrackers } from '../models/cache-trackers.ts';
import type { KnownTemplates } from '../models/templates.ts';
import type { ModelInfo } from '../../protocol/model.ts';
import { sees } from '../prompt/attached.ts';
import { sameHead } from '../prompt/head.ts';
import type { TemplatePolicy } from '../prompt/template-policy.ts';
import {
  imagesOf,
  type ContextMessage,
  type HistoryPolicy,
  type PromptHead,
  type ReplyCounters,
} from '../providers/provider.ts';
import type { WarmKind } from './usefulness.ts';
import { keepsMark, nextTexts, warmPrefix } from './warm-prefix.ts';
import { isWorthIt, memoryFacts, type MemoryFacts } from './worth.ts';

interface WarmRequest {
  head: PromptHead;
  messages: readonly ContextMessage[];
  policy: HistoryPolicy;
  think: boolean | string | undefined;
}

/** As the engine counted; null = it did not say. */
type WarmCounters = Pick<ReplyCounters, 'promptTokens' | 'cachedTokens' | 'promptMs'>;

/** What goes over the wire, under a lease. Everything carries the load plan to the letter. */
export interface WarmWire {
  /** null = this engine knows no renders. */
  render(
    lease: Lease,
    request: WarmRequest,
    signal: AbortSignal,
  ): Promise<{ prompt: string } | { refused: string } | null>;
  evaluate(
    lease: Lease,
    prompt: string,
    sessionId: string | null,
    signal: AbortSignal,
  ): Promise<WarmCounters>;
  /** `model_info` of `/api/show`; undefined = it has none. */
  modelInfo(lease: Lease, signal: AbortSignal): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** What is warmed: a session as it stands, or the beginning that all sessions of a profile share. */
export interface Subject {
  /** Of the session, or of the profile. */
  id: string;
  /** Absent = it belongs to a profile. */
  sessionId?: string;
  active: ActiveProfile;
  messages: readonly ContextMessage[];
  /** Zone 2, as far as known: opens the first message. */
  opening: string;
}

/** null = there is nothing to evaluate: everything is kept, or the engine or its template does not render it. */
export type WarmOutcome = (WarmCounters & { prefix: string }) | null;

export type WarmUps = ReturnType<typeof createWarmUps>;

export interface WarmUpDeps {
  templates: KnownTemplates;
  wire: WarmWire;
  /** Each by the id of a session, or of a profile. */
  trackers: Pick<CacheTrackers, 'of'>;
  models: Pick<ModelKnowledge, 'holds' | 'mayTry'>;
  clock: Clock;
}

/** What a prompt says. The log is changed in place as it grows, and replaced where it is rewritten. */
export interface Said {
  head: PromptHead;
  think: ActiveProfile['think'];
  length: number;
  last: ContextMessage | undefined;
  opening: string;
}

export function saidBy({ active: { head, think }, messages, opening }: Subject): Said {
  return { head, think, length: messages.length, last: messages.at(-1), opening };
}

export function saysSame(one: Said, other: Said): boolean {
  return (
    isSameLog(one, other) &&
    sameHead(one.head, other.head) &&
    one.think === other.think &&
    one.opening === other.opening
  );
}

export function isSameLog(one: Pick<Said, 'length' | 'last'>, other: Pick<Said, 'length' | 'last'>): boolean {
  return one.length === other.length && one.last === other.last;
}

/** The prefix of a subject, as long as it says the same. */
interface Rendered extends Said {
  digest: string;
  /** As it was sent: what is learnt of a model may change it. */
  sent: { head: PromptHead; lead: Lead };
  prefix: string | null;
}

const isSameLead = (one: Lead, other: Lead): boolean =>
  one.isGuided === other.isGuided &&
  one.opensTurns === other.opensTurns &&
  one.mayUse === other.mayUse &&
  one.mayFind === other.mayFind;

export const kindOf = ({ messages }: Pick<Subject, 'messages'>): WarmKind =>
  messages.length === 0 ? 'head' : 'history';

export function createWarmUps({ templates, wire, trackers, models, clock }: WarmUpDeps) {
  const rendered = new Map<string, Rendered>();
  const facts = new Map<string, MemoryFacts>();

  const factsOf = async (lease: Lease, signal: AbortSignal): Promise<MemoryFacts> => {
    const { digest } = lease.model;
    const known = facts.get(digest) ?? memoryFacts(await wire.modelInfo(lease, signal));
    facts.set(digest, known);
    return known;
  };

  const prefixOf = async (
    subject: Subject,
    lease: Lease,
    policy: TemplatePolicy,
    signal: AbortSignal,
  ): Promise<string | null> => {
    const { digest } = lease.model;
    const said = saidBy(subject);
    const setting = settingOf({ active: subject.active, lease, policy }, models);
    const { isGuided, opensTurns, mayUse, mayFind } = setting;
    const sent = { head: setting.active.head, lead: { isGuided, opensTurns, mayUse, mayFind } };
    const known = rendered.get(subject.id);
    const isSent = known?.digest === digest && isSameLead(known.sent.lead, sent.lead);
    if (isSent && sameHead(known.sent.head, sent.head) && saysSame(known, said)) return known.prefix;
    const prompts: string[] = [];
    for (const text of nextTexts) {
      const request = toRequest(subject, setting, text);
      const render = await wire.render(lease, request, signal);
      if (render && 'prompt' in render) prompts.push(render.prompt);
    }
    const [one, other] = prompts;
    const mark = policy.beginOfText;
    const isAdded = !keepsMark(mark) && (await factsOf(lease, signal)).addsBeginOfText;
    const prefix =
      one === undefined || other === undefined ? null : warmPrefix(one, other, { mark, isAdded });
    rendered.set(subject.id, { ...said, digest, sent, prefix });
    return prefix;
  };

  /** Told to the ledger: the next request finds it, or reads it again. */
  const evaluate = async (
    subject: Subject,
    lease: Lease,
    policy: TemplatePolicy,
    prefix: string,
    signal: AbortSignal,
  ): Promise<WarmCounters> => {
    const { url, plan, model } = lease;
    const setting = settingOf({ active: subject.active, lease, policy }, models);
    const { head, think } = setting.active;
    const accounted = {
      url,
      plan,
      model: model.name,
      head,
      messages: asSent(subject.messages, model, setting),
      history: policy,
      think,
    };
    const account = trackers.of(subject.id);
    await account.know(lease, signal);
    const entry = account.sent(model, accounted, 'warm');
    const began = clock.monotonic();
    try {
      const counters = await wire.evaluate(lease, prefix, subject.sessionId ?? null, signal);
      entry.answered({ ...counters, outputTokens: null, outputMs: null, loadMs: null }, undefined, null);
      return counters;
    } catch (error) {
      const elapsedMs = clock.monotonic() - began;
      if (signal.aborted) entry.stopped({ slot: null, opened: false, outputTokens: 0, elapsedMs });
      else entry.failed();
      throw error;
    }
  };

  return {
    /** `always`: also where nothing is to be gained. Throws what the engine throws, or the signal's reason. */
    async run(subject: Subject, lease: Lease, always: boolean, signal: AbortSignal): Promise<WarmOutcome> {
      // A raw prompt has no pictures in it: it would be another one, and push the right one out.
      if (showsImages(subject, lease.model)) return null;
      const policy = await templates.policyOf(lease, signal);
      if (!always && kindOf(subject) === 'history') {
        const card = templates.cardOf(lease.model.digest);
        if (!isWorthIt(card, subject.active.think, await factsOf(lease, signal))) return null;
      }
      const prefix = await prefixOf(subject, lease, policy, signal);
      if (prefix === null) return null;
      return { ...(await evaluate(subject, lease, policy, prefix, signal)), prefix };
    },
    /** Of what is kept of this subject: nothing comes again of a session that is gone. */
    forget: (id: string): void => void rendered.delete(id),
  };
}

/** A model that does not see reads their names. */
export function showsImages({ messages }: Subject, model: ModelInfo): boolean {
  return sees(model) && messages.some((message) => imagesOf(message).length > 0);
}

function toRequest({ messages: log, opening }: Subject, setting: Setting, text: string): WarmRequest {
  const { active, lease, policy } = setting;
  const next: ContextMessage = { role: 'user', content: opening + text };
  const messages = [...log, next];
  return {
    head: active.head,
    messages: asSent(messages, lease.model, setting),
    policy,
    think: active.think,
  };
}
