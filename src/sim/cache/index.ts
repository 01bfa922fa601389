export { Evaluation, PromptCache, type CacheOptions, type PromptHints } from './prompt-cache.ts';
export type { MemoryKind } from './cache-memory.ts';
