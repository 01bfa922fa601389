import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { skippableClock } from '../../test/helpers/skippable-clock.ts';
import { forgetSignInFile, openBrowser } from './open-browser.ts';

const address = 'http://127.0.0.1:4100/#token=secret-1';

let root: string;
let dir: string;
let home: string;
let ran: string[][];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'andiron-browser-'));
  home = join(root, 'home');
  dir = join(home, '.data');
  mkdirSync(dir, { recursive: true });
  ran = [];
});
afterEach(() => rmSync(root, { recursive: true }));

const run = (command: string, args: readonly string[]): void => void ran.push([command, ...args]);

function open(platform: NodeJS.Platform = 'linux') {
  const clock = skippableClock();
  const opened = openBrowser({ dataDir: dir, home }, address, { platform, clock, run });
  return { clock, opened, file: ran.at(-1)?.at(-1) ?? '' };
}

test.each([
  ['linux', ['xdg-open']],
  ['freebsd', ['xdg-open']],
  ['darwin', ['open']],
  ['win32', ['C:\\Windows\\System32\\rundll32.exe', 'url.dll,FileProtocolHandler']],
] as const)(
  'on %s the browser is given a file, and no argument has the token (audit-S4)',
  (platform, command) => {
    const { file } = open(platform);
    expect(ran).toEqual([[...command, file]]);
    expect(file).toMatch(/sign-in\.html$/);
    expect(readFileSync(file, 'utf8')).toContain(`content="0; url=${address}"`);
  },
);

test.skipIf(process.platform === 'win32')(
  'only the person can read the file, whatever was there before (audit-S4)',
  () => {
    const elsewhere = join(dir, 'elsewhere.html');
    writeFileSync(elsewhere, 'mine', { mode: 0o644 });
    symlinkSync(elsewhere, join(dir, 'sign-in.html'));
    const { file } = open('darwin');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(elsewhere, 'utf8')).toBe('mine');
  },
);

test.skipIf(process.platform === 'win32')(
  'on linux the file is in a new folder of the person’s home that is not hidden, where a browser in a snap may read it',
  () => {
    const elsewhere = join(root, 'elsewhere');
    mkdirSync(elsewhere, { mode: 0o755 });
    const before = open();
    const folder = dirname(before.file);
    before.opened.done();
    symlinkSync(elsewhere, folder);
    expect(open().file).toBe(before.file);
    expect(dirname(folder)).toBe(home);
    expect(basename(folder)).toMatch(/^andiron-sign-in-/);
    expect([lstatSync(folder).mode & 0o777, statSync(before.file).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(readdirSync(elsewhere)).toEqual([]);
  },
);

test('two Andirons of one person keep their files apart', () => {
  const { file } = open();
  dir = join(home, '.other');
  mkdirSync(dir);
  open().opened.done();
  expect(existsSync(file)).toBe(true);
});

test('without a home folder that can be written into, the file is in the data folder', () => {
  const data = dir;
  home = join(root, 'absent');
  const { file, opened } = open();
  expect(dirname(file)).toBe(data);
  opened.done();
  expect(existsSync(file)).toBe(false);
});

test('the file is deleted when it was used, after a minute, and at the next start (audit-S4)', () => {
  const used = open();
  used.opened.done();
  used.opened.done();
  expect(existsSync(used.file)).toBe(false);
  const late = open();
  late.clock.skip(59_000);
  expect(existsSync(late.file)).toBe(true);
  late.clock.skip(1_000);
  expect(existsSync(late.file)).toBe(false);
  const { file } = open();
  forgetSignInFile({ dataDir: dir, home });
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(home)).toEqual(['.data']);
});
