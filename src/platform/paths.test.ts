import { expect, test } from 'vitest';
import { defaultDataDir } from './paths.ts';

test.each([
  ['linux', '/home/ada', {}, '/home/ada/.local/share/andiron'],
  ['linux', '/home/ada', { XDG_DATA_HOME: '/data' }, '/data/andiron'],
  ['linux', '/home/ada', { XDG_DATA_HOME: 'relative' }, '/home/ada/.local/share/andiron'],
  ['darwin', '/Users/ada', {}, '/Users/ada/Library/Application Support/Andiron'],
  ['win32', String.raw`C:\Users\ada`, {}, String.raw`C:\Users\ada\AppData\Local\Andiron`],
  ['win32', String.raw`C:\Users\ada`, { LOCALAPPDATA: String.raw`D:\local` }, String.raw`D:\local\Andiron`],
] as const)('on %s with home %s and %o the data lies in %s', (platform, homeDir, env, expected) => {
  expect(defaultDataDir({ platform, homeDir, env })).toBe(expected);
});
