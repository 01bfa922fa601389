/** What the tokens of other hosts cost, where `hosts.json` says so. */
import { z } from 'zod';
import type { Cost } from '../../protocol/usage-methods.ts';
import { splitModelName } from '../../rules/model-names.ts';
import type { Figures } from './meter.ts';

/** In place of the models that are not named. */
const anyModel = '*';
/** Of a million tokens. A mistake of this size is a slip of the keyboard. */
const maxPrice = 100_000;

const price = z.number().nonnegative().max(maxPrice);

/** Per million tokens. */
export const tokenPricesSchema = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/, 'expected three letters, such as EUR'),
  models: z.record(
    z.string().min(1),
    /** `cached` left out = as other input. */
    z.strictObject({ input: price, cached: price.optional(), output: price }),
  ),
});
export type TokenPrices = z.infer<typeof tokenPricesSchema>;

interface PricedHost {
  id: string;
  prices?: TokenPrices | undefined;
}

/** Nano per token, of a price per million. */
const nanoPerToken = 1_000;

/** The first name that has a price counts. null where the host names none, or did not count what it took. */
export function createPriceList(hosts: () => readonly PricedHost[]) {
  return (names: readonly string[], { inputTokens, cachedTokens, outputTokens }: Figures): Cost | null => {
    const byHost = new Map(hosts().map(({ id, prices }) => [id, prices]));
    const ids = new Set(byHost.keys());
    const asked = names.map((name) => splitModelName(name, ids));
    const prices = byHost.get(asked[0]?.host ?? '');
    const named = new Map(Object.entries(prices?.models ?? {}));
    const paid = asked.map(({ model }) => named.get(model)).find((each) => each) ?? named.get(anyModel);
    if (!prices || !paid || inputTokens === null || outputTokens === null) return null;
    // A server that never says what it had charges nothing less for it.
    const cached = Math.min(cachedTokens ?? 0, inputTokens);
    const perMillion =
      (inputTokens - cached) * paid.input + cached * (paid.cached ?? paid.input) + outputTokens * paid.output;
    return { nano: Math.round(perMillion * nanoPerToken), currency: prices.currency };
  };
}
