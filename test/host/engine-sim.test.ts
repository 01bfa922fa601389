/** The real engine, the real wire and a simulated Ollama over HTTP. Only nvidia-smi is played: it reports the simulator's VRAM. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createEngine, nodeFiles, type EngineDeps } from '../../src/engine/index.ts';
import { failureOf, fakeMachine, fakeProcesses } from '../../src/engine/testing/fakes.ts';
import { createOllamaApi } from '../../src/ollama/api.ts';
import { randomId, systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { EngineMethods } from '../../src/protocol/engine-methods.ts';
import type { EngineState } from '../../src/protocol/model.ts';
import { createRpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { startSim, type Sim, type SimOptions } from '../../src/sim/index.ts';

const gib = 2 ** 30;
const small = 'qwen3.5:9b';
const other = 'llama3.1:8b';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function simulate(options: SimOptions = {}): Promise<Sim> {
  const sim = await startSim({ speed: 1_000, ...options });
  cleanUps.push(() => sim.close());
  return sim;
}

async function dataFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'andiron-engine-'));
  cleanUps.push(() => rm(folder, { recursive: true }));
  return join(folder, 'engine.json');
}

async function open(sim: Sim, changes: Partial<EngineDeps> = {}) {
  const processes = fakeProcesses();
  const mib = 1024 ** 2;
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
    ...changes,
  });
  cleanUps.push(() => engine.stop());
  const [here, there] = createTransportPair();
  engine.connect(there);
  const client = createRpcClient<EngineMethods>(here);
  cleanUps.push(async () => client.close());
  const until = (ready: (state: EngineState) => boolean): Promise<EngineState> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!ready(engine.state())) return;
        stop();
        resolve(engine.state());
      };
      const stop = engine.onChange(look);
      look();
    });
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
  return { engine, client, until, acquire, release };
}

async function post(url: string, path: string, body: object): Promise<void> {
  await (await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })).text();
}

const loadsOf = (sim: Sim) => sim.truth.loads.map(({ model, cause, outcome }) => ({ model, cause, outcome }));

test.each(['0.33.2', '0.40'] as const)(
  'it is found, with its models and what they can do (%s)',
  async (dialect) => {
    const sim = await simulate({ dialect });
    const { until } = await open(sim);
    const { status, models } = await until((state) => state.modelsReadAt !== null);
    expect(status).toMatchObject({ kind: 'running', url: sim.url, simulated: false });
    expect(models.map(({ name }) => name).toSorted()).toEqual(['gemma4:8b', other, small]);
    for (const model of models) {
      expect(model.capabilities).toContain('tools');
      expect(model.trainedContext).toBeGreaterThan(0);
      expect(model.thinkingValues).not.toBeNull();
    }
  },
);

test('a lease loads the model by its plan, and /api/ps says so', async () => {
  const sim = await simulate();
  const { acquire, client, until } = await open(sim);
  const lease = await acquire(small);
  expect(lease).toMatchObject({ url: sim.url, loaded: true, plan: { options: { num_ctx: 8_192 } } });
  const { loaded } = await until((state) => state.loaded.length > 0);
  expect(loaded).toMatchObject([{ name: small, contextTokens: 8_192, asPlanned: true }]);
  expect(await client.call('model/residency', { model: small })).toMatchObject({
    loaded: true,
    vramBytes: loaded[0]?.vramBytes,
  });
});

test('a chat with the plan of its lease reloads nothing', async () => {
  const sim = await simulate();
  const { acquire } = await open(sim);
  const { url, plan } = await acquire(small);
  const body = { ...plan, messages: [{ role: 'user', content: 'hello' }], stream: false, truncate: false };
  const reply = await fetch(`${url}/api/chat`, { method: 'POST', body: JSON.stringify(body) });
  await reply.text();
  expect(loadsOf(sim)).toHaveLength(1);
});

test('a load survives the caller that left it', async () => {
  const sim = await simulate();
  sim.setLoad(small, { seconds: 0.3 });
  const { acquire, until } = await open(sim);
  const controller = new AbortController();
  const started = sim.truth.next('load-started');
  const left = failureOf(acquire(small, { signal: controller.signal }));
  await started;
  controller.abort();
  expect(await left).toMatchObject({ code: 'cancelled' });
  await until((state) => state.loaded.length === 1);
  expect(await acquire(small)).toMatchObject({ loaded: false });
  expect(loadsOf(sim)).toMatchObject([{ model: small, outcome: 'loaded' }]);
});

test('a model switch on a small GPU: the old one is unloaded by us, never evicted', async () => {
  const sim = await simulate({ gpu: { totalBytes: 10 * gib, otherBytes: gib } });
  const { acquire, release, until } = await open(sim);
  await release((await acquire(small)).leaseId);
  await release((await acquire(other)).leaseId);
  const { loaded } = await until((state) => state.loaded[0]?.name === other);
  expect(loaded).toHaveLength(1);
  const unloads = sim.truth.requests.filter(
    ({ endpoint, body }) =>
      endpoint === '/api/generate' && (body as { keep_alive?: unknown }).keep_alive === 0,
  );
  expect(unloads.map(({ model }) => model)).toEqual([small]);
  expect(sim.truth.unloads).toHaveLength(1);
});

test('a load that fails is told with advice, and the next one that works clears it', async () => {
  const sim = await simulate();
  const { acquire, engine } = await open(sim);
  sim.setLoad(small, { failure: { kind: 'out-of-memory' } });
  expect(await failureOf(acquire(small))).toMatchObject({ code: 'load_failed' });
  expect(engine.state().problem).toMatchObject({
    code: 'load_failed',
    advice: expect.stringContaining('memory'),
  });
  sim.setLoad(small);
  await acquire(small);
  expect(engine.state().problem).toBeNull();
});

test('the plan is kept on disk: the next engine reloads nothing', async () => {
  const sim = await simulate();
  const file = await dataFile();
  const first = await open(sim, { dataFile: file });
  await first.acquire(small, { contextTokens: 4_096 });
  await first.engine.stop();
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    models: { [small]: { plan: { options: { num_ctx: 4_096 } }, onCpu: false } },
  });
  const second = await open(sim, { dataFile: file });
  expect(await second.acquire(small)).toMatchObject({ loaded: false, plan: { options: { num_ctx: 4_096 } } });
  expect(loadsOf(sim)).toHaveLength(1);
});

test('on a machine without a GPU the plan names the small batch from the first load', async () => {
  const sim = await simulate({ gpu: null });
  const { acquire } = await open(sim, { processes: fakeProcesses() });
  expect((await acquire(small)).plan.options).toEqual({ num_ctx: 8_192, num_batch: 256 });
});

test('the engine going away is noticed by the next caller', async () => {
  const sim = await simulate();
  const { acquire, until } = await open(sim);
  await until((state) => state.status.kind === 'running');
  await sim.close();
  expect(await failureOf(acquire(small))).toMatchObject({ code: 'engine_unavailable' });
  await until((state) => state.status.kind === 'absent');
});

test('loads ÷ models is 1.00 over one hundred mixed requests', async () => {
  const sim = await simulate({ gpu: { totalBytes: 48 * gib, otherBytes: gib } });
  const { client, acquire, release } = await open(sim);
  const models = [small, other, 'gemma4:8b'];
  for (let index = 0; index < 100; index += 1) {
    const model = models[index % models.length] ?? small;
    if (index % 10 === 9) {
      await client.call('model/preload', { model });
      continue;
    }
    const lease = await acquire(model, {
      contextTokens: [4_096, 8_192, 16_384, 32_768][index % 4] ?? 4_096,
      purpose: index % 5 === 0 ? 'warm' : 'turn',
    });
    const common = { ...lease.plan, stream: false, truncate: false };
    const messages = [{ role: 'user', content: `question ${String(index)}` }];
    if (index % 5 === 0)
      await post(lease.url, '/api/generate', {
        ...common,
        prompt: 'warm',
        raw: true,
        options: { ...lease.plan.options, num_predict: 1 },
      });
    else
      await post(lease.url, '/api/chat', {
        ...common,
        messages,
        options: { ...lease.plan.options, temperature: 0.3 },
      });
    await release(lease.leaseId);
  }
  expect(sim.truth.loads.length / models.length).toBe(1);
  expect(sim.truth.unloads).toEqual([]);
});
