import { withEngine, type Price } from '../stores/price.ts';
import { useAnswer } from './use-answer.ts';

/** The same price, its load as the engine reckons it once that has answered. */
export function usePrice(price: Price, contextTokens: number): Price {
  const model = price.load?.model ?? null;
  const { value } = useAnswer(model === null ? null : `price:${model}:${contextTokens}`, (ask) =>
    ask.price(model ?? '', contextTokens),
  );
  return withEngine(price, value?.contextTokens === contextTokens ? value : null);
}
