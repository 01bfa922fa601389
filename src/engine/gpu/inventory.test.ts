import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { fakeMachine, gib } from '../testing/fakes.ts';
import { inventoryReadings, parseInventory } from './inventory.ts';

const names = (platform: NodeJS.Platform, controllers: object[]) =>
  inventoryReadings(parseInventory(JSON.stringify({ controllers })), fakeMachine({ platform }));

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

test('Apple silicon shares its main memory', () => {
  const mac = fakeMachine({ platform: 'darwin', arch: 'arm64', totalMemory: () => 32 * gib });
  const inventory = parseInventory('{"controllers":[{"vendor":"Apple","model":"Apple M3","vram":null}]}');
  expect(inventoryReadings(inventory, mac)).toMatchObject([{ name: 'Apple M3', vramTotalBytes: 32 * gib }]);
});

test.each(['ASPEED Graphics Family', 'Microsoft Basic Display Adapter', 'VMware SVGA 3D', 'Virtio 1.0 GPU'])(
  'an adapter that only draws is no GPU: %s',
  (model) => {
    expect(names('win32', [{ vendor: '', model, vram: 16 }])).toEqual([]);
  },
);

test('an inventory of another form is refused', () => {
  expect(() => parseInventory('{}')).toThrow('controllers');
  expect(() => parseInventory('')).toThrow('JSON');
});

test('the inventory process prints what is understood here, and ends', async () => {
  const entry = fileURLToPath(new URL('inventory-entry.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [entry], { timeout: 20_000 });
  expect(parseInventory(stdout).controllers).toBeInstanceOf(Array);
});
