export {
  Evaluation,
  PromptCache,
  type CacheOptions,
  type CacheStats,
  type PromptHints,
} from './prompt-cache.ts';
export type { MemoryKind } from './memory.ts';
export type { Reuse } from './slot.ts';
