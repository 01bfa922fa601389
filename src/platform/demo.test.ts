import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyDemoWorkspace, copySampleWorkspace, simAddress } from './demo.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'andiron-demo-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('the sample workspace is copied once; what was changed in the copy stays', async () => {
  const resources = join(dir, 'resources');
  mkdirSync(join(resources, 'demo-workspace', 'src'), { recursive: true });
  writeFileSync(join(resources, 'demo-workspace', 'README.md'), 'read me');
  writeFileSync(join(resources, 'demo-workspace', 'src', 'a.js'), 'a');
  const copy = await copyDemoWorkspace(resources, join(dir, 'data'));
  expect(readFileSync(join(copy, 'src', 'a.js'), 'utf8')).toBe('a');

  writeFileSync(join(copy, 'README.md'), 'changed');
  rmSync(join(copy, 'src'), { recursive: true });
  expect(await copyDemoWorkspace(resources, join(dir, 'data'))).toBe(copy);
  expect(readFileSync(join(copy, 'README.md'), 'utf8')).toBe('changed');
  expect(readFileSync(join(copy, 'src', 'a.js'), 'utf8')).toBe('a');
});

test('each first task has a copy of its own, whatever became of the one before', async () => {
  const resources = join(dir, 'resources');
  mkdirSync(join(resources, 'demo-workspace'), { recursive: true });
  writeFileSync(join(resources, 'demo-workspace', 'README.md'), 'read me');
  const first = await copySampleWorkspace(resources, join(dir, 'data'));
  writeFileSync(join(first, 'README.md'), 'changed');
  const second = await copySampleWorkspace(resources, join(dir, 'data'));
  expect(second).not.toBe(first);
  expect(readFileSync(join(second, 'README.md'), 'utf8')).toBe('read me');
  expect(readFileSync(join(first, 'README.md'), 'utf8')).toBe('changed');
});

function sim() {
  const stdout = new PassThrough();
  const exits: ((code: number | null) => void)[] = [];
  return {
    stdout,
    onExit: (listener: (code: number | null) => void) => void exits.push(listener),
    exit: (code: number) => exits.forEach((tell) => tell(code)),
  };
}

test('the simulated engine says where it is', async () => {
  const process = sim();
  const address = simAddress(process);
  process.stdout.write('{"ready":true,"url":"http://127.0.0.1:9","runnersUrl":"http://127.0.0.1:8"}\n');
  expect(await address).toEqual({ url: 'http://127.0.0.1:9', runnersUrl: 'http://127.0.0.1:8' });
});

test.each(['{"ready":false}', 'Error: no', '{"ready":true}'])('%s is no address', async (line) => {
  const process = sim();
  const address = simAddress(process);
  process.stdout.write(`${line}\n`);
  await expect(address).rejects.toThrow(/unexpected/);
});

test('a simulated engine that ends at once is told', async () => {
  const process = sim();
  const address = simAddress(process);
  process.exit(1);
  await expect(address).rejects.toThrow(/ended at once \(code 1\)/);
});
