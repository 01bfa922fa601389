/** One family's conversations on one simulated runner: what is injected, what the ledger says, what was true. */
import {
  createLedger,
  type Ledger,
  type LedgerRequest,
  type Settled,
} from '../../../src/host/prompt/ledger/ledger.ts';
import type { RunnerSlot } from '../../../src/protocol/engine-room.ts';
import type { TemplateCard } from '../../../src/host/prompt/card/card.ts';
import { probeTemplate } from '../../../src/host/prompt/card/probe-template.ts';
import { policyOf } from '../../../src/host/prompt/template-policy.ts';
import type { ContextMessage, PromptHead } from '../../../src/host/providers/provider.ts';
import { toWireMessages, toWireTools } from '../../../src/host/providers/wire.ts';
import type { FamilyName, Message, Tool } from '../../../src/sim/render/index.ts';
import { commonLength } from '../../../src/host/prompt/card/spelling.ts';
import { Chance } from '../prefix/chance.ts';
import {
  expectedOf,
  injections,
  thinks,
  unforeseeable,
  type Expected,
  type Injection,
  type Lay,
} from './causes.ts';
import {
  answers,
  asks,
  calls,
  makeHead,
  makeTool,
  resultOf,
  type Assistant,
  type Spoken,
} from './conversation.ts';
import { batch, BenchEngine, context, silence, type Truth } from './engine.ts';
import { commonOf, naturalCause, rereadOf, type Case, type Verdict } from './judge.ts';

interface Session {
  id: string;
  head: PromptHead;
  log: ContextMessage[];
  think: boolean | undefined;
  /** What the last request left, and how it was asked; null = none yet. */
  last: { truth: Truth; think: boolean | undefined; reply: Assistant | null } | null;
  steps: number;
}

const mostSteps = 9;
const tightTokens = 1500;

export class Lane {
  readonly cases: Case[] = [];
  readonly #chance: Chance;
  readonly #engine: BenchEngine;
  readonly #ledger: Ledger;
  readonly #lay: Lay;
  readonly #heads: PromptHead[];
  readonly #seen = new Set<string>();
  readonly #drawn: Injection[];
  #session: Session;
  #day = '2026-11-02';
  #requests = 0;
  #sessions = 0;

  private constructor(lay: Lay, engine: BenchEngine, chance: Chance) {
    this.#chance = chance;
    this.#engine = engine;
    this.#lay = lay;
    this.#ledger = createLedger({
      factsOf: () => ({
        ...{ memory: engine.model.memory, batch, context, card: lay.card },
        native: engine.model.path === 'native',
        besideTokens: lay.isTight ? tightTokens : null,
      }),
    });
    this.#heads = [makeHead(chance), makeHead(chance)];
    this.#drawn = injections.flatMap(([name, share, can]) =>
      can(lay) ? Array<Injection>(share).fill(name) : [],
    );
    this.#session = this.#fresh();
  }

  static async open(family: FamilyName, seed: number, isTight: boolean): Promise<Lane> {
    const chance = new Chance(seed);
    const engine = new BenchEngine(family, chance, isTight ? tightTokens : null);
    const card = await probe(engine);
    return new Lane({ model: engine.model, card, policy: policyOf(card), isTight }, engine, chance);
  }

  /** One request of the conversation, with or without something injected. */
  step(): void {
    if (this.#session.steps >= mostSteps) this.#session = this.#fresh();
    const session = this.#session;
    if (session.last === null) {
      this.#first(session);
      return;
    }
    const injection = this.#chance.below(100) < 62 ? this.#chance.pick(this.#drawn) : null;
    this.#continue(session, injection);
    const expected = this.#inject(session, injection);
    this.#ask(session, injection, expected);
    session.steps += 1;
    if (injection === 'cut by engine') session.steps = mostSteps;
  }

  #fresh(): Session {
    this.#sessions += 1;
    const head = { ...this.#chance.pick(this.#heads) };
    return { id: `s${this.#sessions}`, head, log: [], think: undefined, last: null, steps: 0 };
  }

  /** Most sessions begin with a warm head, as the app does it. */
  #first(session: Session): void {
    if (this.#chance.below(3) > 0) this.#warm(session);
    session.log.push(asks(this.#chance));
    this.#ask(session, null, null);
    session.steps += 1;
  }

  /** The reply that the last request got goes into the log, and what follows it. */
  #continue(session: Session, injection: Injection | null): void {
    const { last } = session;
    if (last?.reply == null) return;
    session.log.push(last.reply);
    if (last.reply.calls.length > 0) session.log.push(...resultOf(this.#chance, last.reply));
    else session.log.push(asks(this.#chance));
    // A turn that was stopped without a text.
    if (last.reply.calls.length > 0 && injection === 'new message')
      session.log.push(
        { role: 'assistant', content: 'Stopped.', thinking: '', calls: [] },
        asks(this.#chance),
      );
  }

  /** What the ledger is told, and what happens to the engine. null = whatever the template does by itself. */
  #inject(session: Session, injection: Injection | null): Expected | null {
    const { log } = session;
    const chance = this.#chance;
    if (injection !== null && this.#isHidden(session, injection)) return null;
    const expected = injection === null ? null : (expectedOf[injection] ?? null);
    if (injection === null && !this.#lay.isTight && chance.below(100) < 5) this.#visit();
    switch (injection) {
      case 'tool list':
        session.head = { ...session.head, tools: this.#otherTools(session.head.tools) };
        break;
      case 'system text':
        session.head = { ...session.head, system: this.#otherText(session.head.system) };
        break;
      case 'profile switch':
        session.head = makeHead(chance);
        this.#ledger.announce(session.id, { by: 'person', detail: 'You chose another profile.' });
        break;
      case 'think switch':
        session.think = session.think === false ? undefined : false;
        break;
      case 'compaction':
        session.log = [{ role: 'user', content: `Summary. ${chance.paragraph(70)}` }];
        this.#ledger.announce(session.id, { by: 'andiron', detail: 'The conversation was summarised.' });
        break;
      case 'quiet rewrite':
        this.#rewrite(log);
        break;
      case 'edit':
        this.#rewrite(log);
        this.#ledger.announce(session.id, { by: 'person', detail: 'You edited a message.' });
        break;
      case 'edit and cut':
        session.log = [asks(chance)];
        this.#ledger.announce(session.id, { by: 'person', detail: 'You edited the first message.' });
        break;
      case 'midnight':
        this.#day = this.#day === '2026-11-02' ? '2026-11-03' : '2026-11-02';
        break;
      case 'side call':
        this.#side(session);
        break;
      case 'evicted':
        this.#visit();
        break;
      case 'reload told': {
        const by = chance.pick(['andiron', 'engine', 'other_program', 'person'] as const);
        this.#engine.unload();
        this.#ledger.reloaded(this.#engine.model.name, { by, reason: 'The window grew.' });
        return { cause: 'reload', owner: by };
      }
      case 'reload untold':
      case 'lost in silence':
        this.#engine.unload();
        break;
      case 'other program':
        this.#foreign();
        this.#ledger.foreign(this.#engine.model.name);
        break;
      case 'other program seen':
        this.#ledger.saw(this.#engine.model.name, [this.#foreign()]);
        break;
      default:
    }
    return expected;
  }

  /** The template itself keeps all that was read and written. */
  #isClean(session: Session): boolean {
    const { last, log } = session;
    if (last === null) return false;
    const ids = this.#engine.idsOf(this.#engine.render(this.#wire(session, log)));
    return commonOf(last.truth.held, ids) >= last.truth.held.length - 2;
  }

  /** At a new user message the template changes more, and nearer to the start; and some need a longer log. */
  #isHidden(session: Session, injection: Injection): boolean {
    const { log } = session;
    const { card, policy } = this.#lay;
    const isNewTurn = log.at(-1)?.role === 'user';
    const { inLoop, afterNextUser } = card.thinking.byDefault;
    const rewrites =
      (inLoop === true && afterNextUser === false) ||
      (card.tools.place === 'last user message' && !policy.toolsInSystem);
    switch (injection) {
      case 'think switch':
        return isNewTurn && rewrites && card.thinking.switchAtUser !== 'head';
      case 'quiet rewrite':
      case 'edit':
        return log.length < 3 || (isNewTurn && rewrites);
      case 'side call':
        return !isNewTurn || !this.#isClean(session);
      case 'cut by engine':
        return log.findLastIndex(({ role }) => role === 'user') < 3 || !this.#isClean(session);
      case 'evicted':
      case 'other program':
      case 'other program seen':
        // It might find room beside the slot.
        return (session.last?.truth.held.length ?? 0) <= tightTokens || !this.#isClean(session);
      case 'lost in silence':
        return !this.#isClean(session);
      default:
        return false;
    }
  }

  #otherTools(tools: PromptHead['tools']): PromptHead['tools'] {
    const way = this.#chance.below(3);
    if (way === 0) return [...tools, makeTool(this.#chance)];
    const at = this.#chance.below(tools.length);
    if (way === 1 && tools.length > 3) return tools.filter((_, index) => index !== at);
    return tools.map((tool, index) =>
      index === at ? { ...tool, description: this.#otherText(tool.description) } : tool,
    );
  }

  #otherText(text: string): string {
    const at = this.#chance.below(Math.max(1, text.length - 20));
    return `${text.slice(0, at)}${this.#chance.word()} ${this.#chance.word()}${text.slice(at)}`;
  }

  /** An earlier message of a person or a tool changes, everything behind it stays. */
  #rewrite(log: ContextMessage[]): void {
    const places = log.flatMap(({ role }, at) => (role !== 'assistant' && at < log.length - 1 ? [at] : []));
    if (places.length === 0) return;
    const at = this.#chance.pick(places);
    const message = log[at];
    if (message && message.role !== 'assistant')
      log[at] = { ...message, content: this.#otherText(message.content) };
  }

  #request(session: Session, purpose: LedgerRequest['purpose'], messages: ContextMessage[]): LedgerRequest {
    const { id, head, think } = session;
    const { model } = this.#engine;
    return {
      session: id,
      model: model.name,
      purpose,
      head,
      messages,
      history: this.#lay.policy,
      think,
      day: this.#day,
    };
  }

  #wire(session: Session, messages: readonly ContextMessage[]) {
    const { policy } = this.#lay;
    return {
      // The wire's types are those of the client, the simulator's those of the server: the same bytes.
      messages: toWireMessages(session.head, messages, policy) as Message[],
      tools: toWireTools(session.head, policy) as Tool[],
      think: session.think,
      day: this.#day,
    };
  }

  #ask(session: Session, injection: Injection | null, expected: Expected | null): void {
    const messages = [...session.log];
    const spoken = this.#speak(session, this.#chance.below(100) < 30);
    const request = this.#request(session, 'main', messages);
    const prompt = this.#engine.render(this.#wire(session, messages));
    const isStopped = this.#chance.below(100) < 4 && injection === null && session.last !== null;
    if (isStopped) this.#stop(session, request, messages);
    const id = this.#id();
    const predicted = this.#ledger.sent(id, request);
    const cut = expected?.cause === 'window' ? this.#cut(session, messages) : prompt;
    const truth = this.#engine.ask(cut, spoken.script);
    const settled = this.#ledger.answered(id, this.#measured(truth, spoken.message, injection));
    this.#judge(session, truth, settled, { injection, expected, isStopped, predicted: predicted.cached });
    session.last = { truth, think: session.think, reply: spoken.message };
  }

  /** What the model writes next: mostly what the history will show as it was written. */
  #speak(session: Session, ends: boolean): Spoken {
    const lay = this.#lay;
    const voice = { thinks: thinks(lay) && session.think !== false, constrained: lay.policy.callsAsText };
    const next = this.#chance.below(100);
    if (ends) return answers(this.#chance, voice);
    const canWrite = (name: Injection): boolean => this.#drawn.includes(name);
    if (next < 8 && canWrite('text beside call'))
      return calls(this.#chance, session.head, voice, { textBesideCall: true });
    if (next < 20 && canWrite('odd arguments'))
      return calls(this.#chance, session.head, voice, { oddArguments: true });
    return calls(this.#chance, session.head, voice);
  }

  #measured(truth: Truth, reply: Assistant | undefined, injection: Injection | null) {
    const way = this.#chance.below(10);
    const counters = {
      promptTokens: truth.ids.length,
      cachedTokens: way < 8 ? truth.cached : null,
      outputTokens: truth.outputTokens,
      promptMs: truth.promptMs,
      outputMs: null,
      loadMs: injection === 'reload untold' ? 4000 : 12,
    };
    return { counters, reply, ...(way === 8 && { slot: slotOf(truth, true) }) };
  }

  #judge(session: Session, truth: Truth, settled: Settled, about: Verdict): void {
    const { last } = session;
    const reread = rereadOf(truth, this.#engine, this.#seen);
    if (last === null) return;
    const natural = naturalCause({
      ...{ lay: this.#lay, last, truth },
      common: commonOf(last.truth.held, truth.ids),
      isNewTurn: session.log.at(-1)?.role === 'user',
    });
    const expected = about.expected ?? natural;
    this.cases.push({
      ...{ ...about, expected, reread, cached: truth.cached, promptTokens: truth.ids.length },
      isForeseeable: about.injection === null || !unforeseeable.has(about.injection),
      family: this.#lay.model.family.name,
      reading: settled.reading,
    });
  }

  #stop(session: Session, request: LedgerRequest, messages: readonly ContextMessage[]): void {
    const id = this.#id();
    this.#ledger.sent(id, request);
    const prompt = this.#engine.render(this.#wire(session, messages));
    const truth = this.#engine.ask(prompt, silence(), 0.5);
    const slot = this.#chance.below(2) === 0 ? slotOf(truth, true) : null;
    this.#ledger.stopped(id, { slot, opened: false, outputTokens: 0, elapsedMs: truth.promptMs });
    rereadOf(truth, this.#engine, this.#seen);
    session.last = { truth, think: session.think, reply: null };
  }

  /** What the next prompts have in common, whatever the person says. */
  #warm(session: Session): void {
    const dummy = (content: string) =>
      this.#engine.render(this.#wire(session, [...session.log, { role: 'user', content }]));
    const [one, other] = [dummy('Apple pie.'), dummy('Zebra crossing.')];
    const text = one.text.slice(0, commonLength(one.text, other.text));
    const id = this.#id();
    this.#ledger.sent(id, this.#request(session, 'warm', [...session.log]));
    const truth = this.#engine.ask(this.#engine.raw(text), silence());
    this.#ledger.answered(id, this.#measured(truth, undefined, null));
    for (const piece of one.pieces) if (piece.kind !== 'markup') this.#seen.add(piece.text);
    session.last = session.last && { ...session.last, truth, reply: null };
  }

  /** An instruction behind the conversation, answered and forgotten. */
  #side(session: Session): void {
    const question: ContextMessage = { role: 'user', content: this.#chance.paragraph(60) };
    const last = session.log.at(-1);
    const messages: ContextMessage[] =
      last?.role === 'user'
        ? [...session.log.slice(0, -1), question]
        : [...session.log, { role: 'assistant', content: 'Done.', thinking: '', calls: [] }, question];
    const id = this.#id();
    this.#ledger.sent(id, this.#request(session, 'side', messages));
    const voice = { thinks: false, constrained: false };
    const spoken = answers(this.#chance, voice);
    const truth = this.#engine.ask(this.#engine.render(this.#wire(session, messages)), spoken.script);
    this.#ledger.answered(id, this.#measured(truth, spoken.message, null));
    rereadOf(truth, this.#engine, this.#seen);
  }

  /** Another conversation in between. */
  #visit(): void {
    const other = { ...this.#fresh(), head: makeHead(this.#chance) };
    other.log.push({ role: 'user', content: this.#chance.paragraph(700) });
    this.#ask(other, null, null);
  }

  #foreign(): RunnerSlot {
    const prompt = this.#engine.raw(this.#chance.paragraph(1500));
    return slotOf(this.#engine.ask(prompt, silence()), false);
  }

  /** The engine leaves out messages at the start, without a word. */
  #cut(session: Session, messages: readonly ContextMessage[]) {
    const kept = messages.slice(messages.findLastIndex(({ role }) => role === 'user'));
    return this.#engine.render(this.#wire(session, kept));
  }

  #id(): string {
    this.#requests += 1;
    return `r${this.#requests}`;
  }
}

function slotOf(truth: Truth, isProcessing: boolean): RunnerSlot {
  return {
    ...{ id: 0, taskId: 1, isProcessing, decodedTokens: 0 },
    promptTokens: truth.held.length,
    processedTokens: truth.evaluated - truth.cached,
    cachedTokens: isProcessing ? truth.cached : 0,
  };
}

async function probe(engine: BenchEngine): Promise<TemplateCard> {
  const card = await probeTemplate(async ({ messages, tools, think }) => {
    try {
      const asked = {
        messages: messages as readonly Message[],
        tools: tools as readonly Tool[],
        think,
        day: '2026-11-02',
      };
      return { prompt: engine.render(asked).text };
    } catch (error) {
      return { refused: String(error) };
    }
  }, new AbortController().signal);
  if (card === null) throw new Error(`${engine.model.name} gives no card.`);
  return card;
}
