/** What Andiron remembers about the person: everything that saves, finds, changes and forgets it goes through here. */
import type { Clock, NewId } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { Fact, MemoryStore, MemorySummary } from '../store/memory.ts';
import { cleanText } from './clean-text.ts';
import type { FactInput } from './facts.ts';
import { factWords, secretRefusal, toPlainFact, toValue } from './facts.ts';
import type { Escape } from './memory-block.ts';
import { memoryBlock, summaryCap } from './memory-block.ts';
import type { RankedFact } from './recall.ts';
import { queryWords, recallFacts } from './recall.ts';
import { secretIn } from './secrets.ts';

/** How a fact came to be known, as its confidence. What the person wrote is never replaced by what a model noticed. */
const confidenceOf = { noticed: 0.6, saved: 0.8, written: 1 } as const;
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

/** Functions that take text throw AndironError `invalid_params`, with advice, for what may not be remembered. */
export interface Memory {
  /** Replaces the fact of the same category and key. */
  save(input: FactInput, sessionId: string | null, origin?: FactOrigin): SavedFact;
  /** Facts with any of the words, the best 15. */
  search(query: string): Fact[];
  /** The seam for embeddings: at most 5, none below the cut-off (P17). */
  recall(query: string): RankedFact[];
  /** By category and key. */
  list(): Fact[];
  /** False = it was forgotten already. A summary that a model wrote goes too: it may tell the same. */
  forget(id: string): boolean;
  /** A forgotten fact as it was, until this memory ends. Throws `not_found`: long ago, or something took its place. */
  restore(id: string): Fact;
  /** In the person's own words. Throws `not_found`. */
  update(id: string, value: string): Fact;
  /** Everything that is remembered; returns how many facts. What was read once is not read again. */
  clear(): number;
  summary(): MemorySummary | null;
  /** '' removes it. One that the person wrote stays until they remove it. */
  setSummary(text: string, by?: 'person' | 'model', asOf?: number): void;
  /** Facts that the summary cannot know yet, the newest first. */
  newerThanSummary(limit: number): Fact[];
  /** For the opening of a session's first message (J1); '' = nothing is remembered. */
  block(escape: Escape): string;
  /** Grows whenever the person changes what is remembered, so that slow work on older facts can be dropped. */
  personEdits(): number;
}

/** Forgotten facts that can be had back. */
const maxRestorable = 50;
const maxFound = 15;
const maxInBlock = 20;

/** @param onChange told after every change of facts or summary */
export function createMemory(
  store: MemoryStore,
  clock: Clock,
  newId: NewId,
  onChange: () => void = () => undefined,
): Memory {
  let edits = 0;
  const forgotten = new Map<string, Fact>();

  /** Told only when all of it is kept. */
  function change<T>(run: () => T): T {
    const result = store.transaction(run);
    onChange();
    return result;
  }

  function keepForgotten(fact: Fact): void {
    forgotten.delete(fact.id);
    forgotten.set(fact.id, fact);
    const [oldest] = forgotten.keys();
    if (forgotten.size > maxRestorable && oldest !== undefined) forgotten.delete(oldest);
  }

  function dropModelSummary(): void {
    if (store.readSummary()?.byPerson === false) store.writeSummary(null);
  }

  function newerThanSummary(limit: number): Fact[] {
    return store.factsSince(store.readSummary()?.updatedAt ?? -1, clock.now(), limit);
  }

  return {
    save(input, sessionId, origin = 'saved') {
      const plain = toPlainFact(input);
      const now = clock.now();
      const saved = store.transaction((): SavedFact => {
        store.deleteExpired(now);
        const before = store.findFact(plain.category, plain.key);
        const confidence = confidenceOf[origin];
        if (before?.value === plain.value) return { fact: before, change: 'known' };
        if (before?.confidence === confidenceOf.written && origin === 'noticed')
          return { fact: before, change: 'kept' };
        const fact: Fact = {
          ...plain,
          id: before?.id ?? newId('fact_'),
          sourceSession: sessionId,
          confidence,
          createdAt: before?.createdAt ?? now,
          updatedAt: now,
          expiresAt: input.expiresAt ?? null,
        };
        store.putFact(fact, factWords(fact));
        return { fact, change: before ? 'changed' : 'added' };
      });
      if (saved.change === 'added' || saved.change === 'changed') onChange();
      return saved;
    },
    search: (query) => store.searchFacts(queryWords(query), clock.now(), maxFound).map(({ fact }) => fact),
    recall: (query) => recallFacts(store, query, clock.now()),
    list: () => store.listFacts(clock.now()),
    forget(id) {
      edits += 1;
      const fact = store.getFact(id, clock.now());
      const had = change(() => {
        const gone = store.deleteFact(id);
        if (gone) dropModelSummary();
        return gone;
      });
      if (fact && had) keepForgotten(fact);
      return had;
    },
    restore(id) {
      const fact = forgotten.get(id);
      if (!fact || store.findFact(fact.category, fact.key))
        throw new AndironError(
          'not_found',
          'This cannot be brought back.',
          'Tell Andiron again in a session, and it remembers it anew.',
        );
      edits += 1;
      change(() => store.putFact(fact, factWords(fact)));
      forgotten.delete(id);
      return fact;
    },
    update(id, text) {
      edits += 1;
      return change(() => {
        const before = store.getFact(id, clock.now());
        if (!before)
          throw new AndironError(
            'not_found',
            'This is no longer remembered.',
            'Tell it in a message again, and it is remembered anew.',
          );
        const value = toValue(before.key, text);
        const fact: Fact = {
          ...before,
          value,
          confidence: confidenceOf.written,
          updatedAt: clock.now(),
          expiresAt: null,
        };
        store.putFact(fact, factWords(fact));
        dropModelSummary();
        return fact;
      });
    },
    clear() {
      edits += 1;
      forgotten.clear();
      return change(() => {
        const { length } = store.listFacts(clock.now());
        store.deleteAllFacts();
        store.writeSummary(null);
        return length;
      });
    },
    summary: () => store.readSummary(),
    setSummary(given, by = 'person', asOf = clock.now()) {
      if (by === 'person') edits += 1;
      const text = cleanText(given, summaryCap);
      const secret = secretIn(text);
      if (secret !== null) throw secretRefusal(secret);
      const summary = { text, byPerson: by === 'person', updatedAt: asOf };
      change(() => store.writeSummary(text === '' ? null : summary));
    },
    newerThanSummary,
    block: (escape) => memoryBlock(store.readSummary()?.text ?? '', newerThanSummary(maxInBlock), escape),
    personEdits: () => edits,
  };
}
