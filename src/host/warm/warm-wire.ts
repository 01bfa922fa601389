/** How warm-ups go over the wire: the messages as a turn sends them, rendered or evaluated by the engine. */
import type { Clock } from '../../platform/clock.ts';
import { createOllamaApi } from '../../ollama/api.ts';
import { evaluateRaw } from '../../ollama/raw.ts';
import { renderPrompt } from '../../ollama/render.ts';
import type { CountedRequest } from '../providers/provider.ts';
import { toWireMessages, toWireTools } from '../providers/wire.ts';
import type { EngineClient } from '../engine-client/engine-client.ts';
import type { Models } from '../models/create-models.ts';
import type { ReadingRates } from '../models/reading-rates.ts';
import type { Store } from '../store/store.ts';
import { PrefixWarmer, type WarmerDeps } from './prefix-warmer.ts';
import type { WarmWire } from './warm-up.ts';
import { z } from 'zod';

const uncounted = { inputTokens: null, cachedTokens: null, outputTokens: null };

interface WarmerWire extends Pick<WarmerDeps, 'access' | 'defaultProfile' | 'clock' | 'log'> {
  models: Pick<Models, 'abilities' | 'heads' | 'rates' | 'templates' | 'trackers'>;
  engine: WarmerDeps['engine'] & Pick<EngineClient, 'reportWasted'>;
  store: Pick<Store, 'readModelFact' | 'writeModelFact'>;
  counts: { count: CountWarmUp };
}

export function wireWarmer({ models, store, counts, ...parts }: WarmerWire): PrefixWarmer {
  return new PrefixWarmer({
    ...models,
    models: models.abilities,
    ...parts,
    wire: warmWire(parts.clock, models.rates, counts.count),
    facts: {
      read: (digest) => store.readModelFact(digest, 'warm', z.unknown()),
      write: (digest, standing) => store.writeModelFact(digest, 'warm', standing),
    },
    onWasted: ({ model, tokens, promptMs }) => parts.engine.reportWasted(model, tokens, promptMs),
  });
}

/** `sessionId` null = what all sessions of a profile begin with. */
type CountWarmUp = (request: CountedRequest, sessionId: string | null) => void;

/** What a warm-up takes teaches how fast its model reads. */
function warmWire(clock: Clock, rates: ReadingRates, count: CountWarmUp): WarmWire {
  const ollama = createOllamaApi(clock);
  return {
    render: ({ url, plan }, { head, messages, policy, think }, signal) =>
      renderPrompt({
        url,
        plan,
        messages: toWireMessages(head, messages, policy),
        tools: toWireTools(head, policy),
        think,
        clock,
        signal,
      }),
    async evaluate({ url, plan, model }, prompt, sessionId, signal) {
      const counted = { purpose: 'warm', model: model.name, cost: null } as const;
      const counters = await evaluateRaw({ url, plan, prompt, clock, signal }).catch((error: unknown) => {
        if (signal.aborted) count({ ...counted, ended: 'stopped', ...uncounted }, sessionId);
        throw error;
      });
      const { promptTokens, cachedTokens, outputTokens, promptMs } = counters;
      const figures = { inputTokens: promptTokens, cachedTokens, outputTokens };
      count({ ...counted, ended: 'answered', ...figures }, sessionId);
      if (promptTokens !== null && cachedTokens !== null && promptMs !== null) {
        rates.of(model.name).learn({ tokens: promptTokens - cachedTokens, depth: cachedTokens }, promptMs);
      }
      return counters;
    },
    modelInfo: async ({ url, model }, signal) => (await ollama.show(url, model.name, signal)).model_info,
  };
}
