/** What is read outside of this process ends, whatever it does, and says why. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { createContainedReader, type ReaderEnd } from '../../src/platform/contained-reader.ts';
import { systemProcesses } from '../../src/platform/processes.ts';
import { noSandbox } from '../../src/platform/sandbox/sandbox.ts';
import { sandboxHere } from '../helpers/mcp/mcp-world.ts';

const module = new URL('../helpers/odd-reader.ts', import.meta.url);
const limits = { ms: 15_000, heapMegabytes: 64, memoryBytes: 300 * 2 ** 20, outputLimit: 1_000_000 };

type Place = 'a process' | 'a thread' | 'the sandbox';
const places: Place[] = ['a process', 'a thread'];

async function read(
  place: Place,
  input: string,
  { signal = new AbortController().signal, ms = limits.ms }: { signal?: AbortSignal; ms?: number } = {},
): Promise<{ end: ReaderEnd; answers: unknown[] }> {
  const answers: unknown[] = [];
  const run = createContainedReader(
    {
      processes: systemProcesses,
      sandbox: place === 'the sandbox' ? await sandboxHere() : noSandbox('system'),
      dataDirs: [],
      nodePath: place === 'a thread' ? null : process.execPath,
      clock: systemClock,
    },
    module,
    { ...limits, ms },
  );
  const end = await run(Buffer.from(input), (json) => void answers.push(JSON.parse(json)), signal);
  return { end, answers };
}

test.each(places)('answers come whole and in their order from %s', async (place) => {
  expect(await read(place, 'echo Straße 2')).toEqual({
    end: 'done',
    answers: [{ what: 'echo' }, { each: 'Straße' }, { each: '2' }],
  });
});

test.each<[string, Place, ReaderEnd]>([
  ['loop', 'a process', 'time'],
  ['loop', 'a thread', 'time'],
  ['heap', 'a process', 'memory'],
  ['heap', 'a thread', 'memory'],
  ['buffers', 'a process', 'memory'],
  ['buffers', 'a thread', 'memory'],
  ['throw', 'a process', 'broke'],
  ['throw', 'a thread', 'broke'],
  ['flood', 'a process', 'output'],
])(
  'a reader that does nothing but %s in %s is ended by its %s, and what it said before counts',
  async (what, place, end) => {
    const found = await read(place, what, what === 'loop' ? { ms: 2_500 } : {});
    expect([found.end, found.answers[0]]).toEqual([end, { what }]);
  },
);

test.each(places)('Stop ends a reader at once in %s', async (place) => {
  const stop = new AbortController();
  const reading = read(place, 'loop', { signal: stop.signal });
  systemClock.after(600, () => stop.abort(new Error('stopped')));
  await expect(reading).rejects.toThrow('stopped');
});

test.runIf(process.platform === 'linux')('a reader in the sandbox sees no file of the person', async () => {
  const folder = mkdtempSync(join(homedir(), '.andiron-contained-'));
  try {
    const path = join(folder, 'secret.txt');
    writeFileSync(path, 'secret');
    expect((await read('a process', `read ${path}`)).answers[1]).toEqual({ text: 'secret' });
    expect((await read('the sandbox', `read ${path}`)).answers[1]).toEqual({ text: null });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
