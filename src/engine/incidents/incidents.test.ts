import { expect, test } from 'vitest';
import { silentLog } from '../../platform/log.ts';
import { createFacts } from '../base/engine-facts.ts';
import { createStateStore, initialState } from '../base/state.ts';
import { manualClock } from '../testing/fakes.ts';
import { createIncidents, wastedWarmUp } from './incidents.ts';

test('the newest stands first, and only fifty are kept', () => {
  const state = createStateStore(initialState);
  let id = 0;
  const newId = (prefix: string) => `${prefix}${String((id += 1))}`;
  const incidents = createIncidents(state, createFacts(silentLog), manualClock(), newId);
  for (let index = 0; index < 60; index += 1) {
    incidents.add({ kind: 'reload', model: 'm', message: String(index), advice: '', costMs: null });
  }
  const kept = state.current().incidents;
  expect(kept).toHaveLength(50);
  expect(kept[0]).toMatchObject({ id: 'incident_60', message: '59' });
});

test('a wasted warm-up says what it cost', () => {
  expect(wastedWarmUp('m', 1_200, 900)).toMatchObject({ kind: 'wasted_warm_up', model: 'm', costMs: 900 });
});
