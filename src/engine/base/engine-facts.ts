/**
 * What has happened inside the engine, for the parts that act on it. What a part has to know it reads from the state; what
 * it has to do after a part that may be created later, it hears here.
 */
import type { Log } from '../../platform/log.ts';
import type { AndironError } from '../../protocol/errors.ts';
import type { Connection } from '../../protocol/rpc-server.ts';

type EngineFact =
  /** Ollama answers and did not before, or as another version: whatever was known about its memory is void. */
  | { type: 'engine/appeared'; url: string }
  | { type: 'engine/gone' }
  /** Ollama did not answer a question. */
  | { type: 'engine/unanswered' }
  /** A request under a lease failed: what is shown of Ollama may no longer be so. */
  | { type: 'engine/invalidated' }
  /** Starting Ollama or setting it up failed. */
  | { type: 'engine/failed'; failure: unknown }
  /** Andiron's own Ollama came or went. */
  | { type: 'child/changed' }
  /** A window came to the front: what it shows should not be half a minute old. */
  | { type: 'window/shown' }
  | { type: 'client/left'; connection: Connection }
  /** @property failure null = it is loaded, or nobody wanted it any more. */
  | { type: 'load/ended'; model: string; failure: unknown }
  /** A load waits for memory that another program keeps; null = no longer. */
  | { type: 'load/starved'; failure: AndironError | null }
  | { type: 'residency/read' }
  /** @property idle nobody waits for the GPU, and nothing is being loaded. */
  | { type: 'lease/ended'; model: string; idle: boolean }
  | { type: 'slot/recovered'; model: string; tookMs: number };

type FactOf<T extends EngineFact['type']> = Extract<EngineFact, { type: T }>;

export interface Facts {
  /** Calls all listeners before it returns, in the order in which they subscribed. Never throws. */
  publish(fact: EngineFact): void;
  /** A listener that throws is logged and keeps no other from hearing. */
  on<T extends EngineFact['type']>(type: T, listener: (fact: FactOf<T>) => void): void;
}

export function createFacts(log: Log): Facts {
  const listeners: ((fact: EngineFact) => void)[] = [];
  return {
    publish(fact) {
      for (const listener of listeners) {
        try {
          listener(fact);
        } catch (error) {
          log.error(`a part of the engine failed on ${fact.type}`, error);
        }
      }
    },
    on: (type, listener) =>
      void listeners.push((fact) => {
        if (isOf(fact, type)) listener(fact);
      }),
  };
}

function isOf<T extends EngineFact['type']>(fact: EngineFact, type: T): fact is FactOf<T> {
  return fact.type === type;
}
