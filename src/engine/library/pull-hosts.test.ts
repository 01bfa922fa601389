import { expect, test } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import { failureOf, fakeDeps } from '../testing/fakes.ts';
import { layer, openLibrary, openPulling, success } from '../testing/open-library.ts';

const cut = new AndironError('stream_cut', 'It broke.', 'Go on.');
const usual = 'http://127.0.0.1:11434';
const far = 'http://gpu.lan:11434';

/** A download that runs at `far`; `world.url` is the Ollama in use. */
async function openPullingFar(model?: string) {
  const world = { url: far };
  const house = await openPulling({}, { url: () => world.url }, model);
  house.deps.ollama.listensAt.add(far);
  await house.deps.clock.advance(1_000);
  return { ...house, world };
}

test('a download whose Ollama is not used any more begins at no other one, and says which one it waits for', async () => {
  const house = await openPullingFar();
  house.world.url = usual;
  await house.push(cut);
  await house.deps.clock.advance(2_000);
  expect(house.pulled()).toBe(1);
  expect(house.pulls()).toMatchObject([
    { phase: 'waiting', problem: { code: 'engine_unavailable', message: expect.stringContaining(far) } },
  ]);
  await house.deps.clock.advance(300_000);
  expect(house.pulls()).toMatchObject([{ phase: 'failed', problem: { code: 'engine_unavailable' } }]);
});

test('a download goes on once its Ollama is used again', async () => {
  const house = await openPullingFar();
  house.world.url = usual;
  await house.push(cut);
  await house.deps.clock.advance(1_000);
  house.world.url = far;
  await house.deps.clock.advance(10_000);
  expect(house.pulled()).toBe(2);
});

test('a paused download is not resumed at another Ollama', async () => {
  const house = await openPullingFar();
  await house.push(layer(400));
  await house.deps.clock.advance(250);
  await house.pause('new:1b');
  house.world.url = usual;
  expect(await failureOf(house.pull('new:1b'))).toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringContaining(far),
    advice: expect.stringContaining('forget'),
  });
  expect(house.pulls()).toMatchObject([{ phase: 'paused', completedBytes: 400 }]);
  await house.forget('new:1b');
  await house.pull('new:1b');
  expect(house.pulls()).toMatchObject([{ phase: 'waiting', completedBytes: 0 }]);
});

test('where a download was begun is still known after the next start', async () => {
  const house = await openPullingFar();
  await house.library.stop();
  const next = await openLibrary({ files: house.deps.files });
  expect(await failureOf(next.pull('new:1b'))).toMatchObject({ message: expect.stringContaining(far) });
});

test('a download of which no Ollama is recorded is resumed at the one in use', async () => {
  const deps = fakeDeps();
  const pull = { model: 'new:1b', completedBytes: 400, totalBytes: 1_000, startedAt: 1, problem: null };
  deps.files.texts.set('/data/pulls.json', JSON.stringify({ version: 1, pulls: [pull] }));
  const house = await openLibrary({ files: deps.files });
  house.deps.ollama.onPull = async function* () {
    yield success;
  };
  await house.pull('new:1b');
  expect(house.pulled()).toBe(1);
});

test("a download of Andiron's own Ollama goes on at another port", async () => {
  const world = { url: 'http://127.0.0.1:40001' };
  const house = await openLibrary({}, { url: () => world.url });
  const running = {
    kind: 'running',
    version: '0.40.2',
    simulated: false,
    exposed: false,
    own: true,
  } as const;
  house.state.update({ status: { ...running, url: world.url } });
  house.deps.ollama.onPull = async function* () {
    yield layer(0);
    throw cut;
  };
  await house.pull('new:1b');
  world.url = 'http://127.0.0.1:40002';
  house.state.update({ status: { ...running, url: world.url } });
  house.deps.ollama.listensAt.add(world.url);
  await house.deps.clock.advance(1_000);
  expect(house.pulls()).toMatchObject([{ phase: 'waiting', problem: { code: 'stream_cut' } }]);
});

test('a model that has come at one Ollama can be downloaded at another one at once', async () => {
  const house = await openPullingFar();
  await house.push(success);
  expect(house.pulls()).toMatchObject([{ phase: 'done' }]);
  house.world.url = usual;
  await house.pull('new:1b');
  expect(house.pulls()).toMatchObject([{ phase: 'waiting' }]);
  expect(house.pulled()).toBe(2);
});

test('what a forgotten download left at one Ollama is no room at another one', async () => {
  const house = await openPullingFar('qwen3.8:27b');
  await house.push(layer(12e9, 17e9));
  await house.deps.clock.advance(250);
  await house.forget('qwen3.8:27b');
  house.world.url = usual;
  house.deps.files.disks.set('/home/ada/.ollama/models', 10e9);
  expect(await failureOf(house.pull('qwen3.8:27b'))).toMatchObject({ code: 'storage' });
});

test('the room that is lacking is counted with what a download brought to this Ollama, and to no other one', async () => {
  const house = await openPullingFar('qwen3.8:27b');
  await house.push(layer(12e9, 17e9));
  await house.deps.clock.advance(250);
  house.deps.files.disks.set('/home/ada/.ollama/models', 10e9);
  const lackingNow = async (): Promise<(number | undefined)[]> => {
    const counts: (number | undefined)[] = [];
    for (const url of [far, usual]) {
      house.world.url = url;
      const [lacking] = await house.lacking(['qwen3.8:27b']);
      counts.push(lacking?.neededBytes);
    }
    return counts;
  };
  await house.pause('qwen3.8:27b');
  expect(await lackingNow()).toEqual([undefined, 17e9]);
  await house.forget('qwen3.8:27b');
  expect(await lackingNow()).toEqual([undefined, 17e9]);
});
