/** What Andiron remembers about the person: everything that saves, finds, changes and forgets it goes through here. */
import type { Clock, NewId } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { Fact, MemoryStore, MemorySummary } from '../store/memory-store.ts';
import { cleanText } from './clean-text.ts';
import { factLine, factWords, secretRefusal, toPlainFact, toValue, type FactInput } from './facts.ts';
import { memoryBlock, summaryCap, type Escape } from './memory-block.ts';
import type { Near } from './meaning/nearest.ts';
import { recallFacts, searchFacts, type FoundFact } from './recall.ts';
import { secretIn } from './secrets.ts';

/** How a fact came to be known, as its confidence. What the person wrote is never replaced by what a model noticed. */
const confidenceOf = { noticed: 0.6, taught: 0.7, saved: 0.8, written: 1 } as const;
/** `taught`: saved in a session that had read what the person did not write. */
export type FactOrigin = keyof typeof confidenceOf;

/** null = no origin has this confidence. */
export function originOf(confidence: number | null): FactOrigin | null {
  const origins = Object.keys(confidenceOf) as FactOrigin[];
  return origins.find((origin) => confidenceOf[origin] === confidence) ?? null;
}

interface SavedFact {
  fact: Fact;
  /** `known` = it was remembered just so; `kept` = the person's own words stay. */
  change: 'added' | 'changed' | 'known' | 'kept';
}

/** Other texts than the person's may have said it. */
export const isTaught = ({ confidence }: Pick<Fact, 'confidence'>): boolean =>
  confidence === confidenceOf.taught;

/** Forgotten facts that can be had back. */
const maxRestorable = 50;
const maxFound = 15;
const maxInBlock = 20;

/** Functions that take text throw AndironError `invalid_params`, with advice, for what may not be remembered. */
export class Memory {
  readonly #store: MemoryStore;
  readonly #clock: Clock;
  readonly #newId: NewId;
  readonly #onChange: () => void;
  #edits = 0;
  readonly #forgotten = new Map<string, Fact>();

  constructor(store: MemoryStore, clock: Clock, newId: NewId, onChange: () => void = () => undefined) {
    this.#store = store;
    this.#clock = clock;
    this.#newId = newId;
    this.#onChange = onChange;
  }

  /** Facts that the summary cannot know yet, the newest first. */
  newerThanSummary(limit: number): Fact[] {
    return this.#store.factsSince(this.#store.readSummary()?.updatedAt ?? -1, this.#clock.now(), limit);
  }

  /** What is learnt now is newer than the summary, also by a clock that was ahead when that was written. */
  asOf(): number {
    return Math.max(this.#clock.now(), (this.#store.readSummary()?.updatedAt ?? -1) + 1);
  }

  /** Replaces the fact of the same category and key. */
  save(input: FactInput, sessionId: string | null, origin: FactOrigin = 'saved'): SavedFact {
    const plain = toPlainFact(input);
    const now = this.#clock.now();
    const saved = this.#store.transaction((): SavedFact => {
      this.#store.deleteExpired(now);
      const before = this.#store.findFact(plain.category, plain.key);
      const confidence = confidenceOf[origin];
      if (before?.value === plain.value) return { fact: before, change: 'known' };
      if (before?.confidence === confidenceOf.written && origin === 'noticed')
        return { fact: before, change: 'kept' };
      const fact: Fact = {
        ...plain,
        id: before?.id ?? this.#newId('fact_'),
        sourceSession: sessionId,
        confidence,
        createdAt: before?.createdAt ?? now,
        updatedAt: this.asOf(),
        expiresAt: input.expiresAt ?? null,
      };
      this.#store.putFact(fact, factWords(fact));
      return { fact, change: before ? 'changed' : 'added' };
    });
    if (saved.change === 'added' || saved.change === 'changed') this.#onChange();
    return saved;
  }

  /** The best 15. @param near what was found by meaning, the nearest first. */
  search(query: string, near: readonly Near[] = []): (Fact & { isTaught: boolean; by: FoundFact['by'] })[] {
    const found = searchFacts(this.#store, query, near, this.#clock.now(), maxFound);
    return found.map(({ fact, by }) => ({ ...fact, by, isTaught: isTaught(fact) }));
  }

  /** At most 5, none below the cut-off (P17). @param near as above */
  recall(query: string, near: readonly Near[] = []): FoundFact[] {
    return recallFacts(this.#store, query, near, this.#clock.now());
  }

  /** By category and key. */
  list(): Fact[] {
    return this.#store.listFacts(this.#clock.now());
  }

  /** False = it was forgotten already. A summary that a model wrote goes too: it may tell the same. */
  forget(id: string): boolean {
    this.#edits += 1;
    const fact = this.#store.getFact(id, this.#clock.now());
    const had = this.#change(() => {
      const gone = this.#store.deleteFact(id);
      if (gone) this.#dropModelSummary();
      return gone;
    });
    if (fact && had) this.#keepForgotten(fact);
    return had;
  }

  /** A forgotten fact as it was, until this memory ends. Throws `not_found`: long ago, or something took its place. */
  restore(id: string): Fact {
    const fact = this.#forgotten.get(id);
    if (!fact || this.#store.findFact(fact.category, fact.key))
      throw new AndironError('not_found', 'This cannot be brought back.', 'Tell Andiron again in a session.');
    this.#edits += 1;
    this.#change(() => this.#store.putFact(fact, factWords(fact)));
    this.#forgotten.delete(id);
    return fact;
  }

  /** In the person's own words. Throws `not_found`. */
  update(id: string, text: string): Fact {
    this.#edits += 1;
    return this.#change(() => {
      const before = this.#store.getFact(id, this.#clock.now());
      if (!before)
        throw new AndironError(
          'not_found',
          'This is no longer remembered.',
          'Tell Andiron again in a message.',
        );
      const value = toValue(before.key, text);
      const fact: Fact = {
        ...before,
        value,
        confidence: confidenceOf.written,
        updatedAt: this.asOf(),
        expiresAt: null,
      };
      this.#store.putFact(fact, factWords(fact));
      this.#dropModelSummary();
      return fact;
    });
  }

  /** Everything that is remembered; returns how many facts. What was read once is not read again. */
  clear(): number {
    this.#edits += 1;
    this.#forgotten.clear();
    return this.#change(() => {
      const { length } = this.#store.listFacts(this.#clock.now());
      this.#store.deleteAllFacts();
      this.#store.writeSummary(null);
      return length;
    });
  }

  summary(): MemorySummary | null {
    return this.#store.readSummary();
  }

  /** '' removes it. One that the person wrote stays until they remove it. */
  setSummary(given: string, by: 'person' | 'model' = 'person', asOf: number = this.asOf()): void {
    if (by === 'person') this.#edits += 1;
    const text = cleanText(given, summaryCap);
    const secret = secretIn(text);
    if (secret !== null) throw secretRefusal(secret);
    const summary = { text, byPerson: by === 'person', updatedAt: asOf };
    this.#change(() => this.#store.writeSummary(text === '' ? null : summary));
  }

  /** For the opening of a session's first message (J1); '' = nothing is remembered. */
  block(escape: Escape): string {
    return memoryBlock(this.#store.readSummary()?.text ?? '', this.newerThanSummary(maxInBlock), escape);
  }

  /** Of the block, what other texts than the person's may have said; a summary that a model made of such facts as well. */
  taughtInBlock(): string[] {
    const summary = this.#store.readSummary();
    const taught = this.list().filter(isTaught);
    const isTold = taught.some(({ updatedAt }) => updatedAt <= (summary?.updatedAt ?? -1));
    const newer = this.newerThanSummary(maxInBlock).filter(isTaught).map(factLine);
    return summary && !summary.byPerson && isTold ? [summary.text, ...newer] : newer;
  }

  /** Grows whenever the person changes what is remembered, so that slow work on older facts can be dropped. */
  personEdits(): number {
    return this.#edits;
  }

  /** Told only when all of it is kept. */
  #change<T>(run: () => T): T {
    const result = this.#store.transaction(run);
    this.#onChange();
    return result;
  }

  #keepForgotten(fact: Fact): void {
    this.#forgotten.delete(fact.id);
    this.#forgotten.set(fact.id, fact);
    const [oldest] = this.#forgotten.keys();
    if (this.#forgotten.size > maxRestorable && oldest !== undefined) this.#forgotten.delete(oldest);
  }

  #dropModelSummary(): void {
    if (this.#store.readSummary()?.byPerson === false) this.#store.writeSummary(null);
  }
}
