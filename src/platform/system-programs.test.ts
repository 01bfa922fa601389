import { describe, expect, test } from 'vitest';
import { inheritedEnvironment } from './inherited-environment.ts';
import { limitLookupToPath, variableOf, windowsProgram } from './system-programs.ts';

describe('A program of Windows lies (desk-F7)', () => {
  test.each([
    ['below the root that is named', { SystemRoot: 'D:\\Windows' }, 'D:\\Windows\\System32\\tar.exe'],
    [
      'below the root that is named in capitals',
      { SYSTEMROOT: 'D:\\Windows' },
      'D:\\Windows\\System32\\tar.exe',
    ],
    ['below a root with a blank', { SystemRoot: 'D:\\My Windows' }, 'D:\\My Windows\\System32\\tar.exe'],
    ['on C: where the root is on a share', { SystemRoot: '\\\\evil\\win' }, 'C:\\Windows\\System32\\tar.exe'],
    [
      'on C: where the root is relative to a drive',
      { SystemRoot: 'C:Windows' },
      'C:\\Windows\\System32\\tar.exe',
    ],
    ['on C: where the root has a quote', { SystemRoot: 'C:\\a" & del "' }, 'C:\\Windows\\System32\\tar.exe'],
    ['on C: where the root is empty', { SystemRoot: '' }, 'C:\\Windows\\System32\\tar.exe'],
  ])('%s', (_where, env, path) => {
    expect(windowsProgram(env, 'tar.exe')).toBe(path);
  });
});

test('A variable of Windows is found however it is written (desk-F8)', () => {
  expect(variableOf({ path: 'C:\\bin' }, 'PATH')).toBe('C:\\bin');
  expect(variableOf({ Paths: 'C:\\bin' }, 'PATH')).toBeUndefined();
});

test('On Windows this process and its hosts look for bare names in the PATH alone (desk-F7)', () => {
  const own: Record<string, string | undefined> = { Path: 'C:\\bin' };
  limitLookupToPath('win32', own);
  expect(inheritedEnvironment(own)).toEqual({ Path: 'C:\\bin', NoDefaultCurrentDirectoryInExePath: '1' });
  for (const platform of ['linux', 'darwin']) {
    const other: Record<string, string | undefined> = {};
    limitLookupToPath(platform, other);
    expect(other).toEqual({});
  }
});
