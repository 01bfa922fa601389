/** A whole engine that watches a machine: a fake nvidia-smi that is a real program, and a simulated Ollama with runners. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createEngine, nodeProcesses } from '../../src/engine/index.ts';
import type { MonitorDeps } from '../../src/engine/gpu/open-monitor.ts';
import { failureOf, fakeFiles, fakeMachine, fakeProcesses } from '../../src/engine/testing/fakes.ts';
import { createOllamaApi } from '../../src/ollama/api.ts';
import { randomId, systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { EngineMethods } from '../../src/protocol/engine-methods.ts';
import type { EngineState } from '../../src/protocol/model.ts';
import { createRpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { reply, sequence, startSim, type Sim, type SimOptions } from '../../src/sim/index.ts';
import { Bell } from '../helpers/waiting.ts';

const model = 'llama3.1:8b';
const mib = 1024 ** 2;

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function simulate(options: SimOptions = {}): Promise<Sim> {
  const sim = await startSim({ speed: 1_000, ...options });
  cleanUps.push(() => sim.close());
  return sim;
}

function open(sim: Sim, changes: Partial<MonitorDeps> = {}) {
  const engine = createEngine({
    clock: systemClock,
    log: silentLog,
    newId: randomId,
    ollama: createOllamaApi(systemClock),
    processes: fakeProcesses(),
    files: fakeFiles(),
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
  const bell = new Bell();
  engine.onChange(() => bell.ring());
  const until = async (ready: (state: EngineState) => boolean): Promise<EngineState> => {
    await bell.until(
      () => ready(engine.state()),
      () => JSON.stringify(engine.state()),
    );
    return engine.state();
  };
  const load = () =>
    client.call('lease/acquire', { model, contextTokens: 8_192, purpose: 'turn', label: 'a test' });
  return { engine, client, until, load };
}

const core = 'NVIDIA GeForce RTX 4090, 24564, USED, 7, 41, 23.41';
/** What the driver may do, by name. */
const moods = {
  well: `echo "${core.replace('USED', '1320')}, GPU-1f2e, 0x0000000000000001"`,
  'well again': `echo "${core.replace('USED', '2000')}, GPU-1f2e, 0x0000000000000001"`,
  hanging: 'exec sleep 60',
  flooding: 'yes "$0" | head -c 10000000',
  nonsense: 'echo "<html>404</html>"; head -c 2000 /dev/urandom',
  failing: 'echo "NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver."; exit 9',
};

/** nvidia-smi as a program on the disk; what it does is decided anew for each mood. */
async function fakeDriver() {
  const folder = await mkdtemp(join(tmpdir(), 'andiron-driver-'));
  cleanUps.push(() => rm(folder, { recursive: true }));
  const program = join(folder, 'nvidia-smi');
  const real = nodeProcesses(() => fakeProcesses().startSampler());
  let limitMs = 0;
  return {
    async become(mood: keyof typeof moods): Promise<void> {
      const apps = 'echo "GPU-1f2e, 4100, 812, /opt/blender"';
      await writeFile(
        program,
        `#!/bin/sh\ncase "$1" in --query-compute*) ${apps};; *) ${moods[mood]};; esac\n`,
      );
      await chmod(program, 0o755);
      // A real driver's limit, sooner where it is to be reached.
      limitMs = mood === 'hanging' ? 400 : 10_000;
    },
    processes: {
      ...real,
      run: (command: string, args: readonly string[]) =>
        command === 'nvidia-smi' ? real.run(program, args, limitMs) : Promise.reject(missing(command)),
    },
  };
}

function missing(command: string): Error {
  return Object.assign(new Error(`spawn ${command} ENOENT`), { code: 'ENOENT' });
}

test.each(['hanging', 'flooding', 'nonsense', 'failing'] as const)(
  'a %s nvidia-smi makes its figures unknown and nothing else, and is believed again when it is well',
  async (mood) => {
    const driver = await fakeDriver();
    await driver.become('well');
    const { client, until } = open(await simulate(), { processes: driver.processes });
    const before = await until(({ gpus }) => gpus?.[0]?.vramUsedBytes === 1_320 * mib);
    expect(before.gpus).toMatchObject([{ name: 'NVIDIA GeForce RTX 4090', utilization: 7, throttled: [] }]);

    await driver.become(mood);
    const refreshed = client.call('engine/refresh', {});
    expect(await client.call('engine/set-keep-alive', { policy: 'minutes' })).toEqual({});
    await refreshed;
    const during = await until(({ gpus }) => gpus?.[0]?.vramUsedBytes === null);
    expect(during.gpus).toMatchObject([{ name: 'NVIDIA GeForce RTX 4090', utilization: null, powerW: null }]);
    expect(during.status.kind).toBe('running');

    await driver.become('well again');
    await client.call('engine/refresh', {});
    await until(({ gpus }) => gpus?.[0]?.vramUsedBytes === 2_000 * mib);
  },
);

test('memory that other programs hold is told apart from what models hold', async () => {
  const driver = await fakeDriver();
  await driver.become('well');
  const { client, until } = open(await simulate(), { processes: driver.processes });
  await until(({ gpus }) => gpus !== null && gpus.length > 0);
  await client.call('engine/watch', { visible: true });
  const { gpus } = await until((state) => typeof state.gpus?.[0]?.vramModelBytes === 'number');
  expect(gpus).toMatchObject([{ vramUsedBytes: 1_320 * mib, vramModelBytes: 0 }]);
  const { points } = await client.call('engine/timeline', {});
  expect(points.at(-1)).toMatchObject({ vramUsedBytes: 1_320 * mib, temperatureC: 41 });
});

const inSim =
  (sim: Sim): NonNullable<MonitorDeps['findRunner']> =>
  async (wish) => {
    const url = sim.runnerUrl(wish.model);
    return url === undefined ? null : { port: Number(new URL(url).port), pid: null };
  };

test('during a silent prefill the runner tells how far it is, and nothing once it is gone', async () => {
  const script = sequence(reply().prefill(1.2).text('ok'));
  const sim = await simulate({ speed: 100, script, runnerStatus: true });
  const { client, load, until } = open(sim, { findRunner: inSim(sim) });
  const slots = async () => (await client.call('runner/slots', { model })).slots;
  expect(await slots()).toBeNull();
  const { url, plan } = await load();
  await until(({ loaded }) => loaded.length > 0);
  expect(await slots()).toMatchObject([{ taskId: null, promptTokens: 0 }]);

  const begun = sim.truth.next('batch-evaluated');
  const messages = [{ role: 'user', content: 'word '.repeat(2_000) }];
  const body = JSON.stringify({ model, messages, options: plan.options, shift: plan.shift });
  const answer = fetch(`${url}/api/chat`, { method: 'POST', body });
  await begun;
  const [first] = (await slots()) ?? [];
  expect(first).toMatchObject({ isProcessing: true, decodedTokens: 0 });
  expect(first?.processedTokens).toBeGreaterThan(0);
  expect(first?.promptTokens).toBe((first?.processedTokens ?? 0) + (first?.cachedTokens ?? 0));
  await (await answer).text();
  await sim.truth.waitFor((truth) => truth.last()?.runnerIdleAt !== undefined);
  expect(await slots()).toMatchObject([{ isProcessing: false, cachedTokens: 0 }]);

  await sim.restart();
  await client.call('engine/refresh', {});
  expect(await slots()).toBeNull();
});

test('runners without a status of their own are given up without a word', async () => {
  const sim = await simulate();
  const { client, load, until, engine } = open(sim, { findRunner: inSim(sim) });
  await load();
  await until(({ loaded }) => loaded.length > 0);
  expect(await client.call('runner/slots', { model })).toEqual({ slots: null });
  expect(engine.state().problem).toBeNull();
});

test('a model that does not fit is called out once, with how much of it runs on the processor', async () => {
  const sim = await simulate();
  sim.setLoad(model, { offload: 0.5 });
  const { load, until, client } = open(sim);
  await load();
  const { incidents } = await until((state) => state.incidents.length > 0);
  expect(incidents).toMatchObject([{ kind: 'spill', model }]);
  expect(incidents[0]?.message).toMatch(/\d GB of \d+\.\d GB run on the processor/);
  expect(incidents[0]?.advice).toContain('smaller window');
  await client.call('engine/refresh', {});
  expect((await until(() => true)).incidents).toHaveLength(1);
});

test('a load shows about how far it is, and never goes back', async () => {
  const sim = await simulate();
  sim.setLoad(model, { seconds: 60 });
  const processes = fakeProcesses();
  const readings = [1_000, 1_000, 3_000, 2_000, 6_000];
  let used = 1_000;
  processes.outputs.set('nvidia-smi', async () => {
    if (sim.truth.loads.some(({ outcome }) => outcome === 'loading')) used = readings.shift() ?? used;
    return `GPU, 24564, ${String(used)}, 0, 40, 20`;
  });
  const { client, engine, load, until } = open(sim, { processes });
  const seen: number[] = [];
  engine.onChange(({ loading }) => {
    if (loading?.progress !== undefined) seen.push(loading.progress);
  });
  await until(({ gpus }) => gpus !== null && gpus.length > 0);
  const loaded = failureOf(load());
  await until(({ loading }) => (loading?.progress ?? 0) > 0.1);
  await client.call('model/cancel-load', {});
  await loaded;
  expect(seen.length).toBeGreaterThan(1);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(engine.state().loading).toBeNull();
});
