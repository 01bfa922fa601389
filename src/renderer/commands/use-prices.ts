import type { Profile } from '../../protocol/model.ts';
import { switchPrice, withEngine, type Price, type PricingContext } from '../../rules/price.ts';
import { useAnswer } from './use-answer.ts';

export interface AskedPrice {
  price: Price;
  /** The window that its model would be loaded with. */
  contextTokens: number;
}

/** What the rule says of several changes, in the same order; each load as the engine reckons it, once it has answered. */
export function usePrices(asked: readonly AskedPrice[]): Price[] {
  const loads = new Map(
    asked.flatMap(({ price: { load }, contextTokens }) =>
      load === null ? [] : [[loadKey(load.model, contextTokens), { model: load.model, contextTokens }]],
    ),
  );
  const key = [...loads.keys()].join('\n');
  // The engine may answer for another window than it was asked about, as large as the model holds.
  const { value } = useAnswer(key === '' ? null : key, async (ask) => {
    const answers = await Promise.allSettled(
      [...loads].map(
        async ([name, load]) => [name, await ask.price(load.model, load.contextTokens)] as const,
      ),
    );
    return new Map(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])));
  });
  return asked.map(({ price, contextTokens }) =>
    withEngine(price, (price.load && value?.get(loadKey(price.load.model, contextTokens))) ?? null),
  );
}

const loadKey = (model: string, contextTokens: number): string => `${model}@${contextTokens}`;

export function usePrice(price: Price, contextTokens: number): Price {
  const [priced = price] = usePrices([{ price, contextTokens }]);
  return priced;
}

/** What a switch to each profile would cost. */
export function useProfilePrices(
  pricing: PricingContext,
  profiles: readonly Profile[],
): (id: string) => Price {
  const prices = usePrices(
    profiles.map((profile) => ({
      price: switchPrice(pricing, profile),
      contextTokens: profile.contextTokens,
    })),
  );
  return (id) =>
    prices[profiles.findIndex((profile) => profile.id === id)] ?? { load: null, reread: null, unread: true };
}
