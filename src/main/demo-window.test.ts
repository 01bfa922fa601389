import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownArguments, parseOptions } from '../platform/options.ts';
import { demoArguments, openDemoBeside } from './demo-window.ts';

const start = {
  self: { execPath: '/opt/andiron', env: {} },
  appPath: null,
  dataDir: '/data',
  hasSandbox: true,
};

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
  const self = { execPath: '/nowhere/andiron', env: {} };
  await expect(openDemoBeside({ ...start, self }, {})).rejects.toThrow('ENOENT');
});

test.runIf(process.platform !== 'win32')(
  'The demo of an AppImage is started from its file: it outlives the mount, and knows its own file',
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'andiron-demo-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const file = join(dir, 'Andiron.AppImage');
    writeFileSync(file, '#!/bin/sh\n: > "$0.started"\n');
    chmodSync(file, 0o755);
    const mount = join(dir, 'mount');
    const self = { execPath: join(mount, 'andiron'), env: { APPIMAGE: file, APPDIR: mount } };
    await openDemoBeside({ ...start, self }, {});
    await expect.poll(() => existsSync(`${file}.started`)).toBe(true);
  },
);
