import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { skippableClock } from '../../test/helpers/skippable-clock.ts';
import { forgetSignInFile, openBrowser } from './open-browser.ts';

const address = 'http://127.0.0.1:4100/#token=secret-1';

let dir: string;
let ran: string[][];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'andiron-browser-'));
  ran = [];
});
afterEach(() => rmSync(dir, { recursive: true }));

const run = (command: string, args: readonly string[]): void => void ran.push([command, ...args]);

function open(platform: NodeJS.Platform = 'linux') {
  const clock = skippableClock();
  return {
    clock,
    opened: openBrowser(dir, address, { platform, clock, run }),
    file: join(dir, 'sign-in.html'),
  };
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
    expect(readFileSync(file, 'utf8')).toContain(`content="0; url=${address}"`);
  },
);

test.skipIf(process.platform === 'win32')(
  'only the person can read the file, whatever was there before (audit-S4)',
  () => {
    const elsewhere = join(dir, 'elsewhere.html');
    writeFileSync(elsewhere, 'mine', { mode: 0o644 });
    symlinkSync(elsewhere, join(dir, 'sign-in.html'));
    const { file } = open();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(elsewhere, 'utf8')).toBe('mine');
  },
);

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
  forgetSignInFile(dir);
  expect(existsSync(file)).toBe(false);
});
