import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeFiles, nodeMachine, nodeProcesses } from './node-deps.ts';
import { failureOf, fakeProcesses } from './testing/fakes.ts';

const processes = nodeProcesses(() => fakeProcesses().startSampler());
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'andiron-deps-'));
});
afterAll(() => rm(folder, { recursive: true }));

const script = (code: string) => ['-e', code];

test('a program is run to its end, and its output returned', async () => {
  expect(await processes.run(process.execPath, script('process.stdout.write("hello")'), 10_000)).toBe(
    'hello',
  );
});

test('one that hangs is killed; one that fails or is not there is an error', async () => {
  const hanging = processes.run(process.execPath, script('setInterval(() => {}, 1000)'), 50);
  expect(await failureOf(hanging)).toMatchObject({ signal: 'SIGKILL' });
  expect(await failureOf(processes.run(process.execPath, script('process.exit(9)'), 10_000))).toMatchObject({
    code: 9,
  });
  expect(await failureOf(processes.run(join(folder, 'nothing'), [], 10_000))).toMatchObject({
    code: 'ENOENT',
  });
});

test('a launched program gets its environment, and its end is told', async () => {
  const code = 'process.exit(Number(process.env.ANDIRON_TEST))';
  const child = await processes.launch({
    command: process.execPath,
    args: script(code),
    env: { ANDIRON_TEST: '7' },
  });
  expect(await child.exited).toBe(7);
});

test('one that cannot be launched is an error', async () => {
  const failed = failureOf(processes.launch({ command: join(folder, 'nothing'), args: [], env: {} }));
  expect(await failed).toMatchObject({ code: 'ENOENT' });
});

test('a file is written whole, its folder made, and nothing is left beside it', async () => {
  const path = join(folder, 'new', 'engine.json');
  await nodeFiles.writeWhole(path, 'one');
  await nodeFiles.writeWhole(path, 'two');
  expect(await readFile(path, 'utf8')).toBe('two');
  expect(await readdir(join(folder, 'new'))).toEqual(['engine.json']);
  expect(nodeFiles.readTextNow(path)).toBe('two');
});

test('a folder that is not there is empty, and a file that is not there does not exist', async () => {
  expect(await nodeFiles.list(join(folder, 'nowhere'))).toEqual([]);
  expect(await nodeFiles.exists(join(folder, 'nowhere'))).toBe(false);
  expect(await failureOf(nodeFiles.readText(join(folder, 'nowhere')))).toMatchObject({ code: 'ENOENT' });
});

test('the room on the disk of a folder is known, and unknown where there is no folder', async () => {
  expect(await nodeFiles.freeBytes(folder)).toBeGreaterThan(0);
  expect(await nodeFiles.freeBytes(join(folder, 'nowhere'))).toBeNull();
});

test('the machine says what it has', () => {
  expect(nodeMachine.totalMemory()).toBeGreaterThan(nodeMachine.availableMemory());
  const { idle, total } = nodeMachine.cpuTimes();
  expect(total).toBeGreaterThan(idle);
});

test('A launched program keeps neither the folder of Andiron nor its own in use (desk-F18)', async () => {
  const told = join(folder, 'cwd');
  const code = `require('node:fs').writeFileSync(${JSON.stringify(told)}, process.cwd())`;
  const child = await processes.launch({ command: process.execPath, args: script(code), env: {} });
  await child.exited;
  expect(await readFile(told, 'utf8')).toBe(await realpath(homedir()));
});

test('A launched program inherits the environment that is handed in, and nothing of this process (desk-F9)', async () => {
  const clean = nodeProcesses(() => fakeProcesses().startSampler(), undefined, {
    PATH: '/bin',
    GIVEN: 'yes',
  });
  const code = 'process.stdout.write(`${process.env.GIVEN} ${process.env.HOME}`)';
  expect(await clean.run(process.execPath, script(code), 10_000)).toBe('yes undefined');
  const exits = 'process.exit(process.env.HOME === undefined && process.env.GIVEN === "yes" ? 0 : 1)';
  const child = await clean.launch({ command: process.execPath, args: script(exits), env: {} });
  expect(await child.exited).toBe(0);
});
