import { expect, test } from 'vitest';
import { createRunnerFinder, modelFileOf, runnersAmong } from './find-runner.ts';
import type { EngineProcess } from './ollama-processes.ts';

const digest = `sha256-${'e9'.repeat(32)}`;
const file = `/var/lib/ollama/blobs/${digest}`;
const server: EngineProcess = { pid: 70, parent: 1, program: 'ollama', args: ['serve'] };

/** As the server starts it. */
function runner(changes: Record<string, string> = {}, parent = 70, pid = 91): EngineProcess {
  const options = {
    '--model': file,
    '--port': '41813',
    '--host': '127.0.0.1',
    '-c': '32768',
    '-np': '1',
    ...changes,
  };
  const args = [...Object.entries(options).flat(), '--no-webui', '--keep', '4'];
  return { pid, parent, program: 'llama-server', args };
}

const wish = {
  url: 'http://127.0.0.1:11434',
  model: 'm',
  file: () => Promise.resolve(file),
  contextTokens: 32_768,
};
const find = (...table: EngineProcess[]) => createRunnerFinder(() => Promise.resolve(table))(wish);

test("a runner's port, model and window stand in its command line", () => {
  expect(runnersAmong([server, runner({ '-c': '65536', '-np': '2' })])).toEqual([
    { pid: 91, port: 41_813, file, contextTokens: 32_768 },
  ]);
});

test.each([
  ['that a person started', runner({}, 1)],
  ['that listens to the network', runner({ '--host': '0.0.0.0' })],
  ['without a port', runner({ '--port': '' })],
  ['with a port that is none', runner({ '--port': '0' })],
  ['of a model that is no blob', runner({ '--model': '/home/ada/model.gguf' })],
])('a runner %s is none of ours', (_, other) => {
  expect(runnersAmong([server, other])).toEqual([]);
});

test('the one that runs the blob is found', async () => {
  const other = runner({ '--model': `/blobs/sha256-${'0'.repeat(64)}`, '--port': '5' }, 70, 92);
  expect(await find(server, other, runner())).toEqual({ port: 41_813, pid: 91 });
  expect(await find(server, other)).toBeNull();
  const unasked = { ...wish, file: () => Promise.reject(new Error('It was asked for nothing.')) };
  expect(await createRunnerFinder(() => Promise.resolve([server]))(unasked)).toBeNull();
});

test('of two servers with the same model their store or the window decides, and a doubt is no answer', async () => {
  const second = { ...server, pid: 71 };
  const wide = runner({ '-c': '4096', '--port': '2' }, 71, 93);
  expect(await find(server, second, runner(), wide)).toEqual({ port: 41_813, pid: 91 });
  expect(await find(server, second, runner(), runner({ '--port': '2' }, 71, 93))).toBeNull();
  const elsewhere = runner({ '--model': `/home/ada/.ollama/models/blobs/${digest}`, '--port': '2' }, 71, 93);
  expect(await find(server, second, elsewhere, runner())).toEqual({ port: 41_813, pid: 91 });
  expect(await find(server, second, elsewhere)).toEqual({ port: 2, pid: 93 });
});

test('the Modelfile names the file; another format has none', () => {
  const lines = ['# FROM native:latest', '', `FROM ${file}`, 'TEMPLATE x'];
  expect(modelFileOf(lines.join('\n'))).toBe(file);
  expect(modelFileOf('# FROM mlx:latest\n\nFROM mlx:latest\n')).toBeNull();
});
