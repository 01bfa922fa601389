import { expect, test } from 'vitest';
import type { EngineState } from '../../protocol/model.ts';
import { createFacts } from '../base/engine-facts.ts';
import { createStateStore, initialState } from '../base/state.ts';
import { createIncidents } from '../incidents/incidents.ts';
import type { Ours } from '../memory/ours.ts';
import { fakeDeps, gib, settle } from '../testing/fakes.ts';
import { openMonitor } from './open-monitor.ts';

const model = 'qwen3:8b';

/** A model of ours on a card that slows down for its heat. */
function open() {
  const deps = fakeDeps();
  const allocate = (kib: number) => deps.files.texts.set('/proc/7/status', `RssAnon:\t  ${String(kib)} kB`);
  const smi = (used: number) =>
    deps.processes.outputs.set('nvidia-smi', `RTX 4090, 24564, ${String(used)}, 0, 41, 23.4\n`);
  const state = createStateStore(initialState);
  const facts = createFacts(deps.log);
  const plan = { model, options: { num_ctx: 8_192 }, shift: false } as const;
  const ours: Ours = new Map([[model, { plan, keepAlive: '10m' }]]);
  const monitor = openMonitor({ ...deps, findRunner: () => Promise.resolve({ pid: 7, port: 1 }) }, state, {
    facts,
    url: () => 'http://127.0.0.1:11434',
    watched: () => true,
    seesGpu: () => true,
    incidents: createIncidents(state, facts, deps.clock, deps.newId),
    ours,
    plans: { get: () => undefined },
  });
  const events: Partial<EngineState>[] = [];
  state.onChange((changes) => events.push(changes));
  const tick = () => deps.clock.advance(2_000);
  return { state, monitor, ours, smi, allocate, events, tick };
}

test('A GPU tick is one event, with the incidents that it brings (audit-A13)', async () => {
  const { state, monitor, ours, smi, events, tick } = open();
  smi(1_000);
  await monitor.now();
  const load = ours.get(model);
  ours.clear();
  const row = { name: model, sizeBytes: 8 * gib, vramBytes: 6 * gib, contextTokens: 8_192, asPlanned: true };
  state.update({ loaded: [{ ...row, expiresAt: '' }] });
  if (load) ours.set(model, load);
  events.length = 0;
  smi(7_000);
  await tick();
  expect(events.map((changes) => Object.keys(changes).toSorted())).toEqual([['gpus', 'incidents']]);
  expect(state.current().incidents).toMatchObject([{ kind: 'spill', model }]);
});

test('What a runner keeps for other sessions goes into the event of a tick (audit-A13)', async () => {
  const { state, monitor, smi, allocate, events, tick } = open();
  allocate(65_536);
  smi(1_000);
  await monitor.now();
  state.update({ loading: { model, since: 0, expectedMs: null } });
  const row = { name: model, sizeBytes: gib, vramBytes: gib, contextTokens: 8_192, asPlanned: true };
  state.update({ loading: null, loaded: [{ ...row, expiresAt: '' }] });
  await settle();
  events.length = 0;
  let ticks = 0;
  while (!state.current().sideCacheBytes) {
    ticks += 1;
    smi(1_000 + ticks);
    allocate(ticks * 65_536);
    await tick();
  }
  expect(events).toHaveLength(ticks);
});
