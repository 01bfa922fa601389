import { withEngine, type Price } from '../../rules/price.ts';
import { useAnswer } from './use-answer.ts';

/** The same price, its load as the engine reckons it once that has answered. */
export function usePrice(price: Price, contextTokens: number): Price {
  const model = price.load?.model ?? null;
  const key = model === null ? null : `price:${model}:${contextTokens}`;
  // The engine may answer for another window than it was asked about, as large as the model holds.
  const { value } = useAnswer(key, async (ask) => ({
    key,
    price: await ask.price(model ?? '', contextTokens),
  }));
  return withEngine(price, value?.key === key ? value.price : null);
}
