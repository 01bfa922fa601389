/** One family's conversations on one simulated runner: what is injected, what the ledger says, what was true. */
import type { Settled } from '../../../src/host/prompt/ledger/ledger.ts';
import type { ContextMessage, PromptHead } from '../../../src/host/providers/provider.ts';
import type { Chance } from '../prefix/chance.ts';
import {
  expectedOf,
  injections,
  thinks,
  unforeseeable,
  type Expected,
  type Injection,
  type Lay,
} from './causes.ts';
import { answers, asks, calls, makeHead, makeTool, resultOf, type Spoken } from './conversation.ts';
import type { Truth } from './engine.ts';
import { commonOf, naturalCause, type Case, type Verdict } from './judge.ts';
import { tightTokens, type Session, type World } from './world.ts';

const maxSteps = 9;

export class Lane {
  readonly cases: Case[] = [];
  readonly #world: World;
  readonly #chance: Chance;
  readonly #lay: Lay;
  readonly #heads: PromptHead[];
  readonly #drawn: Injection[];
  #session: Session;
  #sessions = 0;

  constructor(world: World) {
    this.#world = world;
    this.#chance = world.chance;
    this.#lay = world.lay;
    this.#heads = [makeHead(this.#chance), makeHead(this.#chance)];
    this.#drawn = injections.flatMap(([name, share, can]) =>
      can(world.lay) ? Array<Injection>(share).fill(name) : [],
    );
    this.#session = this.#fresh();
  }

  /** One request of the conversation, with or without something injected. */
  step(): void {
    if (this.#session.steps >= maxSteps) this.#session = this.#fresh();
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
    if (injection === 'cut by engine') session.steps = maxSteps;
  }

  #fresh(): Session {
    this.#sessions += 1;
    const head = { ...this.#chance.pick(this.#heads) };
    return { id: `s${this.#sessions}`, head, log: [], think: undefined, last: null, steps: 0 };
  }

  /** Most sessions begin with a warm head, as the app does it. */
  #first(session: Session): void {
    if (this.#chance.below(3) > 0) this.#world.warm(session);
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
    else {
      // At the end of a turn what the next one will begin with may be read ahead.
      if (injection === null && this.#chance.below(4) === 0) this.#world.warm(session);
      session.log.push(asks(this.#chance));
    }
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
        this.#world.ledger.announce(session.id, { by: 'person', detail: 'You chose another profile.' });
        break;
      case 'think switch':
        session.think = session.think === false ? undefined : false;
        break;
      case 'compaction':
        session.log = [{ role: 'user', content: `Summary. ${chance.paragraph(70)}` }];
        this.#world.ledger.announce(session.id, {
          by: 'andiron',
          detail: 'The conversation was summarised.',
        });
        break;
      case 'quiet rewrite':
        this.#rewrite(log);
        break;
      case 'edit':
        this.#rewrite(log);
        this.#world.ledger.announce(session.id, { by: 'person', detail: 'You edited a message.' });
        break;
      case 'edit and cut':
        session.log = [asks(chance)];
        this.#world.ledger.announce(session.id, { by: 'person', detail: 'You edited the first message.' });
        break;
      case 'midnight':
        this.#world.day = this.#world.day === '2026-11-02' ? '2026-11-03' : '2026-11-02';
        break;
      case 'side call':
        this.#world.side(session);
        break;
      case 'evicted':
        this.#visit();
        break;
      case 'reload told': {
        const by = chance.pick(['andiron', 'engine', 'other_program', 'person'] as const);
        this.#world.engine.unload();
        this.#world.ledger.reloaded(this.#lay.model.name, { by, reason: 'The window grew.' });
        return { cause: 'reload', owner: by };
      }
      case 'reload untold':
      case 'lost in silence':
        this.#world.engine.unload();
        break;
      case 'other program':
        this.#world.foreign();
        this.#world.ledger.foreign(this.#lay.model.name);
        break;
      case 'other program seen':
        this.#world.ledger.saw(this.#lay.model.name, [this.#world.foreign()]);
        break;
      case 'cut by engine':
      case 'new message':
      case 'odd arguments':
      case 'text beside call':
      case null:
        // What the model writes, or the engine sends, is decided there.
        break;
    }
    return expected;
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
        return !isNewTurn || !this.#world.isClean(session);
      case 'cut by engine':
        return log.findLastIndex(({ role }) => role === 'user') < 3 || !this.#world.isClean(session);
      case 'evicted':
      case 'other program':
      case 'other program seen':
        // It might find room beside the slot.
        return (session.last?.truth.held.length ?? 0) <= tightTokens || !this.#world.isClean(session);
      case 'lost in silence':
        return !this.#world.isClean(session);
      case 'tool list':
      case 'system text':
      case 'compaction':
      case 'new message':
      case 'text beside call':
      case 'odd arguments':
      case 'midnight':
      case 'reload told':
      case 'reload untold':
      case 'edit and cut':
      case 'profile switch':
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

  #ask(session: Session, injection: Injection | null, expected: Expected | null): void {
    const world = this.#world;
    const spoken = this.#speak(session, this.#chance.below(100) < 30);
    const asked = world.request(session, 'main', [...session.log]);
    const request = { ...asked, underGrammar: spoken.underGrammar };
    const isStopped = this.#chance.below(100) < 4 && injection === null && session.last !== null;
    if (isStopped) world.stop(session, request);
    const id = world.id();
    const { cached: predicted } = world.ledger.sent(id, request);
    const sent = expected?.cause === 'window' ? lastTurn(session.log) : session.log;
    const truth = world.engine.ask(world.render(session, sent), spoken.script);
    const loadMs = injection === 'reload untold' ? 4000 : undefined;
    const settled = world.ledger.answered(id, world.measured(truth, spoken.message, loadMs));
    this.#judge(session, truth, settled, { injection, expected, isStopped, predicted });
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

  #judge(session: Session, truth: Truth, settled: Settled, about: Verdict): void {
    const { last } = session;
    const reread = this.#world.note(truth);
    if (last === null) return;
    const natural = naturalCause({
      lay: this.#lay,
      last,
      truth,
      common: commonOf(last.truth.held, truth.ids),
      isNewTurn: session.log.at(-1)?.role === 'user',
    });
    const expected = about.expected ?? natural;
    this.cases.push({
      ...about,
      expected,
      reread,
      cached: truth.cached,
      promptTokens: truth.ids.length,
      isForeseeable: about.injection === null || !unforeseeable.has(about.injection),
      family: this.#lay.model.family.name,
      reading: settled.reading,
    });
  }

  /** Another conversation in between. */
  #visit(): void {
    const other = { ...this.#fresh(), head: makeHead(this.#chance) };
    other.log.push({ role: 'user', content: this.#chance.paragraph(700) });
    this.#ask(other, null, null);
  }
}

/** What is left when the engine drops messages at the start, without a word. */
const lastTurn = (log: readonly ContextMessage[]): ContextMessage[] =>
  log.slice(log.findLastIndex(({ role }) => role === 'user'));
