import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startSamplerInNode } from '../node-deps.ts';
import { fakeMachine, gib } from '../testing/fakes.ts';
import { readSystemSample } from './system-sample.ts';

const names = (platform: NodeJS.Platform, controllers: object[]) =>
  readSystemSample({ controllers }, fakeMachine({ platform })).gpus;

test('on Windows a card has its name and size; everything else is unknown', () => {
  expect(names('win32', [{ vendor: 'Intel', model: 'Arc A770', vram: 16_384 }])).toEqual([
    {
      name: 'Arc A770',
      vramTotalBytes: 16 * gib,
      vramUsedBytes: null,
      utilization: null,
      temperatureC: null,
      powerW: null,
    },
  ]);
});

test('on Linux the size is that of a window into the memory, so it is unknown', () => {
  expect(names('linux', [{ vendor: 'AMD', model: 'Navi', vram: 256 }])).toMatchObject([
    { vramTotalBytes: null },
  ]);
});

test('the GPU of Apple silicon has what Metal lets it take of the main memory', () => {
  const mac = fakeMachine({ platform: 'darwin', arch: 'arm64', totalMemory: () => 64 * gib });
  const { gpus } = readSystemSample(
    { controllers: [{ vendor: 'Apple', model: 'Apple M3', vram: null }] },
    mac,
  );
  expect(gpus).toMatchObject([{ name: 'Apple M3', vramTotalBytes: 48 * gib, unified: true }]);
});

test.each(['ASPEED Graphics Family', 'Microsoft Basic Display Adapter', 'VMware SVGA 3D', 'Virtio 1.0 GPU'])(
  'an adapter that only draws is no GPU: %s',
  (model) => {
    expect(names('win32', [{ vendor: '', model, vram: 16 }])).toEqual([]);
  },
);

test('A sample of another form is refused (audit-A13)', () => {
  expect(() => readSystemSample({}, fakeMachine())).toThrow('controllers');
  expect(() => readSystemSample('', fakeMachine())).toThrow('object');
});

test('Figures that systeminformation leaves out, empties or invents are unknown (audit-A13)', () => {
  const card = {
    model: 'RTX 4090',
    memoryTotal: '',
    utilizationGpu: -1,
    temperatureGpu: Number.NaN,
    powerDraw: 40,
  };
  const { gpus, memory } = readSystemSample({ controllers: [card], memory: { total: 0 } }, fakeMachine());
  expect(gpus).toEqual([
    {
      name: 'RTX 4090',
      vramTotalBytes: null,
      vramUsedBytes: null,
      utilization: null,
      temperatureC: null,
      powerW: 40,
    },
  ]);
  expect(memory).toEqual({ totalBytes: null, usedBytes: null, cpuLoad: null });
});

test('The process of the system readings answers every question until it is killed (audit-A13)', async () => {
  const entry = fileURLToPath(new URL('system-sample-entry.ts', import.meta.url));
  const sampler = startSamplerInNode(entry)();
  onTestFinished(() => sampler.kill());
  for (let question = 0; question < 2; question += 1) {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    sampler.onSample(resolve);
    sampler.ask();
    const { memory } = readSystemSample(await promise, fakeMachine());
    expect(memory.totalBytes).toBeGreaterThan(0);
  }
  const ended = new Promise<void>((resolve) => sampler.onExit(resolve));
  sampler.kill();
  await ended;
});

// systeminformation believes nvidia-smi only where lspci lists the card.
test.skipIf(process.platform !== 'linux')(
  'An NVIDIA card is read live through systeminformation alone (audit-A13)',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'andiron-cards-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const program = async (name: string, output: string) => {
      await writeFile(join(folder, name), `#!/bin/sh\ncat <<'END'\n${output}\nEND\n`, { mode: 0o755 });
    };
    const core = '560.35.03, 0x40E31458, NVIDIA GeForce RTX 4090, 00000000:01:00.0, 0, 24564, 1320, 22890';
    await program('nvidia-smi', `${core}, 17, 3, 41, [N/A], 23.41, 450.00, 210, 405`);
    await program(
      'lspci',
      '01:00.0 VGA compatible controller: NVIDIA Corporation AD102 [GeForce RTX 4090] (rev a1)\n\tSubsystem: Gigabyte',
    );
    const entry = fileURLToPath(new URL('system-sample-entry.ts', import.meta.url));
    const path = process.env['PATH'];
    process.env['PATH'] = `${folder}:${path ?? ''}`;
    const sampler = startSamplerInNode(entry)();
    process.env['PATH'] = path;
    onTestFinished(() => sampler.kill());
    const answer = new Promise<unknown>((resolve) => sampler.onSample(resolve));
    sampler.ask();
    const { gpus } = readSystemSample(await answer, fakeMachine({ platform: 'linux' }));
    expect(gpus).toMatchObject([
      {
        vramTotalBytes: 24_564 * 1024 ** 2,
        vramUsedBytes: 1_320 * 1024 ** 2,
        utilization: 17,
        temperatureC: 41,
        powerW: 23.41,
      },
    ]);
  },
);
