/** Where a generation of the context came from: what undoing a compaction, or asking again, needs to know. */
import { z } from 'zod';
import { lazyObject } from '../../protocol/lazy-object.ts';
import type { ContextStore, OwnedMessage } from '../store/context.ts';
import type { FactStore } from '../store/fact-store.ts';

export interface GenerationStore extends FactStore, Pick<ContextStore, 'generation' | 'beginGeneration'> {
  transaction<T>(run: () => T): T;
}

const beginningSchema = lazyObject(() => ({
  /** The generation that was in force before the compaction. */
  from: z.number().int(),
  /** How many messages the compaction left; what stands after them was said since. */
  messages: z.number().int(),
  /** The generation that the compaction began, which its summary names. */
  compaction: z.number().int(),
}));
export type Beginning = z.infer<typeof beginningSchema>;

const key = (generation: number): string => `generation:${String(generation)}`;

/** null = it did not begin with a compaction. */
export function beginningOf(store: FactStore, sessionId: string, generation: number): Beginning | null {
  return store.readSessionData(sessionId, key(generation), beginningSchema);
}

/** A compaction rewrote the log. Returns the number of its generation. */
export function beginCompacted(
  store: GenerationStore,
  sessionId: string,
  messages: readonly OwnedMessage[],
): number {
  return store.transaction(() => {
    const from = store.generation(sessionId);
    const compaction = store.beginGeneration(sessionId, messages);
    const beginning: Beginning = { from, messages: messages.length, compaction };
    store.writeSessionData(sessionId, key(compaction), beginning);
    return compaction;
  });
}

/** A generation whose first messages are those of `like`: the compaction that began that one can still be undone. */
export function beginLike(
  store: GenerationStore,
  sessionId: string,
  messages: readonly OwnedMessage[],
  like: number,
): void {
  store.transaction(() => {
    const beginning = beginningOf(store, sessionId, like);
    const generation = store.beginGeneration(sessionId, messages);
    if (beginning && messages.length >= beginning.messages)
      store.writeSessionData(sessionId, key(generation), beginning);
  });
}
