import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import {
  identityAt,
  identityQuestion,
  isSameProcess,
  machineProcesses,
  readIdentity,
  readStartTicks,
} from './process-table.ts';

test.runIf(process.platform === 'linux')('a process is told from another by when it started', () => {
  expect(machineProcesses.identity(process.pid)).toMatch(/^\d+$/);
  expect(machineProcesses.identity(process.pid)).not.toBe(machineProcesses.identity(1));
  expect(machineProcesses.identityOfNew(process.pid)).toBe(machineProcesses.identity(process.pid));
});

test('A process that is not there has no identity', () => {
  expect(machineProcesses.identity(2 ** 30)).toBeNull();
});

describe('A process is taken for the recorded one (desk-F3)', () => {
  test.each([
    ['where ticks since boot agree', '4711', '4711', true],
    ['never where ticks differ by one', '4711', '4712', false],
    ['where a Mac tells the second in which it began', identityAt(1_000_900), identityAt(1_000_000), true],
    [
      'where Windows tells a moment before the recorded one',
      identityAt(1_005_000),
      identityAt(1_000_000),
      true,
    ],
    ['never where it began ten seconds later', identityAt(1_000_000), identityAt(1_010_000), false],
    ['never where it began ten seconds earlier', identityAt(1_010_000), identityAt(1_000_000), false],
    ['never where ticks meet a moment', '1000000', identityAt(1_000_000), false],
    ['never where nothing was recorded, as on a Mac of old', null, identityAt(1_000_000), false],
    ['never where it is gone', identityAt(1_000_000), null, false],
    ['never where both are unknown, which once refused starts on Windows', null, null, false],
  ])('%s', (_when, recorded, found, expected) => {
    expect(isSameProcess(recorded, found)).toBe(expected);
  });
});

const windows = { SYSTEMROOT: 'D:\\Win', PATH: 'C:\\evil', Empty: undefined };

test('A Mac is asked by ps with its full path, in one language and one time zone (desk-F3)', () => {
  expect(identityQuestion('darwin', 42, { PATH: '/evil', TZ: 'Asia/Tokyo' })).toEqual({
    file: '/bin/ps',
    args: ['-o', 'lstart=', '-p', '42'],
    env: { LC_ALL: 'C', TZ: 'UTC' },
  });
});

test('Windows is asked for the creation date by PowerShell with its full path (desk-F3)', () => {
  const question = identityQuestion('win32', 42, windows);
  expect(question?.file).toBe('D:\\Win\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
  expect(question?.args.slice(0, 3)).toEqual(['-NoProfile', '-NonInteractive', '-Command']);
  expect(question?.args[3]).toContain("'ProcessId=42'");
  expect(question?.env).toEqual({ SYSTEMROOT: 'D:\\Win', PATH: 'C:\\evil' });
});

test('Linux is asked by no program', () => {
  expect(identityQuestion('linux', 42, {})).toBeNull();
});

describe('When a process began is read (desk-F3)', () => {
  const moment = identityAt(Date.UTC(2026, 10, 3, 8, 5, 9));
  test.each([
    ['from ps of a Mac, with a day of one figure', 'darwin', 'Tue Nov  3 08:05:09 2026    \n', moment],
    [
      'from ps of a Mac, in the order of day and month of others',
      'darwin',
      'Tue  3 Nov 08:05:09 2026\n',
      moment,
    ],
    ['from ps of a Mac that knows no such process', 'darwin', '\n', null],
    ['from ps of a Mac that complains', 'darwin', 'ps: process id too large\n', null],
    ['from PowerShell, with seven decimals', 'win32', '2026-11-03T08:05:09.0000001Z\r\n', moment],
    ['from PowerShell that found no such process', 'win32', '\r\n', null],
    [
      'from PowerShell that complains',
      'win32',
      'You cannot call a method on a null-valued expression.',
      null,
    ],
  ])('%s', (_name, platform, said, expected) => {
    expect(readIdentity(platform, said)).toBe(expected);
  });

  test('from the stat of Linux, whatever the name of the program contains', () => {
    const fields = ['S', ...Array.from({ length: 18 }, (_, index) => String(index)), '4711', '9'];
    expect(readStartTicks(`7 (a) b (c) ${fields.join(' ')}`)).toBe('4711');
    expect(readStartTicks('')).toBeNull();
  });
});

test.runIf(process.platform === 'linux')('A real ps says when this process began, to the second', () => {
  const question = identityQuestion('darwin', process.pid, {});
  const { stdout } = spawnSync('/bin/ps', question?.args ?? [], { env: question?.env, encoding: 'utf8' });
  const began = identityAt(Date.now() - process.uptime() * 1_000);
  expect(isSameProcess(readIdentity('darwin', stdout), began)).toBe(true);
});
