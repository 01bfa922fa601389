import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startBackgroundApp } from './background-start.ts';

let dir: string;
let mount: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'andiron-image-'));
  mount = join(dir, 'mount');
  mkdirSync(mount);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Leaves a file beside itself when it is started. */
function program(path: string): string {
  const file = join(dir, path);
  writeFileSync(file, '#!/bin/sh\n: > "$0.started"\n');
  chmodSync(file, 0o755);
  return file;
}

const started = (path: string): boolean => existsSync(join(dir, `${path}.started`));

const background = (self: { execPath: string; env: NodeJS.ProcessEnv }) =>
  startBackgroundApp(
    { dataDir: dir, engineUrl: null },
    { platform: 'linux', hasSandbox: true, env: {}, self },
  );

test.runIf(process.platform !== 'win32')(
  'An AppImage starts the app of a command from its file: the mount ends with the command',
  async () => {
    const self = {
      execPath: program('mount/andiron'),
      env: { APPIMAGE: program('Andiron.AppImage'), APPDIR: mount },
    };
    background(self);
    await expect.poll(() => started('Andiron.AppImage')).toBe(true);
    expect(started('mount/andiron')).toBe(false);
  },
);

test.runIf(process.platform !== 'win32')(
  'A command in the terminal of another AppImage starts Andiron and not that other program',
  async () => {
    const self = {
      execPath: program('andiron'),
      env: { APPIMAGE: program('Editor.AppImage'), APPDIR: mount },
    };
    background(self);
    await expect.poll(() => started('andiron')).toBe(true);
    expect(started('Editor.AppImage')).toBe(false);
  },
);
