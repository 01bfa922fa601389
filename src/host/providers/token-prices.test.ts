import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPriceList, tokenPricesSchema, type TokenPrices } from './token-prices.ts';

const prices: TokenPrices = {
  currency: 'EUR',
  models: { big: { input: 2, cached: 0.5, output: 8 }, '*': { input: 0.15, output: 0.6 } },
};
const costOf = createPriceList(() => [{ id: 'lab', prices }, { id: 'attic' }]);
const figures = { inputTokens: 1_000, cachedTokens: 600, outputTokens: 100 };

test('What a model costs is the price of what was read anew, of what was cached and of the output (I8)', () => {
  expect(costOf(['lab/big'], figures)).toEqual({
    nano: 400 * 2_000 + 600 * 500 + 100 * 8_000,
    currency: 'EUR',
  });
});

test('A model that is not named costs what `*` says, cached input as other input (I8)', () => {
  expect(costOf(['lab/small'], figures)).toEqual({ nano: 1_000 * 150 + 100 * 600, currency: 'EUR' });
});

test('A host that answers by another name than it was asked is paid the price of the name that was asked (I8)', () => {
  expect(costOf(['lab/big-2026-01-31', 'lab/big'], figures)).toEqual(costOf(['lab/big'], figures));
});

test('The cost is unknown of a host without prices, of a local model and of what nobody counted (I8)', () => {
  expect(costOf(['attic/big'], figures)).toBeNull();
  expect(costOf(['big'], figures)).toBeNull();
  expect(costOf(['lab/big'], { ...figures, inputTokens: null })).toBeNull();
  expect(costOf(['lab/big'], { ...figures, outputTokens: null })).toBeNull();
});

test('No name of a model finds a price that nobody wrote (I8)', () => {
  const named = createPriceList(() => [{ id: 'lab', prices: { currency: 'EUR', models: {} } }]);
  for (const name of ['lab/constructor', 'lab/__proto__', 'lab/toString'])
    expect(named([name], figures)).toBeNull();
});

test('A cost is never below 0 and never above that of input without a cache (I8)', () => {
  fc.assert(
    fc.property(
      fc.nat(1e7),
      fc.option(fc.nat(2e7), { nil: null }),
      fc.nat(1e6),
      (inputTokens, cachedTokens, outputTokens) => {
        const cost = costOf(['lab/big'], { inputTokens, cachedTokens, outputTokens })?.nano ?? -1;
        const most = costOf(['lab/big'], { inputTokens, cachedTokens: 0, outputTokens })?.nano ?? -1;
        expect(cost).toBeGreaterThanOrEqual(0);
        expect(cost).toBeLessThanOrEqual(most);
      },
    ),
  );
});

test('Prices below 0, endless ones and currencies of no three letters are refused (I8)', () => {
  const refused = [
    { currency: 'EUR', models: { big: { input: -1, output: 1 } } },
    { currency: 'EUR', models: { big: { input: Infinity, output: 1 } } },
    { currency: '€', models: {} },
    { currency: 'EUR', models: { big: { input: 1 } } },
  ];
  for (const each of refused) expect(tokenPricesSchema.safeParse(each).success).toBe(false);
});
