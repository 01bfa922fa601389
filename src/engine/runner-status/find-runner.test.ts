import { expect, test } from 'vitest';
import { blobOf, createRunnerFinder, runnersAmong } from './find-runner.ts';
import type { EngineProcess } from './process-table.ts';

const blob = 'e9'.repeat(32);
const server: EngineProcess = { pid: 70, parent: 1, program: 'ollama', args: ['serve'] };

/** As the server starts it (engine-truth/traces, evict-idle). */
function runner(changes: Record<string, string> = {}, parent = 70, pid = 91): EngineProcess {
  const options = {
    '--model': `/var/lib/ollama/blobs/sha256-${blob}`,
    '--port': '41813',
    '--host': '127.0.0.1',
    '-c': '32768',
    '-np': '1',
    ...changes,
  };
  const args = [...Object.entries(options).flat(), '--no-webui', '--keep', '4'];
  return { pid, parent, program: 'llama-server', args };
}

const wish = { url: 'http://127.0.0.1:11434', model: 'm', blob, contextTokens: 32_768 };
const find = (...table: EngineProcess[]) => createRunnerFinder(() => Promise.resolve(table))(wish);

test("a runner's port, model and window stand in its command line", () => {
  expect(runnersAmong([server, runner({ '-c': '65536', '-np': '2' })])).toEqual([
    { pid: 91, port: 41_813, blob, contextTokens: 32_768 },
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
});

test('of two servers with the same model the window decides, and a doubt is no answer', async () => {
  const second = { ...server, pid: 71 };
  const wide = runner({ '-c': '4096', '--port': '2' }, 71, 93);
  expect(await find(server, second, runner(), wide)).toEqual({ port: 41_813, pid: 91 });
  expect(await find(server, second, runner(), runner({ '--port': '2' }, 71, 93))).toBeNull();
});

test('the Modelfile names the blob; another format has none', () => {
  const lines = ['# FROM native:latest', '', `FROM /var/lib/ollama/blobs/sha256-${blob}`, 'TEMPLATE x'];
  expect(blobOf(lines.join('\n'))).toBe(blob);
  expect(blobOf('# FROM mlx:latest\n\nFROM mlx:latest\n')).toBeNull();
});
