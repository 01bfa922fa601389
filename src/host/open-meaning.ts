/** Facts found by what they mean: with the engine's models, and counted as whatever else they are asked. */
import type { HostEvent } from '../protocol/events.ts';
import type { EngineClient } from './engine-client/engine-client.ts';
import { createMeaning, type Meaning, type MeaningDeps } from './memory/meaning/meaning.ts';
import type { CountedRequest } from './providers/provider.ts';

export type MeaningParts = Pick<MeaningDeps, 'store' | 'more' | 'clock' | 'log'> & {
  gpu: Pick<EngineClient, 'state' | 'onState' | 'embed'>;
  counts: { count(request: CountedRequest, sessionId: string | null): void };
};

/** Sessions are there later: they are told then. */
export function openMeaning(
  { gpu, counts, ...parts }: MeaningParts,
  sessions: () => { publish(event: HostEvent): void },
): Meaning {
  return createMeaning({
    ...parts,
    engine: gpu,
    countTokens: (model, tokens, sessionId) => counts.count(counted(model, tokens), sessionId),
    onChange: () => sessions().publish({ type: 'memory/changed' }),
  });
}

const counted = (model: string, inputTokens: number | null): CountedRequest => ({
  purpose: 'vectors',
  model,
  ended: 'answered',
  inputTokens,
  cachedTokens: null,
  outputTokens: null,
  cost: null,
});
