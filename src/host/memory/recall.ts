/** Which facts belong to a message. By shared words until embeddings exist; then only this file changes. */
import type { Fact, FactHit, MemoryStore } from '../store/memory-store.ts';
import { tellingWords } from './words.ts';

export interface RankedFact {
  fact: Fact;
  /** 0 to 1. */
  relevance: number;
}

/** R: the five best, and only what is relevant. */
const maxRecalled = 5;
const cutOff = 0.25;

const candidates = 50;
/** A question in more words than these is no question. */
const maxWords = 64;

/** The best first; empty when nothing that is remembered belongs to it. */
export function recallFacts(store: MemoryStore, query: string, now: number): RankedFact[] {
  const words = queryWords(query);
  return store
    .searchFacts(words, now, candidates)
    .map((hit) => ({ fact: hit.fact, relevance: relevance(hit, words.length) }))
    .filter(({ relevance }) => relevance >= cutOff)
    .toSorted((a, b) => b.relevance - a.relevance)
    .slice(0, maxRecalled);
}

export const queryWords = (query: string): string[] => tellingWords(query).slice(0, maxWords);

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
