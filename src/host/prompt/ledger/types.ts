/** What the ledger is asked and told. Tokens and milliseconds; null = unknown. */
import type { Reading, RunnerSlot } from '../../../protocol/engine-room.ts';
import type { ContextMessage, ReplyCounters } from '../../providers/provider.ts';
import type { TemplateCard } from '../card/card.ts';
import type { MemoryRules } from './cache-reach.ts';
import type { PromptSource } from './shape.ts';
import type { Owner } from './cause-words.ts';

/** What has to be known of a model; may be asked anew for every request. */
export interface ModelFacts extends MemoryRules {
  /** undefined = not probed: then everything is taken to be rendered as it was written. */
  card: TemplateCard | undefined;
  /** Through the template inside of the GGUF: the engine then also leaves checkpoints at user messages. */
  native: boolean;
  /** Tokens that the runner can keep beside its slot; null = unknown. */
  besideTokens: number | null;
}

export interface LedgerRequest extends PromptSource {
  /** Also of a subagent: whatever has a log of its own. */
  session: string;
  model: string;
  /** `side`: asked on the prefix and no part of the log; `warm`: a raw prompt that ends where the next user text begins. */
  purpose: 'main' | 'side' | 'warm';
  /** The reply follows a grammar. */
  underGrammar?: boolean | undefined;
}

type RereadFields = 'cause' | 'owner' | 'detail' | 'parting';

/** Before it is sent. */
export interface Prediction extends Pick<Reading, RereadFields> {
  promptTokens: number;
  cached: number;
  new: number;
  reread: number;
}

/** What is known afterwards; the more the better. */
export interface Measured {
  counters: ReplyCounters;
  /** As it will stand in the log; left out = nothing of it is kept. */
  reply?: ContextMessage | undefined;
  /** The runner's own account while it worked on this request. */
  slot?: RunnerSlot | null | undefined;
}

export interface Stopped {
  /** Read while it ran, or right after; null = the runner could not be asked. */
  slot: RunnerSlot | null;
  /** The first line had come, so the whole prompt was evaluated. */
  opened: boolean;
  /** Tokens that came as lines. */
  outputTokens: number;
  /** From sending to closing. */
  elapsedMs: number;
  reply?: ContextMessage | undefined;
}

export interface Settled {
  reading: Reading;
  /** Tokens that a warm-up had evaluated for nothing; 0 = it proved itself; null = there was none. */
  wastedWarmUp: number | null;
}

/** What somebody did to a session's history, flags or head; counts for its next request. */
export interface Announcement {
  by: 'person' | 'andiron';
  /** In words, e.g. "You edited the second message." */
  detail: string;
  /** The model has to be loaded for it. */
  reloads?: boolean;
}

export interface Reload {
  by: Owner;
  /** In words: why, or which program. */
  reason: string;
}
