import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownArguments, parseOptions } from '../platform/options.ts';
import { demoArguments, openDemoBeside } from './demo-window.ts';

const start = { execPath: '/opt/andiron', appPath: null, dataDir: '/data', hasSandbox: true };

test('The demo of a packed app has data of its own, and names no code', () => {
  const options = parseOptions(ownArguments(demoArguments(start)));
  expect(options).toMatchObject({ demo: true, dataDir: join('/data', 'demo'), workspace: null });
  expect(demoArguments(start)).toHaveLength(2);
});

test('The demo of an unpacked app names its code first, and what Chromium lacks here', () => {
  const args = demoArguments({ ...start, appPath: '/src/andiron', hasSandbox: false });
  expect(args[0]).toBe('/src/andiron');
  expect(args.at(-1)).toBe('--no-sandbox');
});

test('A demo that cannot be started is told', async () => {
  await expect(openDemoBeside({ ...start, execPath: '/nowhere/andiron' }, {})).rejects.toThrow('ENOENT');
});
