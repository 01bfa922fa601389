/** A loaded model of the simulator and the ledger that keeps account of it: requests beside the conversation's own. */
import {
  createLedger,
  type Ledger,
  type LedgerRequest,
  type Measured,
} from '../../../src/host/prompt/ledger/ledger.ts';
import type { RunnerSlot } from '../../../src/protocol/engine-room.ts';
import type { TemplateCard } from '../../../src/host/prompt/card/card.ts';
import { probeTemplate } from '../../../src/host/prompt/card/probe-template.ts';
import { commonLength } from '../../../src/host/prompt/card/spelling.ts';
import { policyOf } from '../../../src/host/prompt/template-policy.ts';
import type { ContextMessage, PromptHead } from '../../../src/host/providers/provider.ts';
import { toWireMessages, toWireTools } from '../../../src/host/providers/wire.ts';
import type { FamilyName, Message, Tool } from '../../../src/sim/render/index.ts';
import { Chance } from '../prefix/chance.ts';
import type { Lay } from './causes.ts';
import { answers, type Assistant } from './conversation.ts';
import { batch, BenchEngine, context, silence, type ReadyPrompt, type Truth } from './engine.ts';
import { commonOf, rereadOf } from './judge.ts';

export interface Session {
  id: string;
  head: PromptHead;
  log: ContextMessage[];
  think: boolean | undefined;
  /** What the last request left, and how it was asked; null = none yet. */
  last: { truth: Truth; think: boolean | undefined; reply: Assistant | null } | null;
  steps: number;
}

/** Room beside the slot, where there is little. */
export const tightTokens = 1500;

/** An old server does not count what it found, and only one in our own hands shows its slots. */
const [withCount, withSlots] = [8, 9];

export class World {
  readonly chance: Chance;
  readonly engine: BenchEngine;
  readonly ledger: Ledger;
  readonly lay: Lay;
  /** Texts that the model has read or written. */
  readonly seen = new Set<string>();
  day = '2026-11-02';
  #requests = 0;

  private constructor(lay: Lay, engine: BenchEngine, chance: Chance) {
    this.chance = chance;
    this.engine = engine;
    this.lay = lay;
    const { memory, path } = engine.model;
    const besideTokens = lay.isTight ? tightTokens : null;
    const facts = { memory, batch, context, card: lay.card, native: path === 'native', besideTokens };
    this.ledger = createLedger({ factsOf: () => facts });
  }

  static async open(family: FamilyName, seed: number, isTight: boolean): Promise<World> {
    const chance = new Chance(seed);
    const engine = new BenchEngine(family, chance, isTight ? tightTokens : null);
    const card = await probe(engine);
    return new World({ model: engine.model, card, policy: policyOf(card), isTight }, engine, chance);
  }

  id(): string {
    this.#requests += 1;
    return `r${this.#requests}`;
  }

  request(
    { id, head, think }: Session,
    purpose: LedgerRequest['purpose'],
    messages: readonly ContextMessage[],
  ): LedgerRequest {
    const { model } = this.engine;
    const history = this.lay.policy;
    return { session: id, model: model.name, purpose, head, messages, history, think, day: this.day };
  }

  /** As the engine renders it. */
  render({ head, think }: Session, messages: readonly ContextMessage[]): ReadyPrompt {
    const { policy } = this.lay;
    return this.engine.render({
      // The wire's types are those of the client, the simulator's those of the server: the same bytes.
      messages: toWireMessages(head, messages, policy) as Message[],
      tools: toWireTools(head, policy),
      think,
      day: this.day,
    });
  }

  /** What a host would know of it. */
  measured(truth: Truth, reply: Assistant | undefined, loadMs = 12): Measured {
    const way = this.chance.below(10);
    const counters = {
      promptTokens: truth.ids.length,
      cachedTokens: way < withCount ? truth.cached : null,
      outputTokens: truth.outputTokens,
      promptMs: truth.promptMs,
      outputMs: null,
      loadMs,
    };
    return { counters, reply, slot: way >= withCount && way < withSlots ? slotOf(truth, true) : null };
  }

  /** The template itself keeps all that was read and written. */
  isClean(session: Session): boolean {
    const { last, log } = session;
    if (last === null) return false;
    const ids = this.engine.idsOf(this.render(session, log));
    return commonOf(last.truth.held, ids) >= last.truth.held.length - 2;
  }

  /** The same request is cut off half-way before it is sent again. */
  stop(session: Session, request: LedgerRequest): void {
    const id = this.id();
    this.ledger.sent(id, request);
    const truth = this.engine.ask(this.render(session, request.messages), silence(), 0.5);
    const slot = this.chance.below(2) === 0 ? slotOf(truth, true) : null;
    this.ledger.stopped(id, { slot, opened: false, outputTokens: 0, elapsedMs: truth.promptMs });
    this.note(truth);
    session.last = { truth, think: session.think, reply: null };
  }

  /** What the next prompts have in common, whatever the person says. */
  warm(session: Session): void {
    const dummy = (content: string): ReadyPrompt =>
      this.render(session, [...session.log, { role: 'user', content }]);
    const [one, other] = [dummy('Apple pie.'), dummy('Zebra crossing.')];
    const text = one.text.slice(0, commonLength(one.text, other.text));
    const id = this.id();
    this.ledger.sent(id, this.request(session, 'warm', [...session.log]));
    const truth = this.engine.ask(this.engine.raw(text), silence());
    this.ledger.answered(id, this.measured(truth, undefined));
    for (const piece of one.pieces) if (piece.kind !== 'markup') this.seen.add(piece.text);
    session.last = session.last && { ...session.last, truth, reply: null };
  }

  /** An instruction in the place of the newest message, answered and forgotten. */
  side(session: Session): void {
    const question: ContextMessage = { role: 'user', content: this.chance.paragraph(60) };
    const messages = [...session.log.slice(0, -1), question];
    const id = this.id();
    this.ledger.sent(id, this.request(session, 'side', messages));
    const spoken = answers(this.chance, { thinks: false, constrained: false });
    const truth = this.engine.ask(this.render(session, messages), spoken.script);
    this.ledger.answered(id, this.measured(truth, spoken.message));
    this.note(truth);
  }

  /** Another program's prompt; what the runner's status shows afterwards. */
  foreign(): RunnerSlot {
    const prompt = this.engine.raw(this.chance.paragraph(1500));
    return slotOf(this.engine.ask(prompt, silence()), false);
  }

  /** What of the evaluated tokens had been evaluated before. */
  note(truth: Truth): number {
    return rereadOf(truth, this.engine, this.seen);
  }
}

function slotOf(truth: Truth, isProcessing: boolean): RunnerSlot {
  return {
    id: 0,
    taskId: 1,
    isProcessing,
    decodedTokens: 0,
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
