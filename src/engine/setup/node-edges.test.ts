import { mkdtemp, mkdir, readFile, rm, symlink, writeFile, appendFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failureOf } from '../testing/fakes.ts';
import type { ToolRequest } from './edges.ts';
import { nodeSetupEdges } from './node-edges.ts';

const { files, processes } = nodeSetupEdges;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'andiron-edges-'));
});

afterEach(() => rm(folder, { recursive: true }));

const node = (script: string, more: Partial<ToolRequest> = {}): ToolRequest => ({
  command: process.execPath,
  args: ['-e', script],
  env: {},
  input: null,
  signal: new AbortController().signal,
  ...more,
});

async function* pieces(count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield Buffer.alloc(64 * 1024, index);
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(10);
  throw new Error('the archive ends too soon');
}

test('a tool is fed and says what it says', async () => {
  const script =
    'let n = 0; process.stdin.on("data", (c) => (n += c.length)).on("end", () => console.log(n))';
  expect(await processes.run(node(script, { input: pieces(20) }))).toBe(`${String(20 * 64 * 1024)}\n`);
});

test('a tool that fails is told with its last words', async () => {
  const failed = failureOf(processes.run(node('console.error("not a tar archive"); process.exit(2)')));
  expect(await failed).toMatchObject({ message: expect.stringContaining('not a tar archive') });
});

test('a tool that ends before it has read everything is judged by its code', async () => {
  const early = node('process.exit(3)', { input: pieces(2_000) });
  expect(await failureOf(processes.run(early))).toMatchObject({ message: expect.stringContaining('with 3') });
});

test('when what it is fed breaks, that is the failure, and the tool is ended', async () => {
  const failed = failureOf(processes.run(node('process.stdin.resume()', { input: broken() })));
  expect(await failed).toMatchObject({ message: 'the archive ends too soon' });
});

test('cancelled, a tool is ended', async () => {
  const controller = new AbortController();
  const running = failureOf(
    processes.run(node('setInterval(() => {}, 1000)', { signal: controller.signal })),
  );
  controller.abort(new Error('enough'));
  expect(await running).toMatchObject({ message: 'enough' });
});

test('a tool that is not there cannot be started', async () => {
  const failed = failureOf(processes.run({ ...node(''), command: join(folder, 'no-such-tool') }));
  expect(await failed).toMatchObject({ code: 'ENOENT' });
});

test('a log that grew too long is put aside and emptied while it is written', async () => {
  const log = join(folder, 'ollama.log');
  await files.capLog(log, 10);
  await writeFile(log, 'short');
  await files.capLog(log, 10);
  expect(await readFile(log, 'utf8')).toBe('short');
  await appendFile(log, ' and then long');
  await files.capLog(log, 10);
  expect(await readFile(`${log}.1`, 'utf8')).toBe('short and then long');
  expect(await readFile(log, 'utf8')).toBe('');
});

test('the end of a file is read, and nothing where there is none', async () => {
  await writeFile(join(folder, 'log'), 'abcdef');
  expect(await files.readEnd(join(folder, 'log'), 3)).toBe('def');
  expect(await files.readEnd(join(folder, 'none'), 3)).toBe('');
});

test('a port that is taken is not given out', async () => {
  const free = await processes.freePort(null);
  expect(await processes.freePort(free)).toBe(free);
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(free, '127.0.0.1', resolve);
  });
  try {
    const other = await processes.freePort(free);
    expect(other).not.toBe(free);
    expect(other).toBeGreaterThan(0);
  } finally {
    server.close();
  }
});

test('what fits on the disk is known', async () => {
  expect(await files.freeBytes(join(folder, 'not', 'yet'))).toBeGreaterThan(0);
});

describe.skipIf(process.platform === 'win32')('links', () => {
  test('a link that stays inside is told from one that leads out or nowhere', async () => {
    await mkdir(join(folder, 'tree', 'lib'), { recursive: true });
    await writeFile(join(folder, 'tree', 'lib', 'a'), 'xy');
    await writeFile(join(folder, 'outside'), 'x');
    await symlink('a', join(folder, 'tree', 'lib', 'inside'));
    await symlink('../../outside', join(folder, 'tree', 'lib', 'out'));
    await symlink('nothing', join(folder, 'tree', 'lib', 'nowhere'));
    const found = new Map<string, [string, number, boolean]>();
    for await (const { path, kind, size, staysInside } of files.walk(join(folder, 'tree'))) {
      found.set(path.split('/').at(-1) ?? '', [kind, size, staysInside]);
    }
    expect(Object.fromEntries(found)).toEqual({
      lib: ['folder', 0, true],
      a: ['file', 2, true],
      inside: ['link', 0, true],
      out: ['link', 0, false],
      nowhere: ['link', 0, false],
    });
  });
});
