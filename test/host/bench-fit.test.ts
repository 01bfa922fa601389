/** The fit benchmark on every change: it only computes. */
import { expect, it } from 'vitest';
import { measureFit, readFixtures } from '../bench/engine/fit.ts';

it('predicts what real loads took: median error 8 %, 95 of 100 within 20 %, those not looked at before included', () => {
  const { rows, figures, passed } = measureFit(readFixtures());
  expect(figures).toMatchObject({ fit_falsely_fits: 0 });
  expect(passed).toBe(true);
  const heldOut = rows.filter(({ fixture }) => fixture.set === 'held_out');
  expect(heldOut.length).toBeGreaterThanOrEqual(15);
  expect(Math.max(...heldOut.map(({ error }) => Math.abs(error)))).toBeLessThanOrEqual(0.2);
});

it('has at least 40 fixtures of at least 4 architectures, with several windows, batches and cache types', () => {
  const { models, fixtures } = readFixtures();
  const several = (of: (fixture: (typeof fixtures)[number]) => unknown): number =>
    new Set(fixtures.map(of)).size;
  expect(fixtures.length).toBeGreaterThanOrEqual(40);
  expect(several(({ model }) => models[model]?.numbers.architecture)).toBeGreaterThanOrEqual(4);
  expect(several(({ contextTokens }) => contextTokens)).toBeGreaterThanOrEqual(4);
  expect(several(({ batch }) => batch)).toBeGreaterThanOrEqual(3);
  expect(several(({ cacheType }) => cacheType)).toBe(3);
});

it('fails when a prediction is wrong', () => {
  const { models, fixtures } = readFixtures();
  const larger = fixtures.map((fixture) => ({
    ...fixture,
    measuredMib: { ...fixture.measuredMib, cache: fixture.measuredMib.cache * 3 },
  }));
  expect(measureFit({ models, fixtures: larger })).toMatchObject({ passed: false });
  expect(measureFit({ models, fixtures: fixtures.slice(0, 39) })).toMatchObject({ passed: false });
});
