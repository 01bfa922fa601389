/** Template cards: probed once for the bytes of a model, before its first request, and kept. */
import { createCardStore, type TemplateCard } from '../prompt/card/card.ts';
import { probeTemplate, type AskForRender } from '../prompt/card/probe-template.ts';
import { historyPolicy } from '../prompt/template-policy.ts';
import type { Lease, Templates } from '../loop/deps.ts';
import type { Log } from '../../platform/log.ts';
import type { FactStore } from '../store/fact-store.ts';
import { z } from 'zod';

/** Asks the engine behind this lease. */
export type RenderFor = (lease: Lease) => AskForRender;

const key = 'template';

export interface KnownTemplates extends Templates {
  /** undefined = its template was not probed. */
  cardOf: (digest: string) => TemplateCard | undefined;
}

export function createTemplates(store: FactStore, renderFor: RenderFor, log: Log): KnownTemplates {
  const cards = createCardStore({
    get: (digest) => store.readModelFact(digest, key, z.string()) ?? undefined,
    set: (digest, json) => store.writeModelFact(digest, key, json),
  });
  /** Engines that know no renders are asked once. */
  const without = new Set<string>();

  return {
    cardOf: (digest) => cards.get(digest),
    async policyOf(lease, signal) {
      const { digest, name } = lease.model;
      // On a host that is not the engine's nothing is rendered: its models have no digest of their own.
      if (digest === name) return historyPolicy(lease.model);
      const known = cards.get(digest);
      if (known || without.has(digest)) return historyPolicy(lease.model, known);
      try {
        const card = await probeTemplate(renderFor(lease), signal);
        if (card) cards.set(digest, card);
        else without.add(digest);
        return historyPolicy(lease.model, card ?? undefined);
      } catch (error) {
        signal.throwIfAborted();
        // The first real request will tell what is wrong; until a probe succeeds the family decides.
        log.warn('A template could not be probed', { model: lease.model.name, error: String(error) });
        return historyPolicy(lease.model);
      }
    },
  };
}
