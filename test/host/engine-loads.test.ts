/** Loads as the engine does them, over HTTP against a simulated Ollama: how often, at what price, lent and taken back. */
import { afterEach, describe, expect, test } from 'vitest';
import { createEngine, nodeFiles } from '../../src/engine/index.ts';
import { failureOf, fakeMachine, fakeProcesses } from '../../src/engine/testing/fakes.ts';
import { createOllamaApi } from '../../src/ollama/api.ts';
import { randomId, systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { EngineMethods } from '../../src/protocol/engine-methods.ts';
import type { EngineState, LoadPlan } from '../../src/protocol/model.ts';
import { createRpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { reply, rule, script, startSim, type Sim, type SimOptions } from '../../src/sim/index.ts';
import { FaultyHouses } from '../helpers/faulty-engine.ts';
import { within } from '../helpers/waiting.ts';

const gib = 2 ** 30;
const mib = 2 ** 20;
const nine = 'qwen3.5:9b';
const other = 'llama3.1:8b';
const models = [nine, other, 'gemma4:8b'] as const;

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function open(options: SimOptions = {}) {
  const sim = await startSim({ speed: 1_000, ...options });
  cleanUps.push(() => sim.close());
  const processes = fakeProcesses();
  processes.outputs.set('nvidia-smi', async () => {
    const { totalBytes, freeBytes } = sim.vram();
    return `Simulated GPU, ${String(totalBytes / mib)}, ${String((totalBytes - freeBytes) / mib)}, 0, 40, 20`;
  });
  const engine = createEngine({
    clock: systemClock,
    log: silentLog,
    newId: randomId,
    ollama: createOllamaApi(systemClock),
    processes,
    files: nodeFiles,
    machine: fakeMachine(),
    dataFile: null,
    simulated: false,
    url: sim.url,
  });
  cleanUps.push(() => engine.stop());
  const [here, there] = createTransportPair();
  engine.connect(there);
  const client = createRpcClient<EngineMethods>(here);
  cleanUps.push(async () => client.close());
  const until = (ready: (state: EngineState) => boolean, what: string): Promise<EngineState> => {
    const found = new Promise<EngineState>((resolve) => {
      const look = (): void => {
        if (!ready(engine.state())) return;
        stop();
        resolve(engine.state());
      };
      const stop = engine.onChange(look);
      look();
    });
    return within(found, what);
  };
  const acquire = (
    model: string,
    more: { contextTokens?: number; purpose?: 'turn' | 'warm'; signal?: AbortSignal } = {},
  ) =>
    client.call(
      'lease/acquire',
      { model, contextTokens: more.contextTokens ?? 8_192, purpose: more.purpose ?? 'turn', label: 'test' },
      more.signal,
    );
  const release = (leaseId: string) => client.call('lease/release', { leaseId });
  const use = async (model: string, contextTokens = 8_192): Promise<LoadPlan> => {
    const { leaseId, plan } = await acquire(model, { contextTokens });
    await release(leaseId);
    return plan;
  };
  return { sim, engine, client, until, acquire, release, use };
}

async function post(url: string, path: string, body: object, signal?: AbortSignal): Promise<void> {
  const reply = await fetch(url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  await reply.text();
}

/** Requests that may load a model: everything else only asks. */
const mayLoad = (sim: Sim) =>
  sim.truth.requests.filter(({ endpoint }) => /^\/api\/(?:generate|chat|embed)/.test(endpoint));

test('loads ÷ models is 1.00 over a hundred requests of every kind, settings peeks included', async () => {
  const { sim, client, acquire, release, use } = await open({
    gpu: { totalBytes: 64 * gib, otherBytes: gib },
  });
  const kinds = ['chat', 'planning', 'compaction', 'subagent', 'warm-up', 'preload', 'peek'] as const;
  for (let index = 0; index < 100; index += 1) {
    const model = models[index % models.length] ?? nine;
    const kind = kinds[index % kinds.length];
    if (kind === 'preload') {
      await client.call('model/preload', { model });
      continue;
    }
    if (kind === 'peek') {
      await client.call('model/price', { model, contextTokens: 32_768 });
      await client.call('model/residency', { model });
      await client.call('engine/refresh', {});
      continue;
    }
    // Each profile and each kind of request wishes for a window of its own.
    const contextTokens = [4_096, 8_192, 16_384, 32_768][index % 4] ?? 4_096;
    const lease = await acquire(model, { contextTokens, purpose: kind === 'warm-up' ? 'warm' : 'turn' });
    const { url, plan } = lease;
    const common = { ...plan, stream: false, truncate: false };
    if (kind === 'warm-up')
      await post(url, '/api/generate', {
        ...common,
        prompt: 'warm',
        raw: true,
        options: { ...plan.options, num_predict: 1 },
      });
    else
      await post(url, '/api/chat', {
        ...common,
        messages: [{ role: 'user', content: `${String(kind)} ${String(index)}` }],
        options: { ...plan.options, temperature: kind === 'chat' ? 0.7 : 0.3 },
      });
    await release(lease.leaseId);
  }
  await use(nine, 65_536);
  expect((sim.truth.loads.length / models.length).toFixed(2)).toBe('1.00');
  expect(sim.truth.unloads).toEqual([]);
  expect(sim.truth.violations).toEqual([]);
});

test('what settings show is asked without a load: list, details, residency, prices', async () => {
  const { sim, client, until } = await open();
  await until((state) => state.modelsReadAt !== null, 'the list of models');
  await client.call('engine/watch', { visible: true });
  for (const model of models) {
    await client.call('model/price', { model, contextTokens: 16_384 });
    await client.call('model/residency', { model });
  }
  await client.call('engine/refresh', {});
  expect(mayLoad(sim)).toEqual([]);
  expect(sim.truth.loads).toEqual([]);
});

test('a price is what the load then comes to: which model goes, how many bytes, about how long', async () => {
  const { sim, client, use } = await open({ gpu: { totalBytes: 12 * gib, otherBytes: gib } });
  sim.setLoad(nine, { seconds: 0.2 });
  await use(nine);
  await client.call('model/unload', { model: nine });
  await use(other);
  const price = await client.call('model/price', { model: nine, contextTokens: 8_192 });
  expect(price).toMatchObject({ model: nine, contextTokens: 8_192, loads: true, unloads: [other] });
  expect(price.loadBytes).toBeGreaterThan(gib);
  expect(price.loadMs).toBeGreaterThanOrEqual(200);
  expect(price.loadMs).toBeLessThan(2_000);
  expect(sim.truth.loads).toHaveLength(2);
  await use(nine);
  expect(sim.truth.unloads.map(({ model }) => model)).toEqual([nine, other]);
  expect(await client.call('model/price', { model: nine, contextTokens: 8_192 })).toMatchObject({
    loads: false,
    loadBytes: 0,
    loadMs: 0,
    unloads: [],
  });
});

test('lent and taken back: the memory is free, then the same model has the same window', async () => {
  const { sim, client, engine, use } = await open();
  const plan = await use(nine, 16_384);
  const before = sim.vram().freeBytes;
  await client.call('engine/lend', {});
  const { lent } = engine.state();
  expect(lent).toMatchObject({ model: nine, contextTokens: 16_384 });
  expect(sim.vram().freeBytes - before).toBe(lent?.freedBytes);
  expect(await failureOf(client.call('model/preload', { model: nine }))).toMatchObject({ code: 'lent' });
  await client.call('engine/take-back', {});
  expect(engine.state()).toMatchObject({
    lent: null,
    loaded: [{ name: nine, contextTokens: 16_384, plannedTokens: 16_384, asPlanned: true }],
    incidents: [],
  });
  expect(await use(nine, 4_096)).toEqual(plan);
  expect(sim.truth.loads.map(({ model, numCtx }) => [model, numCtx])).toEqual([
    [nine, 16_384],
    [nine, 16_384],
  ]);
});

test('a load that is given up is thrown away by Ollama, who waits is told, and the next one loads', async () => {
  const { sim, client, engine, acquire } = await open();
  sim.setLoad(nine, { seconds: 30 });
  const started = sim.truth.next('load-started');
  const aborted = sim.truth.next('load-aborted');
  const first = failureOf(acquire(nine));
  await started;
  await client.call('model/cancel-load', {});
  expect(await first).toMatchObject({ code: 'cancelled', message: `The load of ${nine} was given up.` });
  await within(aborted, 'the load to be thrown away');
  expect(engine.state()).toMatchObject({ loading: null, lease: null, problem: null });
  sim.setLoad(nine);
  expect(await acquire(nine)).toMatchObject({ loaded: true });
  expect(sim.truth.loads.map(({ outcome }) => outcome)).toEqual(['aborted', 'loaded']);
});

test('another program that reloads the model is told once, and our own reloads are not', async () => {
  const { sim, client, engine, use } = await open();
  await use(nine);
  await client.call('model/preload', { model: nine, contextTokens: 16_384 });
  await post(sim.url, '/api/generate', { model: nine, options: { num_ctx: 2_048 } });
  await client.call('engine/refresh', {});
  await client.call('engine/refresh', {});
  expect(engine.state().incidents).toMatchObject([
    {
      kind: 'reload',
      model: nine,
      message: `Another program reloaded ${nine} with a context of 2048 tokens instead of 16384.`,
    },
  ]);
  await use(nine);
  expect(engine.state().incidents).toHaveLength(1);
});

test('another program that unloads the model, or crowds it out, is told', async () => {
  const { sim, client, engine, use } = await open({ gpu: { totalBytes: 10 * gib, otherBytes: gib } });
  await use(nine);
  await post(sim.url, '/api/generate', { model: nine, keep_alive: 0 });
  await client.call('engine/refresh', {});
  await use(nine);
  await post(sim.url, '/api/generate', { model: other, options: { num_ctx: 8_192 } });
  await client.call('engine/refresh', {});
  expect(engine.state().incidents).toMatchObject([
    { kind: 'evicted', message: `${nine} had to leave memory for ${other}, which another program loaded.` },
    { kind: 'evicted', message: `Another program unloaded ${nine}, or Ollama was restarted.` },
  ]);
});

test('whoever waits for the GPU is told in order, and comes in in that order', async () => {
  const { engine, acquire, release, until } = await open();
  const first = await acquire(nine);
  const order: string[] = [];
  const wait = async (name: string, model: string, purpose: 'turn' | 'warm'): Promise<void> => {
    const { leaseId } = await acquire(model, { purpose });
    order.push(name);
    await release(leaseId);
  };
  const all = [
    wait('warm-up', nine, 'warm'),
    wait('first turn', other, 'turn'),
    wait('second turn', nine, 'turn'),
  ];
  await until((state) => state.queue.length === 3, 'the queue');
  expect(engine.state().queue.map(({ model, purpose }) => [model, purpose])).toEqual([
    [other, 'turn'],
    [nine, 'turn'],
    [nine, 'warm'],
  ]);
  await release(first.leaseId);
  await Promise.all(all);
  expect(order).toEqual(['first turn', 'second turn', 'warm-up']);
});

test('a send that meets a warm-up is in as soon as that is closed, however much it had still to read', async () => {
  // Nothing but its end would ever free the GPU.
  const { sim, client, acquire, release, use } = await open({
    script: script([rule({ endpoint: 'generate' }, reply().hang())]),
  });
  await use(nine);
  for (let index = 0; index < 10; index += 1) {
    const { leaseId, url, plan } = await acquire(nine, { purpose: 'warm' });
    const controller = new AbortController();
    const reading = sim.truth.next('prefill-started');
    const warmUp = { ...plan, prompt: `head ${String(index)}`, raw: true, stream: false, truncate: false };
    const warming = post(url, '/api/generate', warmUp, controller.signal).catch(() => 'closed');
    const givenWay = client.call('lease/wanted', { leaseId }).then(() => {
      controller.abort();
      return release(leaseId);
    });
    await within(reading, 'the warm-up to be read');
    const send = await within(acquire(nine), 'the send to be let in');
    expect(send.loaded).toBe(false);
    expect(await warming).toBe('closed');
    await givenWay;
    await release(send.leaseId);
  }
  expect(sim.truth.loads).toHaveLength(1);
});

describe('in a house with a session', () => {
  const houses = new FaultyHouses();
  afterEach(() => houses.close());

  async function house() {
    const run = await houses.open([]);
    const [here, there] = createTransportPair();
    run.world.engine.connect(there);
    return { ...run, client: createRpcClient<EngineMethods>(here) };
  }

  test('a load that is given up ends the message with words, and the next one loads', async () => {
    const { world, session, client } = await house();
    world.sim.setLoad(nine, { seconds: 30 });
    const turnId = await session.send('Try');
    await session.until(({ turns }) => turns.at(-1)?.phase === 'loading');
    await client.call('model/cancel-load', {});
    const { status } = await session.closed(turnId);
    expect(status).toBe('failed');
    expect(session.items('error')).toMatchObject([
      { code: 'cancelled', message: `The load of ${nine} was given up.` },
    ]);
    world.sim.setLoad(nine);
    expect((await session.ask('Again')).status).toBe('finished');
  });

  test('a message takes a lent GPU back by itself, and nothing else does', async () => {
    const { world, session, client } = await house();
    expect((await session.ask('First')).status).toBe('finished');
    await world.rest();
    await client.call('engine/lend', {});
    expect(world.engine.state()).toMatchObject({ lent: { model: nine }, loaded: [] });
    const loads = world.sim.truth.loads.length;
    // A session that is opened would like to be warmed.
    await world.openSession();
    await client.call('engine/refresh', {});
    expect(world.sim.truth.loads).toHaveLength(loads);
    expect((await session.ask('Second')).status).toBe('finished');
    expect(world.engine.state().lent).toBeNull();
    const windows = world.sim.truth.loads.map(({ numCtx }) => numCtx);
    expect(windows).toEqual([windows[0], windows[0]]);
  });
});
