import { expect, test } from 'vitest';
import { fakeDeps, fakeMachine } from '../testing/fakes.ts';
import { createModelProcesses } from './model-processes.ts';
import { createNvidiaReader } from './nvidia-reader.ts';
import type { EngineProcess } from '../runner-status/ollama-processes.ts';

const mib = 1024 * 1024;
const core = 'RTX 4090, 24564, 9000, 61, 83, 410.5';
const server: EngineProcess = { pid: 70, parent: 1, program: 'ollama', args: ['serve'] };
const runner: EngineProcess = { pid: 91, parent: 70, program: 'llama-server', args: [] };

class Refused extends Error {
  readonly code = 2;
}

/** A driver by what it answers to a question; undefined = it refuses. */
function open(answer: (question: string) => string | undefined, holdsModels = true) {
  const deps = fakeDeps();
  const questions: string[] = [];
  const scans = { count: 0 };
  deps.processes.run = async (_, [question = '']) => {
    questions.push(question);
    const text = answer(question);
    if (text === undefined) throw new Refused('Field "x" is not a valid field to query.');
    return text;
  };
  const modelProcesses = createModelProcesses(async () => {
    scans.count += 1;
    return [server, runner];
  });
  const reader = createNvidiaReader(deps, { modelProcesses, holdsModels: () => holdsModels });
  const readTwice = async () => {
    await reader.read();
    return reader.read();
  };
  return { deps, reader, questions, scans, readTwice };
}

const modern =
  (apps: string) =>
  (question: string): string =>
    question.startsWith('--query-compute') ? apps : `${core}, GPU-a, 0x0000000000000020\n`;

test('memory is split into what models hold and what others do', async () => {
  const apps = 'GPU-a, 91, 6000, /usr/lib/ollama/llama-server\nGPU-a, 8, 1500, /opt/blender\n';
  const { reader, readTwice, scans } = open(modern(apps));
  expect(await readTwice()).toMatchObject([
    { vramUsedBytes: 9_000 * mib, vramModelBytes: 6_000 * mib, throttled: ['heat'] },
  ]);
  expect(reader.others()).toEqual([{ name: 'blender', bytes: 1_500 * mib }]);
  await reader.read();
  expect(scans.count).toBe(1);
});

test('each card has its own share', async () => {
  const cards = `${core}, GPU-a, 0x0\n${core}, GPU-b, 0x0\n`;
  const apps = 'GPU-b, 91, 700, llama-server\n';
  const { readTwice } = open((question) => (question.startsWith('--query-compute') ? apps : cards));
  expect(await readTwice()).toMatchObject([{ vramModelBytes: 0 }, { vramModelBytes: 700 * mib }]);
});

test("somebody else's llama-server is another program; one that is nowhere listed goes by its name", async () => {
  const { reader } = open(() => core);
  const own = createModelProcesses(async () => [server, runner, { ...runner, pid: 92, parent: 1 }]);
  const judged = await own([
    { pid: 91, program: '/x/llama-server' },
    { pid: 92, program: '/home/ada/llama-server' },
    { pid: 93, program: '/usr/bin/python3' },
    { pid: 94, program: String.raw`C:\Ollama\llama-server.exe` },
  ]);
  expect([...judged.values()]).toEqual([true, false, false, true]);
  const blind = createModelProcesses(() => Promise.reject(new Error('no ps')));
  expect((await blind([{ pid: 1, program: 'ollama' }])).get(1)).toBe(true);
  expect(reader.others()).toEqual([]);
});

test('where the driver does not say what processes hold, nothing is said, and it is not asked all the time', async () => {
  const { readTwice, reader, questions, deps } = open(modern('GPU-a, 91, [N/A], ollama\n'));
  expect((await readTwice())[0]).not.toHaveProperty('vramModelBytes');
  for (let index = 0; index < 5; index += 1) await reader.read();
  const asked = () => questions.filter((question) => question.startsWith('--query-compute')).length;
  expect(asked()).toBe(1);
  await deps.clock.advance(300_000);
  await reader.read();
  expect(asked()).toBe(2);
});

test('a loaded model that no listed process holds means that the list does not show it', async () => {
  expect((await open(modern('')).readTwice())[0]).not.toHaveProperty('vramModelBytes');
  expect((await open(modern(''), false).readTwice())[0]).toMatchObject({ vramModelBytes: 0 });
});

test('an older driver is asked in its own words, an odd one for the bare figures, and the way is kept', async () => {
  const older = open((question) => (question.includes('clocks_event') ? undefined : `${core}, GPU-a, 0x4\n`));
  expect(await older.readTwice()).toMatchObject([{ throttled: ['power'] }]);
  const odd = open((question) => (question.includes('clocks') ? undefined : `${core}\n`));
  const [card] = await odd.readTwice();
  expect(card).toMatchObject({ utilization: 61 });
  expect(card).not.toHaveProperty('throttled');
  expect(odd.questions.filter((question) => question.includes('clocks'))).toHaveLength(2);
});

test('a list of processes that hangs or is nonsense takes nothing from the cards', async () => {
  const nonsense = open((question) => (question.startsWith('--query-compute') ? '<xml>' : `${core}\n`));
  expect(await nonsense.readTwice()).toMatchObject([{ vramUsedBytes: 9_000 * mib }]);
  const hanging = open(() => `${core}\n`);
  await hanging.reader.read();
  const run = hanging.deps.processes.run.bind(hanging.deps.processes);
  hanging.deps.processes.run = (program, args, ms) =>
    args[0]?.startsWith('--query-compute') ? new Promise(() => undefined) : run(program, args, ms);
  const reading = hanging.reader.read();
  await hanging.deps.clock.advance(500);
  expect(await reading).toMatchObject([{ vramUsedBytes: 9_000 * mib }]);
});

test('programs of the last reading stay until the next one is there, and are unknown once it fails', async () => {
  let holder = 'blender';
  const held = Promise.withResolvers<void>();
  const apps = (question: string) => modern(`GPU-a, 8, 1500, /opt/${holder}\n`)(question);
  const { deps, reader, readTwice } = open(apps, false);
  await readTwice();
  const run = deps.processes.run.bind(deps.processes);
  deps.processes.run = async (...asked) => {
    await held.promise;
    return run(...asked);
  };
  const reading = reader.read();
  expect(reader.others()).toEqual([{ name: 'blender', bytes: 1_500 * mib }]);
  holder = 'game';
  held.resolve();
  await reading;
  expect(reader.others()).toEqual([{ name: 'game', bytes: 1_500 * mib }]);
  deps.processes.run = () => Promise.reject(new Error('The driver is gone.'));
  await reader.read();
  expect(reader.others()).toEqual([]);
});

test('on a Mac there is nothing to ask', async () => {
  const deps = fakeDeps({ machine: fakeMachine({ platform: 'darwin' }) });
  deps.processes.outputs.set('nvidia-smi', core);
  const modelProcesses = createModelProcesses(() => Promise.resolve([]));
  const reader = createNvidiaReader(deps, { modelProcesses, holdsModels: () => false });
  expect(await reader.read()).toEqual([]);
});
