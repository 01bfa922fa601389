import type { Clock } from './clock.ts';
import type { ModelStore } from './models.ts';
import type { Recommendation, Registry } from './registry/registry.ts';
import type { Vocabulary } from './runner/vocabulary.ts';
import type { Scheduler } from './scheduler/scheduler.ts';
import type { Script } from './script/script.ts';
import type { Random } from './time/index.ts';
import type { Truth } from './truth/truth.ts';
import type { Dialect } from './wire/dialect.ts';

/** What every endpoint works with. */
export interface WireParts {
  dialect: Dialect;
  clock: Clock;
  truth: Truth;
}

export interface LibraryParts extends WireParts {
  store: ModelStore;
  registry: Registry;
  /** null = the cloud is switched off, and with it Ollama's suggestions. */
  recommendations: readonly Recommendation[] | null;
}

export interface LoadParts extends WireParts {
  store: ModelStore;
  scheduler: Scheduler;
  /** Window of a load that names none. */
  defaultContext: number;
}

export interface AnswerParts extends LoadParts {
  vocabulary: Vocabulary;
  random: Random;
  /** Refuse histories whose calls and results do not pair, instead of only noting it. */
  refuseUnpaired: boolean;
  /** Asked at each close while lines flow: does it take the slot for good? */
  takesSlot: () => boolean;
  /** Chooses replies; may be exchanged at any time. */
  script: ScriptHolder;
  /** Ends the server with everything that it has loaded, and starts it again at its address. */
  restart(awayMs: number, version: string | undefined): void;
}

/** One simulated server. */
export interface Engine extends LibraryParts, AnswerParts {
  version: string;
}

export interface ScriptHolder {
  current: Script;
  /** Requests that the current script was asked about, by endpoint. */
  asked: Record<'chat' | 'generate', number>;
}
