/** The memory of each person (X1): what one has said is never remembered for another. */
import type { Clock, NewId } from '../../platform/clock.ts';
import type { Store } from '../store/store.ts';
import { Memory } from './memory.ts';

export interface Memories {
  of(userId: string): Memory;
  /** Of whoever the session belongs to. One that is gone belongs to nobody, and nothing is remembered there. */
  ofSession(sessionId: string): Memory;
}

export interface MemoriesDeps {
  store: Pick<Store, 'memoryOf' | 'speakerOf'>;
  clock: Clock;
  newId: NewId;
  onChange: (userId: string) => void;
}

export function createMemories({ store, clock, newId, onChange }: MemoriesDeps): Memories {
  const known = new Map<string, Memory>();
  const of = (userId: string): Memory => {
    const memory =
      known.get(userId) ?? new Memory(store.memoryOf(userId), clock, newId, () => onChange(userId));
    known.set(userId, memory);
    return memory;
  };
  return { of, ofSession: (sessionId) => of(store.speakerOf(sessionId) ?? '') };
}
