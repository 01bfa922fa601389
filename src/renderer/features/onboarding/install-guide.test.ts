import { expect, test } from 'vitest';
import { commandIn, guidePlatform } from './install-guide.ts';

test.each([
  ['linux', 'linux'],
  ['Linux x86_64', 'linux'],
  ['darwin', 'darwin'],
  ['MacIntel', 'darwin'],
  ['win32', 'win32'],
  ['Win32', 'win32'],
  ['FreeBSD amd64', 'other'],
  ['', 'other'],
])('%s is %s', (said, platform) => {
  expect(guidePlatform(said)).toBe(platform);
});

test.each([
  ['Run: ollama serve', 'ollama serve'],
  [
    'It is installed as a system service. Start it with: sudo systemctl start ollama',
    'sudo systemctl start ollama',
  ],
  ['Open Ollama from the Start menu.', null],
])('the command in "%s"', (hint, command) => {
  expect(commandIn(hint)).toBe(command);
});
