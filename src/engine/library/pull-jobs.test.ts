import { expect, test } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import { failureOf, fakeDeps, settle } from '../testing/fakes.ts';
import { layer, line, openLibrary, openPulling, success } from '../testing/open-library.ts';

const cut = new AndironError('stream_cut', 'It broke.', 'Go on.');

test('a pull is told from the first moment to the last, and then the model is in the list', async () => {
  const house = await openPulling();
  expect(house.pulls()).toMatchObject([{ model: 'new:1b', phase: 'waiting', totalBytes: null }]);
  await house.push(layer(400));
  await house.deps.clock.advance(250);
  expect(house.pulls()).toMatchObject([{ phase: 'pulling', completedBytes: 400, totalBytes: 1_000 }]);
  await house.push(line({ status: 'verifying sha256 digest' }));
  await house.deps.clock.advance(250);
  expect(house.pulls()).toMatchObject([{ phase: 'verifying' }]);
  house.deps.ollama.install('new:1b');
  await house.push(layer(1_000));
  await house.push(success);
  expect(house.pulls()).toMatchObject([{ phase: 'done', completedBytes: 1_000, problem: null }]);
  expect(house.state.current().models).toMatchObject([{ name: 'new:1b' }]);
  await house.deps.clock.advance(60_000);
  expect(house.pulls()).toEqual([]);
});

test('a thousand lines a second are told about four times a second', async () => {
  const house = await openPulling();
  let told = 0;
  house.state.onChange(() => (told += 1));
  for (let step = 1; step <= 200; step += 1) {
    await house.push(layer(step));
    if (step % 50 === 0) await house.deps.clock.advance(250);
  }
  expect(told).toBeGreaterThanOrEqual(3);
  expect(told).toBeLessThanOrEqual(5);
});

test('a pause closes the connection and keeps the figures; the next pull goes on', async () => {
  const house = await openPulling();
  await house.push(layer(400));
  await house.deps.clock.advance(250);
  const first = house.newest();
  await house.pause('NEW:1b');
  await settle();
  expect(first.closed).toBe(true);
  expect(house.pulls()).toMatchObject([{ phase: 'paused', completedBytes: 400, bytesPerSecond: null }]);
  await house.pull('new:1b');
  expect(house.pulls()).toMatchObject([{ phase: 'waiting', completedBytes: 400 }]);
  await house.push(layer(450));
  await house.deps.clock.advance(250);
  expect(house.pulls()).toMatchObject([{ phase: 'pulling', completedBytes: 450 }]);
});

test('a pull that runs is not begun a second time', async () => {
  const house = await openPulling();
  await house.pull('NEW:1b');
  expect(house.pulled()).toBe(1);
});

test('what is forgotten is gone at once and for good', async () => {
  const house = await openPulling();
  const first = house.newest();
  await house.forget('new:1b');
  await settle();
  expect(first.closed).toBe(true);
  expect(house.pulls()).toEqual([]);
  await house.library.stop();
  expect(house.deps.files.texts.get('/data/pulls.json')).not.toContain('new');
});

test('a cut connection is gone on with after a while, and says why it waits', async () => {
  const house = await openPulling();
  await house.push(layer(400));
  await house.push(cut);
  expect(house.pulls()).toMatchObject([
    { phase: 'waiting', completedBytes: 400, problem: { code: 'stream_cut', advice: 'Go on.' } },
  ]);
  await house.deps.clock.advance(1_000);
  expect(house.pulled()).toBe(2);
  await house.push(layer(500));
  await house.deps.clock.advance(250);
  expect(house.pulls()).toMatchObject([{ phase: 'pulling', completedBytes: 500, problem: null }]);
});

test('five connections that bring nothing are enough', async () => {
  const house = await openLibrary();
  house.deps.ollama.onPull = async function* () {
    yield layer(400);
    throw cut;
  };
  await house.pull('new:1b');
  await house.deps.clock.advance(300_000);
  expect(house.pulled()).toBe(5);
  expect(house.pulls()).toMatchObject([{ phase: 'failed', problem: { code: 'stream_cut' } }]);
});

test('connections that each bring something are bounded too', async () => {
  const house = await openLibrary();
  house.deps.ollama.onPull = async function* () {
    yield layer(0);
    yield layer(400);
    throw cut;
  };
  await house.pull('new:1b');
  await house.deps.clock.advance(300_000);
  expect(house.pulled()).toBe(50);
  expect(house.pulls()).toMatchObject([{ phase: 'failed' }]);
});

test('a pause while it waits for the next try holds', async () => {
  const house = await openPulling();
  await house.push(cut);
  await house.pause('new:1b');
  await house.deps.clock.advance(300_000);
  expect(house.pulled()).toBe(1);
  expect(house.pulls()).toMatchObject([{ phase: 'paused', problem: null }]);
});

test('what Ollama refuses is not tried again', async () => {
  const house = await openPulling();
  await house.push(new AndironError('model_missing', 'The library has no new:1b.', 'Check the name.'));
  await house.deps.clock.advance(300_000);
  expect(house.pulled()).toBe(1);
  expect(house.pulls()).toMatchObject([
    { phase: 'failed', problem: { code: 'model_missing', message: 'The library has no new:1b.' } },
  ]);
});

test('an Ollama that falls silent is left and asked again', async () => {
  const house = await openPulling();
  await house.push(layer(400));
  const first = house.newest();
  await house.deps.clock.advance(60_000);
  expect(first.closed).toBe(false);
  await house.deps.clock.advance(2_000);
  expect(first.closed).toBe(true);
  expect(house.pulled()).toBe(2);
});

test('a long check of what came is no silence', async () => {
  const house = await openPulling();
  await house.push(layer(1_000));
  await house.push(line({ status: 'verifying sha256 digest' }));
  await house.deps.clock.advance(20 * 60_000);
  expect(house.newest().closed).toBe(false);
});

test('a listed model that does not fit the disk is refused before anything is asked for', async () => {
  const house = await openLibrary();
  house.deps.files.disks.set('/home/ada/.ollama/models', 10e9);
  const refusal = await failureOf(house.pull('qwen3.8:27b'));
  expect(refusal).toMatchObject({
    code: 'storage',
    message: expect.stringContaining('17.0 GB are to come, and 10.0 GB are free'),
    advice: expect.stringContaining('Delete a model'),
  });
  expect(house.pulled()).toBe(0);
  expect(house.pulls()).toEqual([]);
});

test('what a pull would be refused for is told before it is asked for, by the same count', async () => {
  const house = await openLibrary();
  house.deps.files.disks.set('/home/ada/.ollama/models', 10e9);
  expect(await house.lacking(['qwen3.8:27b', 'qwen3.5:9b', 'nobody-knows:1b'])).toEqual([
    { model: 'qwen3.8:27b', neededBytes: 17e9, freeBytes: 10e9 },
  ]);
  expect(await failureOf(house.pull('qwen3.8:27b'))).toMatchObject({ code: 'storage' });
});

test('a model that is on its way has its room', async () => {
  const house = await openPulling({}, {}, 'qwen3.8:27b');
  house.deps.files.disks.set('/home/ada/.ollama/models', 2e9);
  expect(await house.lacking(['qwen3.8:27b'])).toEqual([]);
  expect(await house.lacking(['qwen3.5:9b'])).toHaveLength(1);
});

test('no model lacks room on a disk that nobody can measure', async () => {
  const house = await openLibrary({}, { onThisMachine: () => false });
  house.deps.files.disks.set('/home/ada/.ollama/models', 1e9);
  expect(await house.lacking(['qwen3.8:27b'])).toEqual([]);
});

test('before the first model the disk is judged on which its folder will be made, and one that nobody knows is not', async () => {
  const house = await openLibrary();
  house.deps.files.disks.set('/home/ada/.ollama', 10e9);
  expect(await failureOf(house.pull('qwen3.8:27b'))).toMatchObject({ code: 'storage' });
  const unknown = await openLibrary();
  await unknown.pull('qwen3.8:27b');
  expect(unknown.pulled()).toBe(1);
});

test('a model that is there may be brought up to date without room for a second one', async () => {
  const house = await openLibrary();
  house.deps.ollama.install('qwen3.8:27b');
  await house.catalogue.read();
  house.deps.files.disks.set('/home/ada/.ollama/models', 10e9);
  await house.pull('qwen3.8:27b');
  expect(house.pulled()).toBe(1);
});

test('what a forgotten download left on the disk needs no room again', async () => {
  const house = await openPulling({}, {}, 'qwen3.8:27b');
  await house.push(layer(12e9, 17e9));
  await house.deps.clock.advance(250);
  await house.forget('qwen3.8:27b');
  house.deps.files.disks.set('/home/ada/.ollama/models', 10e9);
  await house.pull('qwen3.8:27b');
  expect(house.pulled()).toBe(2);
});

test('any other is refused as soon as its size is known', async () => {
  const house = await openPulling();
  house.deps.files.disks.set('/home/ada/.ollama/models', 10e9);
  await house.push(layer(0, 40e9));
  expect(house.newest().closed).toBe(true);
  expect(house.pulls()).toMatchObject([{ phase: 'failed', problem: { code: 'storage' } }]);
  await house.deps.clock.advance(300_000);
  expect(house.pulled()).toBe(1);
});

test('what lies on the disk already needs no room again', async () => {
  const house = await openPulling();
  house.deps.files.disks.set('/home/ada/.ollama/models', 10e9);
  await house.push(layer(39e9, 40e9));
  expect(house.newest().closed).toBe(false);
});

test('two downloads share the room', async () => {
  const house = await openPulling();
  house.deps.files.disks.set('/home/ada/.ollama/models', 20e9);
  await house.push(layer(0, 10e9));
  await house.pull('second:1b');
  await house.push(layer(0, 12e9));
  expect(house.pulls()).toMatchObject([
    { model: 'new:1b', problem: null },
    { model: 'second:1b', phase: 'failed', problem: { code: 'storage' } },
  ]);
});

test('the disk of another machine is not judged by ours', async () => {
  const house = await openPulling({}, { onThisMachine: () => false });
  house.deps.files.disks.set('/home/ada/.ollama/models', 1e9);
  await house.push(layer(0, 40e9));
  expect(house.newest().closed).toBe(false);
});

test('of two possible folders the roomier one counts, and OLLAMA_MODELS goes before both', async () => {
  const disks: [string, number][] = [
    ['/home/ada/.ollama/models', 1e9],
    ['/usr/share/ollama/.ollama/models', 90e9],
    ['/models', 2e9],
  ];
  const two = await openLibrary();
  for (const [folder, bytes] of disks) two.deps.files.disks.set(folder, bytes);
  await two.pull('qwen3.8:27b');
  const named = await openLibrary({ machine: { ...two.deps.machine, env: { OLLAMA_MODELS: '/models' } } });
  for (const [folder, bytes] of disks) named.deps.files.disks.set(folder, bytes);
  expect(await failureOf(named.pull('qwen3.8:27b'))).toMatchObject({ code: 'storage' });
});

test.each(['', 'two words', 'x'.repeat(400), 'a\nb'])('%j is not a name', async (name) => {
  const house = await openLibrary();
  expect(await failureOf(house.pull(name))).toMatchObject({ code: 'invalid_params' });
});

test.each(['gpt-oss:120b-cloud', 'kimi:cloud'])('%s runs elsewhere and is not pulled', async (name) => {
  const house = await openLibrary();
  expect(await failureOf(house.pull(name))).toMatchObject({
    code: 'engine_refused',
    message: expect.stringContaining('ollama.com'),
  });
});

test('without Ollama a pull is refused', async () => {
  const house = await openLibrary({}, { url: () => null });
  expect(await failureOf(house.pull('new:1b'))).toMatchObject({ code: 'engine_unavailable' });
  expect(house.pulls()).toEqual([]);
});

test('what was coming when Andiron closed is offered as paused at the next start', async () => {
  const house = await openPulling();
  await house.push(layer(400));
  await house.deps.clock.advance(250);
  await house.library.stop();
  expect(house.newest().closed).toBe(true);
  const next = await openLibrary({ files: house.deps.files });
  expect(next.pulls()).toMatchObject([
    { model: 'new:1b', phase: 'paused', completedBytes: 400, totalBytes: 1_000, problem: null },
  ]);
  expect(next.pulled()).toBe(0);
});

test('a download that was killed with Andiron is offered too', async () => {
  const house = await openPulling();
  const next = await openLibrary({ files: house.deps.files });
  expect(next.pulls()).toMatchObject([{ model: 'new:1b', phase: 'paused' }]);
});

test('a failed one stays failed, with its reason', async () => {
  const house = await openPulling();
  await house.push(new AndironError('storage', 'Full.', 'Make room.'));
  await house.library.stop();
  const next = await openLibrary({ files: house.deps.files });
  expect(next.pulls()).toMatchObject([{ phase: 'failed', problem: { message: 'Full.' } }]);
});

test.each(['{', '{"version":1,"pulls":[{"model":3}]}', '[]'])(
  'a broken list offers nothing: %s',
  async (text) => {
    const deps = fakeDeps();
    deps.files.texts.set('/data/pulls.json', text);
    expect((await openLibrary({ files: deps.files })).pulls()).toEqual([]);
  },
);

test('nothing of a simulated library is kept', async () => {
  const house = await openPulling({ simulated: true });
  await house.library.stop();
  expect(house.deps.files.texts.has('/data/pulls.json')).toBe(false);
});
