/** The sessions in memory: but for the last few, those that nobody needs leave, and one that comes back is as it was. */
import type { Warmth } from '../../protocol/model.ts';
import type { PromptMeasure } from '../prompt/token-estimate.ts';

/** Used last, though nobody may need them now. */
const maxStaying = 16;

/** What of a session no store has. It is small, so it stays until the session is deleted or Andiron ends. */
export interface Unstored {
  /** What was said once in it. */
  readonly said: Set<string>;
  measured: PromptMeasure | null;
  warmth: Warmth | undefined;
  /** The number of its newest event. */
  seq: number;
  profileId: string;
  /** How many of its items were in memory. */
  items: number;
}

interface Leaving {
  readonly id: string;
  /** All that it is can be had back: from the store and what is unstored. */
  readonly mayLeave: boolean;
}

export class OpenSessions<T extends Leaving> {
  /** The least recently used first. */
  readonly #staying = new Map<string, T>();
  /** Somebody may still work with one that left: of no session there are ever two. */
  readonly #left = new Map<string, WeakRef<T>>();
  readonly #unstored = new Map<string, Unstored>();

  /** Counts as a use. */
  use(id: string): T | undefined {
    const known = this.peek(id);
    if (known) this.#stay(known);
    return known;
  }

  peek(id: string): T | undefined {
    return this.#staying.get(id) ?? this.#left.get(id)?.deref();
  }

  unstored(id: string): Unstored {
    return (
      this.#unstored.get(id) ?? {
        said: new Set(),
        measured: null,
        warmth: undefined,
        seq: 0,
        profileId: '',
        items: 0,
      }
    );
  }

  add(session: T, unstored: Unstored): void {
    this.#unstored.set(session.id, unstored);
    this.#stay(session);
  }

  all(): T[] {
    const left = [...this.#left.values()].flatMap((each) => each.deref() ?? []);
    return [...this.#staying.values(), ...left];
  }

  /** Of all that were open since the start. */
  profiles(): { id: string; profileId: string }[] {
    return [...this.#unstored].map(([id, { profileId }]) => ({ id, profileId }));
  }

  delete(id: string): void {
    this.#staying.delete(id);
    this.#left.delete(id);
    this.#unstored.delete(id);
  }

  #stay(session: T): void {
    this.#left.delete(session.id);
    this.#staying.delete(session.id);
    this.#staying.set(session.id, session);
    for (const each of this.#staying.values()) {
      if (this.#staying.size <= maxStaying) break;
      if (each !== session && each.mayLeave) this.#leave(each);
    }
  }

  #leave(session: T): void {
    this.#staying.delete(session.id);
    for (const [id, left] of this.#left) if (!left.deref()) this.#left.delete(id);
    this.#left.set(session.id, new WeakRef(session));
  }
}
