/** Everything that the ledger remembers, by model and by session; all of it bounded. */
import type { Cause } from './explain.ts';
import { freshReach } from './cache-reach.ts';
import { createPieceCache } from './pieces.ts';
import type { Earlier } from './parting.ts';
import { ReadingRate } from './reading-rate.ts';
import { Replies } from './replies.ts';
import { RunnerMemory, type Held } from './runner-memory.ts';
import type { PromptSource } from './shape.ts';
import { Sizes } from './sizes.ts';
import { foreignTrail } from './request-history.ts';
import type { Announcement, Reload } from './types.ts';
import { WarmUps } from './warm-ups.ts';

/** A prompt of a session that later ones are compared with. */
export interface Remembered extends Earlier {
  readonly request: number;
  readonly model: string;
  readonly generation: number;
  /** Prompts of other programs that were known of by then. */
  readonly foreigners: number;
  /** It was stopped before all was read that it would have read again, for this cause. */
  readonly unfinished: Cause | null;
}

const maxSessions = 64;
/** A prompt of another program, as long as nothing tells its length. */
const foreignTokens = 512;

export class ModelBook {
  readonly sizes = new Sizes();
  readonly replies = new Replies();
  readonly runner = new RunnerMemory();
  readonly rate = new ReadingRate();
  readonly warmUps = new WarmUps();
  reload: Reload | null = null;
  /** Learnt: within a turn its template writes a thought around a reply without one. */
  emptyThoughts = false;
  foreigners = 0;
  /** The newest settled prompt of any session. */
  newest: Remembered | null = null;
  readonly #texts = new Map<number, PromptSource>();

  get held(): Held | null {
    return this.runner.slot;
  }

  reloaded(reload: Reload): void {
    this.runner.clear();
    this.reload = reload;
  }

  /** What we hold is put aside for it, as for any unrelated prompt. */
  foreignPrompt(): void {
    this.foreigners += 1;
    const held: Held = { request: 0, session: '', trail: foreignTrail(foreignTokens), reach: freshReach };
    const { slot } = this.runner;
    const beside = slot && slot.request !== 0 ? [...this.runner.beside, slot] : this.runner.beside;
    this.runner.take(beside, held);
  }

  textsOf(request: number): PromptSource | null {
    return this.#texts.get(request) ?? null;
  }

  /** Of the newest two prompts. */
  keepTexts(request: number, source: PromptSource): void {
    this.#texts.set(request, source);
    for (const known of this.#texts.keys()) {
      if (this.#texts.size <= 2) break;
      this.#texts.delete(known);
    }
  }
}

function bounded<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= maxSessions) break;
    map.delete(oldest);
  }
}

/** @param ownSessions under these names Andiron asks a model about itself. */
export function createBook(ownSessions: ReadonlySet<string>) {
  const models = new Map<string, ModelBook>();
  const mains = new Map<string, Remembered>();
  const warms = new Map<string, Remembered>();
  const announced = new Map<string, Announcement>();
  let requests = 0;
  return {
    cache: createPieceCache(),
    announced,
    ownSessions,
    nextRequest: (): number => (requests += 1),
    model(name: string): ModelBook {
      const known = models.get(name);
      if (known) return known;
      const made = new ModelBook();
      models.set(name, made);
      return made;
    },
    main: (session: string): Remembered | null => mains.get(session) ?? null,
    warm: (session: string): Remembered | null => warms.get(session) ?? null,
    setMain: (session: string, remembered: Remembered): void => bounded(mains, session, remembered),
    setWarm: (session: string, remembered: Remembered): void => bounded(warms, session, remembered),
    endWarm: (session: string): void => void warms.delete(session),
    forget(session: string): void {
      mains.delete(session);
      warms.delete(session);
      announced.delete(session);
    },
  };
}
export type Book = ReturnType<typeof createBook>;
