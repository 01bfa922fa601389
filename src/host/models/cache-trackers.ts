/** The ledger as sessions use it: what each request should find in the engine's cache, and what it found. */
import type { Clock, NewId } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { ModelInfo } from '../../protocol/model.ts';
import type { CacheTracker, TrackedRequest, OpenEntry } from '../loop/deps.ts';
import type { ContextMessage } from '../providers/provider.ts';
import type { TemplateCard } from '../prompt/card/card.ts';
import {
  createLedger,
  type Ledger,
  type LedgerRequest,
  type Prediction,
  type MemoryKind,
  type ModelFacts,
} from '../prompt/ledger/ledger.ts';

export interface CacheTrackers extends Pick<Ledger, 'reloaded' | 'announce' | 'forget'> {
  of(session: string): CacheTracker;
  /**
   * What the newest main request of this session would find now if it had these messages instead. null = it is not
   * remembered, or has no such messages.
   */
  predictWith(session: string, change: ChangeMessages): PricedRequest | null;
}

type ChangeMessages = (sent: readonly ContextMessage[]) => readonly ContextMessage[] | null;

/** Tokens. */
interface PricedRequest extends Pick<Prediction, 'cached' | 'reread'> {
  model: string;
}

/** What `/api/show` says of a model. */
interface ShownModel {
  modelInfo: Readonly<Record<string, unknown>> | undefined;
  template: string | undefined;
}

export interface CacheTrackersDeps {
  cardOf: (digest: string) => TemplateCard | undefined;
  /** Rejects where the engine does not tell. */
  show: (url: string, model: string, signal: AbortSignal) => Promise<ShownModel>;
  clock: Clock;
  newId: NewId;
  log: Log;
}

interface Known {
  model: ModelInfo;
  request: TrackedRequest;
}

/** Andiron's questions of what a model can do belong to no session of a person. */
export const ownTrackers = { exam: 'exam', meeting: 'first-meeting' } as const;

/** Of so many sessions the newest request is remembered; its messages are those of their logs. */
const maxRemembered = 8;

export function createCacheTrackers({ cardOf, show, clock, newId, log }: CacheTrackersDeps): CacheTrackers {
  const known = new Map<string, Known>();
  const newest = new Map<string, TrackedRequest>();
  const remember = (session: string, request: TrackedRequest): void => {
    newest.delete(session);
    newest.set(session, request);
    for (const oldest of [...newest.keys()].slice(0, -maxRemembered)) newest.delete(oldest);
  };
  /** By digest; null = asked for, or it did not tell. */
  const shown = new Map<string, ShownModel | null>();

  const factsOf = (name: string): ModelFacts => {
    const facts = known.get(name);
    if (!facts) throw new Error(`Nothing was ever asked of ${name}.`);
    const { options } = facts.request.plan;
    const shownModel = shown.get(facts.model.digest);
    return {
      card: cardOf(facts.model.digest),
      native: shownModel?.template?.includes('{%') ?? false,
      memory: memoryOf(shownModel?.modelInfo ?? {}),
      batch: options.num_batch ?? usualBatch(options.num_ctx),
      context: options.num_ctx,
      besideTokens: null,
    };
  };
  const ledger = createLedger({ factsOf, ownSessions: new Set(Object.values(ownTrackers)) });

  /** Asked once for the bytes of a model; where it does not tell, its memory counts as one that keeps everything. */
  const know: CacheTracker['know'] = async ({ url, model }, signal) => {
    const { name, digest } = model;
    // Other hosts' models have no digest of their own, and no cache that could be known.
    if (digest === name || shown.has(digest)) return;
    shown.set(digest, null);
    try {
      shown.set(digest, await show(url, name, signal));
    } catch (error) {
      if (signal.aborted) shown.delete(digest);
      else log.warn('A model did not tell its memory', { model: name, error: String(error) });
    }
  };

  return {
    reloaded: (model, reload) => ledger.reloaded(model, reload),
    announce: (session, announcement) => ledger.announce(session, announcement),
    forget(session) {
      newest.delete(session);
      ledger.forget(session);
    },
    predictWith(session, change) {
      const request = newest.get(session);
      const messages = request ? change(request.messages) : null;
      if (!request || !messages) return null;
      const entry = entryOf(session, { ...request, messages }, 'main', clock.now());
      const { cached, reread } = ledger.predict(entry);
      return { model: request.model, cached, reread };
    },
    of: (session) => ({
      know,
      sent(model, request, purpose): OpenEntry {
        known.set(model.name, { model, request });
        if (purpose === 'main') remember(session, request);
        const id = newId('entry_');
        const prediction = ledger.sent(id, entryOf(session, request, purpose, clock.now()));
        return {
          expected: { promptTokens: prediction.promptTokens, cachedTokens: prediction.cached },
          answered: (counters, reply, slot) => ledger.answered(id, { counters, reply, slot }).reading,
          stopped: (facts) => ledger.stopped(id, facts).reading,
          failed: () => ledger.failed(id),
        };
      },
    }),
  };
}

function entryOf(
  session: string,
  { model, head, messages, history, think }: TrackedRequest,
  purpose: LedgerRequest['purpose'],
  now: number,
): LedgerRequest {
  return { session, model, head, messages, history, think, purpose, day: dayOf(now) };
}

const two = (value: number): string => String(value).padStart(2, '0');

/** The machine's own day: some templates print it. */
function dayOf(now: number): string {
  const date = new Date(now);
  return `${String(date.getFullYear())}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const recurrent = /\.(ssm\.|shortconv\.|wkv\.|full_attention_interval)/;

/** By the keys of `model_info`. */
export function memoryOf(modelInfo: Readonly<Record<string, unknown>>): MemoryKind {
  const entries = Object.entries(modelInfo);
  if (entries.some(([key, value]) => recurrent.test(key) && value !== 0)) return { kind: 'recurrent' };
  const window = entries.find(([key]) => key.endsWith('.attention.sliding_window'))?.[1];
  return typeof window === 'number' && window > 0 ? { kind: 'sliding', window } : { kind: 'full' };
}

/** Ollama's own choice where the plan names none. */
function usualBatch(window: number): number {
  if (window <= 4_096) return 512;
  return window <= 32_768 ? 1_024 : 2_048;
}
