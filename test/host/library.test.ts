/** The engine's library, the real wire and a simulated Ollama over HTTP. Only the size of the disk is played. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createEngine, nodeFiles, type EngineDeps } from '../../src/engine/index.ts';
import { failureOf, fakeMachine, fakeProcesses } from '../../src/engine/testing/fakes.ts';
import { createOllamaApi } from '../../src/ollama/api.ts';
import { randomId, systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { EngineMethods } from '../../src/protocol/engine-methods.ts';
import type { Pull } from '../../src/protocol/engine-room.ts';
import type { EngineState } from '../../src/protocol/model.ts';
import { createRpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { DISK_FULL, startSim, type PullableModel, type Sim, type SimOptions } from '../../src/sim/index.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';
import { Bell } from '../helpers/waiting.ts';

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const name = 'llama3.1:8b';
const bytes = 400_000_000;
/** Long enough for a test to step in between, and for a speed to be told. */
const bytesPerSecond = bytes / 0.8;
const offer: PullableModel = { name, family: 'template-llama3.1', bytes, bytesPerSecond };
const quick: PullableModel = { ...offer, bytesPerSecond: bytes * 100 };

async function simulate(options: SimOptions = {}): Promise<Sim> {
  const sim = await startSim({
    speed: 1_000,
    models: [{ name: 'qwen3.5:9b', family: 'qwen3.5' }],
    pullable: [quick],
    ...options,
  });
  cleanUps.push(() => sim.close());
  return sim;
}

async function dataFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'andiron-library-'));
  cleanUps.push(() => rm(folder, { recursive: true }));
  return join(folder, 'engine.json');
}

async function open(sim: Sim, changes: Partial<EngineDeps> = {}) {
  const engine = createEngine({
    clock: systemClock,
    log: silentLog,
    newId: randomId,
    ollama: createOllamaApi(systemClock),
    processes: fakeProcesses(),
    files: nodeFiles,
    machine: fakeMachine(),
    dataFile: null,
    simulated: false,
    url: sim.url,
    ...changes,
  });
  cleanUps.push(() => engine.stop());
  const bell = new Bell();
  const told: Pull[] = [];
  engine.onChange(({ pulls }) => {
    const [pull] = pulls;
    if (pull && pull !== told.at(-1)) told.push(pull);
    bell.ring();
  });
  const [here, there] = createTransportPair();
  engine.connect(there);
  const client = createRpcClient<EngineMethods>(here);
  cleanUps.push(() => client.close());
  const until = async (ready: (state: EngineState) => boolean): Promise<EngineState> => {
    await bell.until(
      () => ready(engine.state()),
      () => `the state; pulls: ${JSON.stringify(engine.state().pulls)}`,
    );
    return engine.state();
  };
  await until(({ modelsReadAt }) => modelsReadAt !== null);
  return {
    engine,
    client,
    until,
    /** Every word about the newest pull. */
    told,
    pull: (model = name) => client.call('model/pull', { model }),
    phase: async (phase: Pull['phase']): Promise<Pull> => {
      const { pulls } = await until(({ pulls: [pull] }) => pull?.phase === phase);
      return pulls[0] as Pull;
    },
    names: () => engine.state().models.map((model) => model.name),
  };
}

const pullsOf = (sim: Sim) => sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/pull');

test.each(['0.33.2', '0.40'] as const)(
  'a model is pulled with its progress told, and can be loaded at once (%s)',
  async (dialect) => {
    const sim = await simulate({ dialect, pullable: [offer] });
    const { pull, phase, told, names, client } = await open(sim);
    await pull();
    const done = await phase('done');
    expect(done.completedBytes).toBeGreaterThan(bytes);
    expect(done.totalBytes).toBe(done.completedBytes);
    expect(names()).toContain(name);
    const completed = told.map(({ completedBytes }) => completedBytes);
    expect(completed).toEqual(completed.toSorted((a, b) => a - b));
    // About four a second, and the changes of phase; the simulator writes 16 lines a second.
    expect(told.length).toBeLessThanOrEqual(12);
    const speeds = told.flatMap(({ bytesPerSecond }) => bytesPerSecond ?? []);
    expect(speeds.some((speed) => speed > bytesPerSecond / 2 && speed < bytesPerSecond * 2)).toBe(true);
    await client.call('model/preload', { model: name });
    expect(sim.truth.loads.map(({ model, outcome }) => [model, outcome])).toEqual([[name, 'loaded']]);
  },
);

test('a pause closes the connection, and the next pull begins where it was', async () => {
  const sim = await simulate({ pullable: [offer] });
  const { pull, client, until, phase } = await open(sim);
  await pull();
  const closed = sim.truth.next('close-seen');
  await until(({ pulls: [first] }) => (first?.completedBytes ?? 0) > bytes / 10);
  await client.call('model/pull-pause', { model: name });
  await closed;
  const paused = await phase('paused');
  await pull();
  const { pulls } = await until(({ pulls: [first] }) => first?.phase === 'pulling');
  expect(pulls[0]?.completedBytes).toBeGreaterThanOrEqual(paused.completedBytes);
  await phase('done');
});

test('what was coming when Andiron closed goes on after the next start', async () => {
  const sim = await simulate({ pullable: [offer] });
  const file = await dataFile();
  const first = await open(sim, { dataFile: file });
  await first.pull();
  await first.until(({ pulls: [each] }) => (each?.completedBytes ?? 0) > bytes / 10);
  await first.engine.stop();
  const second = await open(sim, { dataFile: file });
  const [offered] = second.engine.state().pulls;
  expect(offered).toMatchObject({ model: name, phase: 'paused', problem: null });
  expect(offered?.completedBytes).toBeGreaterThan(bytes / 10);
  expect(pullsOf(sim)).toHaveLength(1);
  await second.pull();
  await second.phase('done');
  const third = await open(sim, { dataFile: file });
  await second.engine.stop();
  expect(third.engine.state().models.map((model) => model.name)).toContain(name);
});

test('a forgotten pull leaves no trace', async () => {
  const sim = await simulate({ pullable: [offer] });
  const { pull, client, until, engine, names } = await open(sim);
  await pull();
  await until(({ pulls: [first] }) => first?.phase === 'pulling');
  const closed = sim.truth.next('close-seen');
  await client.call('model/pull-forget', { model: name });
  await closed;
  expect(engine.state().pulls).toEqual([]);
  expect(names()).not.toContain(name);
});

test('a connection that is cut is gone on with by itself', async () => {
  const sim = await simulate();
  const clock = skippableClock();
  sim.failPulls(name, [
    { kind: 'cut', atByte: bytes / 2 },
    { kind: 'line', atByte: bytes / 2 + 1, text: '{"status":' },
    { kind: 'rollback', atByte: (bytes / 4) * 3, bytes: bytes / 2 },
  ]);
  const { pull, until, phase, told } = await open(sim, { clock });
  await pull();
  for (const code of ['stream_cut', 'stream_broken']) {
    const { pulls } = await until(({ pulls: [first] }) => first?.problem?.code === code);
    expect(pulls[0]).toMatchObject({ phase: 'waiting', problem: { message: expect.stringContaining(name) } });
    clock.skip(2_000);
  }
  await phase('done');
  expect(pullsOf(sim)).toHaveLength(3);
  const completed = told.map(({ completedBytes }) => completedBytes);
  expect(completed).toEqual(completed.toSorted((a, b) => a - b));
});

test('an Ollama that restarts in the middle is gone on with', async () => {
  const sim = await simulate({ pullable: [offer] });
  const { pull, until, phase } = await open(sim);
  await pull();
  await until(({ pulls: [first] }) => (first?.completedBytes ?? 0) > bytes / 10);
  await sim.restart();
  await until(({ pulls: [first] }) => first?.problem?.code === 'stream_cut');
  expect(await phase('done')).toMatchObject({ problem: null });
});

test.each([
  ['the disk is full', DISK_FULL, 'storage', 'became full'],
  ['the words are new', 'unheard of', 'engine_refused', 'unheard of'],
])('%s: it is said, what came stays, and a later pull goes on', async (_, text, code, message) => {
  const sim = await simulate();
  sim.failPulls(name, [{ kind: 'error', atByte: bytes / 2, text }]);
  const { pull, phase, engine, told } = await open(sim);
  await pull();
  expect(await phase('failed')).toMatchObject({
    completedBytes: bytes / 2,
    problem: { code, message: expect.stringContaining(message) },
  });
  expect(engine.state().problem).toBeNull();
  const before = told.length;
  await pull();
  await phase('done');
  expect(Math.min(...told.slice(before).map(({ completedBytes }) => completedBytes))).toBe(bytes / 2);
});

test('a library that lets go of Ollama is asked again by itself', async () => {
  const sim = await simulate();
  const clock = skippableClock();
  sim.failPulls(name, [{ kind: 'error', atByte: 1_000, text: 'max retries exceeded: unexpected EOF' }]);
  const { pull, until, phase } = await open(sim, { clock });
  await pull();
  const { pulls } = await until(({ pulls: [first] }) => first?.problem?.code === 'stream_cut');
  expect(pulls[0]).toMatchObject({
    phase: 'waiting',
    problem: { message: expect.stringContaining('library broke') },
  });
  clock.skip(2_000);
  await phase('done');
});

test('a stalled download is left after a minute and asked for again', async () => {
  const sim = await simulate();
  const clock = skippableClock();
  sim.failPulls(name, [{ kind: 'stall', atByte: bytes / 2 }]);
  const { pull, until, phase } = await open(sim, { clock });
  await pull();
  await until(({ pulls: [first] }) => first?.completedBytes === bytes / 2);
  const left = sim.truth.next('close-seen');
  clock.skip(61_000);
  await left;
  await until(({ pulls: [first] }) => first?.phase === 'waiting');
  clock.skip(2_000);
  expect((await phase('done')).completedBytes).toBeGreaterThan(bytes);
});

test('nonsense about sizes and statuses is survived', async () => {
  const sim = await simulate();
  const nonsense = [
    '{"status":"pulling x","digest":"sha256:x","total":-1,"completed":-9}',
    '{"status":"pulling x","digest":"sha256:x","total":1e400,"completed":1e308}',
    '{"status":"pulling x","digest":"sha256:x","total":10,"completed":99999}',
    `{"status":"${'x'.repeat(10_000_000)}"}`,
    '{"status":"pulling","digest":7,"total":{},"completed":[],"surprise":null}',
  ];
  sim.failPulls(
    name,
    nonsense.map((text, index) => ({ kind: 'line', atByte: 1_000 + index, text })),
  );
  const { pull, phase, told } = await open(sim);
  await pull();
  const done = await phase('done');
  expect(done.completedBytes).toBeLessThan(bytes * 1.01);
  for (const each of told) {
    expect(each.completedBytes).toBeLessThanOrEqual(each.totalBytes ?? 0);
    expect(each.problem).toBeNull();
  }
});

test('an unknown model is said to be unknown', async () => {
  const { pull, phase } = await open(await simulate());
  await pull('nope:1b');
  expect(await phase('failed')).toMatchObject({
    model: 'nope:1b',
    problem: { code: 'model_missing', message: 'The library has no nope:1b.' },
  });
});

test('a name that is none is refused by Ollama too', async () => {
  const { pull, phase } = await open(await simulate());
  await pull('a/b/c/d/e:f');
  expect(await phase('failed')).toMatchObject({ problem: { message: expect.stringContaining('invalid') } });
});

test('a model that does not fit the disk is stopped as soon as its size is known', async () => {
  const sim = await simulate({ pullable: [offer] });
  const files = { ...nodeFiles, freeBytes: async () => 1_200_000_000 };
  const { pull, phase } = await open(sim, { files });
  await pull();
  expect(await phase('failed')).toMatchObject({
    problem: { code: 'storage', message: expect.stringContaining('1.2 GB are free') },
  });
  expect(sim.truth.requests.at(-1)?.endpoint).toBe('/api/pull');
});

test('two clients that pull the same share the download, and a pause of ours does not stop theirs', async () => {
  const sim = await simulate({ pullable: [offer] });
  const { pull, client, until } = await open(sim);
  const theirs = fetch(`${sim.url}/api/pull`, { method: 'POST', body: JSON.stringify({ model: name }) });
  await pull();
  await until(({ pulls: [first] }) => first?.phase === 'pulling');
  await client.call('model/pull-pause', { model: name });
  expect(await (await theirs).text()).toContain('"status":"success"');
});

test('a loaded model is unloaded, deleted and gone from the list', async () => {
  const sim = await simulate({ models: [{ name, family: 'template-llama3.1' }] });
  const { client, until, names } = await open(sim);
  await client.call('model/preload', { model: name });
  await until(({ loaded }) => loaded.length === 1);
  expect((await client.call('model/details', { model: name })).dependents).toEqual([
    { kind: 'loaded', name },
  ]);
  await client.call('model/delete', { model: name });
  expect(names()).toEqual([]);
  expect(sim.truth.unloads.map(({ model }) => model)).toEqual([name]);
  expect(sim.vram().freeBytes).toBeGreaterThan(20e9);
});

test('a model under a lease is not deleted', async () => {
  const sim = await simulate();
  const { client, names } = await open(sim);
  const model = 'qwen3.5:9b';
  const lease = await client.call('lease/acquire', {
    model,
    contextTokens: 8_192,
    purpose: 'turn',
    label: 'a turn',
  });
  expect(await failureOf(client.call('model/delete', { model }))).toMatchObject({ code: 'busy' });
  expect(names()).toEqual([model]);
  await client.call('lease/release', { leaseId: lease.leaseId });
  await client.call('model/delete', { model });
  expect(names()).toEqual([]);
});

test('details are those of the engine', async () => {
  const sim = await simulate();
  const { client } = await open(sim);
  const details = await client.call('model/details', { model: 'QWEN3.5:9b' });
  expect(details).toMatchObject({ name: 'qwen3.5:9b', architecture: 'qwen35', trainedContext: 262_144 });
  expect(details.layers).toBeGreaterThan(0);
  expect(details.capabilities).toContain('tools');
  expect(details.parameters).toContain('temperature');
});

test('the catalogue is there with and without suggestions', async () => {
  const alone = await open(await simulate());
  const { entries } = await alone.client.call('library/catalogue', {});
  expect(entries.every(({ source }) => source === 'offline')).toBe(true);
  expect(entries.filter(({ installed }) => installed).map((entry) => entry.name)).toEqual(['qwen3.5:9b']);
  const suggested = await open(
    await simulate({
      recommendations: [{ model: 'novel:3b', description: 'New.', vram_bytes: 4 * 2 ** 30 }],
    }),
  );
  const more = await suggested.client.call('library/catalogue', {});
  expect(more.entries.at(-1)).toMatchObject({ name: 'novel:3b', source: 'ollama', forVramGib: 4 });
});
