/**
 * The ledger: what the engine's cache is believed to hold, what a request will read again, and why.
 *
 * One ledger per host, one line at each place:
 *
 *   const ledger = createLedger({ factsOf });             // host: card, memory, num_batch, num_ctx of a model
 *   const prediction = ledger.sent(id, request);          // ask-model, before `provider.stream`
 *   const { reading } = ledger.answered(id, measured);    // at `done`: into RequestUsage.reading
 *   const { reading } = ledger.stopped(id, stopped);      // after an abort: what the engine kept of it
 *   ledger.failed(id);                                    // refused, or nothing reached the engine
 *
 * Side calls and subagents do the same, with purpose `side` or a session of their own. A re-warm is a request with purpose
 * `warm`, its messages those of the history without the dummy. Told from elsewhere, whenever it happens:
 *
 *   ledger.reloaded(model, { by, reason });               // engine room: loads, unloads, who asked for it
 *   ledger.foreign(model);  ledger.saw(model, slots);     // another program; the runner's slots while nothing of ours runs
 *   ledger.announce(session, { by, detail });             // edit, regenerate, fork, profile switch, compaction
 *   ledger.forget(session);                               // gone for good
 *
 * `mayWarm(model)` says whether a warm-up is worth sending: one whose tokens were read again switches itself off until it
 * proves itself. Requests of one model must not overlap. Texts are kept of the newest two prompts of a model alone, by
 * reference to the messages that the host holds anyway.
 */
import type { RunnerSlot } from '../../../protocol/engine-room.ts';
import { createBook, type Book } from './book.ts';
import { predict, type Pending } from './predict.ts';
import { settle } from './settle.ts';
import type {
  Announcement,
  LedgerRequest,
  Measured,
  ModelFacts,
  Prediction,
  Reload,
  Settled,
  Stopped,
} from './types.ts';

export type { MemoryKind } from './cache-reach.ts';
export type { LedgerRequest, Measured, ModelFacts, Prediction, Settled, Stopped } from './types.ts';

export type Ledger = ReturnType<typeof createLedger>;

export interface LedgerDeps {
  factsOf: (model: string) => ModelFacts;
  /** Under these names Andiron asks a model about itself. */
  ownSessions?: ReadonlySet<string>;
}

/** An idle slot of ours holds what we left in it, give or take the last token of a reply. */
const slotTolerance = 2;

export function createLedger({ factsOf, ownSessions = new Set() }: LedgerDeps) {
  const book: Book = createBook(ownSessions);
  const underWay = new Map<string, Pending>();
  const take = (id: string): Pending => {
    const pending = underWay.get(id);
    if (!pending) throw new Error(`The ledger knows of no request ${id} that is under way.`);
    underWay.delete(id);
    return pending;
  };
  const foreign = (name: string): void => book.model(name).foreignPrompt();

  return {
    /** Without telling the ledger that anything is sent: prices of a choice. */
    predict: (request: LedgerRequest): Prediction =>
      predict(request, factsOf(request.model), book).prediction,
    sent(id: string, request: LedgerRequest): Prediction {
      const pending = predict(request, factsOf(request.model), book);
      underWay.set(id, pending);
      return pending.prediction;
    },
    /** Throws when the id was not sent, or is settled already. */
    answered: (id: string, measured: Measured): Settled => settle(take(id), measured, book),
    stopped(id: string, { slot, opened, outputTokens, elapsedMs, reply }: Stopped): Settled {
      const isRead = opened || (slot !== null && slot.decodedTokens > 0);
      const promptTokens =
        slot && isRead && slot.isProcessing ? slot.cachedTokens + slot.processedTokens : null;
      const counters = {
        ...unknownCounters,
        promptTokens,
        outputTokens,
        promptMs: isRead ? null : elapsedMs,
      };
      return settle(take(id), { counters, slot, reply }, book, { opened: isRead });
    },
    failed: (id: string): void => void underWay.delete(id),
    reloaded: (name: string, reload: Reload): void => book.model(name).reloaded(reload),
    foreign,
    /** The runner's slots while no request of ours runs on it; a slot that holds something else is another program's. */
    saw(name: string, slots: readonly RunnerSlot[]): void {
      const { held } = book.model(name);
      const [only] = slots;
      if (slots.length !== 1 || only === undefined || held === null) return;
      if ([...underWay.values()].some(({ request }) => request.model === name)) return;
      const isOurs = Math.abs(only.promptTokens - held.trail.tokens) <= slotTolerance;
      if (only.isProcessing || !isOurs) foreign(name);
    },
    announce: (session: string, announcement: Announcement): void =>
      void book.announced.set(session, announcement),
    forget: (session: string): void => book.forget(session),
    mayWarm: (name: string): boolean => book.model(name).warmUps.isWorthTrying(),
  };
}

const unknownCounters: Measured['counters'] = {
  promptTokens: null,
  cachedTokens: null,
  outputTokens: null,
  promptMs: null,
  outputMs: null,
  loadMs: null,
};
