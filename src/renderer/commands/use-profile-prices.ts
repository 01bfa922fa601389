import type { Profile } from '../../protocol/model.ts';
import { switchPrice, withEngine, type PricingContext, type Price } from '../../rules/price.ts';
import { useAnswer } from './use-answer.ts';

/** What a switch to each profile would cost; its load as the engine reckons it, once that has answered. */
export function useProfilePrices(pricing: PricingContext, profiles: Profile[]): (id: string) => Price {
  const prices = new Map(profiles.map((profile) => [profile.id, switchPrice(pricing, profile)]));
  const loads = profiles.flatMap(({ id, contextTokens }) => {
    const model = prices.get(id)?.load?.model;
    return model === undefined ? [] : [{ model, contextTokens }];
  });
  const key = loads.map(({ model, contextTokens }) => `${model}@${contextTokens}`).join();
  const { value } = useAnswer(key === '' ? null : key, (ask) =>
    Promise.allSettled(
      loads.map(async (load) => ({ ...load, price: await ask.price(load.model, load.contextTokens) })),
    ),
  );
  const answers = value?.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])) ?? [];
  return (id) => {
    const window = profiles.find((profile) => profile.id === id)?.contextTokens;
    const price = prices.get(id) ?? { load: null, reread: null, unread: true };
    const answer = answers.find(
      ({ model, contextTokens }) => model === price.load?.model && contextTokens === window,
    );
    return withEngine(price, answer?.price ?? null);
  };
}
