/** Which facts belong to a message: by shared words and by what they mean, put into one order. */
import type { Fact, FactHit, MemoryStore } from '../store/memory-store.ts';
import type { Near } from './meaning/nearest.ts';
import { tellingWords } from './words.ts';

export interface FoundFact {
  fact: Fact;
  by: 'words' | 'meaning' | 'both';
}

/** R: the five best, and only what is relevant. */
const maxRecalled = 5;
const cutOff = 0.25;

const candidates = 50;
/** A question in more words than these is no question. */
const maxWords = 64;

/** How much the first places of each list outweigh the later ones (reciprocal rank fusion). */
const rankOffset = 60;

/**
 * The best first; empty when nothing that is remembered belongs to it.
 * @param near found by meaning, the nearest first; empty = words alone.
 */
export function recallFacts(
  store: MemoryStore,
  query: string,
  near: readonly Near[],
  now: number,
): FoundFact[] {
  const words = queryWords(query);
  const byWords = store
    .searchFacts(words, now, candidates)
    .map((hit) => ({ fact: hit.fact, relevance: relevance(hit, words.length) }))
    .filter(({ relevance }) => relevance >= cutOff)
    .toSorted((a, b) => b.relevance - a.relevance)
    .map(({ fact }) => fact);
  return fuse(byWords, nearFacts(store, near, now), maxRecalled);
}

/** Facts with any of the words, and those that mean it. */
export function searchFacts(
  store: MemoryStore,
  query: string,
  near: readonly Near[],
  now: number,
  limit: number,
): FoundFact[] {
  const byWords = store.searchFacts(queryWords(query), now, limit).map(({ fact }) => fact);
  return fuse(byWords, nearFacts(store, near, now), limit);
}

/** What was forgotten or has expired since is left out, and what is another person's cannot be had. */
const nearFacts = (store: MemoryStore, near: readonly Near[], now: number): Fact[] =>
  near.flatMap(({ id }) => store.getFact(id, now) ?? []);

/** Each list says only in which order, for its figures have nothing in common with those of the other. */
function fuse(byWords: readonly Fact[], byMeaning: readonly Fact[], limit: number): FoundFact[] {
  const found = new Map<string, FoundFact & { score: number }>();
  for (const [by, facts] of [['words', byWords] as const, ['meaning', byMeaning] as const]) {
    for (const [rank, fact] of facts.entries()) {
      const score = 1 / (rankOffset + rank + 1);
      const before = found.get(fact.id);
      found.set(fact.id, before ? { fact, by: 'both', score: before.score + score } : { fact, by, score });
    }
  }
  return [...found.values()]
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ fact, by }) => ({ fact, by }));
}

const queryWords = (query: string): string[] => tellingWords(query).slice(0, maxWords);

/**
 * How much of the fact's key, of its value and of the question the shared words make up, as if each were evidence of
 * its own. BM25 alone orders facts but knows no "none of them": its scores depend on how many facts there are.
 */
function relevance({ fact, met }: FactHit, asked: number): number {
  const key = share(met.key, tellingWords(fact.key).length);
  const value = share(met.value, tellingWords(fact.value).length);
  const question = share([...met.key, ...met.value], asked);
  return 1 - (1 - key) * (1 - value) * (1 - question);
}

const share = (met: readonly string[], of: number): number =>
  of === 0 ? 0 : Math.min(1, new Set(met).size / of);
