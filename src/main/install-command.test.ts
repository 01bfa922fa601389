import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { electron, resetElectron } from '../../test/helpers/electron-stub.ts';
import { installCommand, offerCommand, programOfCommand } from './install-command.ts';

let homeDir: string;
let program: string;
beforeEach(() => {
  resetElectron();
  homeDir = mkdtempSync(join(tmpdir(), 'andiron-home-'));
  // A person names their folders as they like.
  program = join(homeDir, "Anna's $apps `x`", 'Andiron-1.0.AppImage');
  mkdirSync(join(program, '..'));
  writeFileSync(program, '#!/bin/sh\nfor given in "$@"; do printf "<%s>" "$given"; done\n');
  chmodSync(program, 0o755);
});
afterEach(() => {
  resetElectron();
  rmSync(homeDir, { recursive: true });
});

const own = (): string => join(homeDir, '.local', 'bin');
const install = (searchPath = '/usr/bin') => installCommand(program, { homeDir, searchPath });

test('The command starts the program with what it was given, whatever stands in names and arguments (Y8)', () => {
  const { path } = install();
  const given = ['exec', 'two words', "it's $HOME `id`", '', '--json'];
  expect(execFileSync(path, given).toString()).toBe(given.map((each) => `<${each}>`).join(''));
});

test('It stands in a folder of the person’s that the terminal searches, and says where none does (Y8)', () => {
  expect(install()).toEqual({ path: join(own(), 'andiron'), folder: own(), isOnPath: false });
  mkdirSync(join(homeDir, 'bin'));
  expect(install(`/usr/bin:${join(homeDir, 'bin')}`)).toMatchObject({
    path: join(homeDir, 'bin', 'andiron'),
    isOnPath: true,
  });
});

test('A program of another is not replaced, and an older command of Andiron is (Y8)', () => {
  const { path } = install();
  rmSync(program);
  program = join(homeDir, 'Andiron-2.0.AppImage');
  expect(readFileSync(install().path, 'utf8')).toContain('2.0');
  writeFileSync(path, '#!/bin/sh\necho mine\n');
  expect(() => install()).toThrow('Another program is');
  expect(readFileSync(path, 'utf8')).toBe('#!/bin/sh\necho mine\n');
});

test('A command whose program was moved says what to do and ends with 2', () => {
  const { path } = install();
  rmSync(program);
  const { status, stderr } = spawnSync(path, ['models'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringContaining('Install command line')]);
});

test.each([
  '/private/var/folders/x/AppTranslocation/1/d/Andiron.app/Contents/MacOS/Andiron',
  '/Volumes/Andiron/Andiron',
])('From %s nothing is installed: it is gone at the next start', (where) => {
  expect(() => installCommand(where, { homeDir, searchPath: '' })).toThrow('Applications folder');
  expect(() => statSync(own())).toThrow('ENOENT');
});

test('What became of it is said, and what to do where it was refused', async () => {
  await offerCommand(program, { homeDir, searchPath: '' });
  writeFileSync(join(own(), 'andiron'), 'mine');
  await offerCommand(program, { homeDir, searchPath: own() });
  expect(electron.questions).toMatchObject([
    { type: 'info', detail: expect.stringContaining(`add ${own()} to PATH`) },
    { type: 'error', detail: expect.stringContaining('give it another name') },
  ]);
});

test.each<[NodeJS.Platform, NodeJS.ProcessEnv, boolean, string | null]>([
  [
    'linux',
    { APPIMAGE: '/home/anna/Andiron.AppImage', APPDIR: '/opt/Andiron' },
    true,
    '/home/anna/Andiron.AppImage',
  ],
  // Inherited in the terminal of another AppImage.
  ['linux', { APPIMAGE: '/home/anna/Editor.AppImage', APPDIR: '/tmp/.mount_Editor' }, true, null],
  // A deb has put it into /usr/bin.
  ['linux', {}, true, null],
  ['win32', {}, true, null],
  ['darwin', {}, true, '/opt/Andiron/andiron'],
  ['darwin', {}, false, null],
  ['linux', { APPIMAGE: '/home/anna/Andiron.AppImage', APPDIR: '/opt/Andiron' }, false, null],
])('On %s with %j, packed %s, the command would start %s (Y8)', (platform, env, isPackaged, expected) => {
  expect(programOfCommand(platform, { execPath: '/opt/Andiron/andiron', env, isPackaged })).toBe(expected);
});
