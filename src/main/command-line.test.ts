import { expect, test } from 'vitest';
import { commandWords, cliUsage, parseCommand, CliUsageError } from '../cli/command-arguments.ts';
import { lacksDisplay } from './background-start.ts';
import { commandOf } from './command-line.ts';

test.each<[readonly string[], readonly string[] | null]>([
  [
    ['exec', 'hello', '--json'],
    ['exec', 'hello', '--json'],
  ],
  // An AppImage puts it first where the system lets it have no sandbox.
  [['--no-sandbox', 'models'], ['models']],
  [['--help'], ['--help']],
  [['-h'], ['-h']],
  [[], null],
  [['--data-dir=/data'], null],
  [['/home/anna/project'], null],
  [['./exec'], null],
  [['executive'], null],
  // A folder of that name is not the first word.
  [['/home/anna', 'exec'], null],
])('The installed program takes %j for the command %j (Y8)', (args, command) => {
  expect(commandOf(args)).toEqual(command);
});

test('Each first word that the program knows is a command, and each command is known (Y8)', () => {
  const known = commandWords.filter((word) => {
    try {
      parseCommand([word], '/');
      return true;
    } catch (error) {
      return error instanceof CliUsageError && !error.message.includes(`"${word}"`);
    }
  });
  const documented = [...cliUsage.matchAll(/^ {2}andiron (\w+)/gm)].map(([, word = '']) => word);
  expect(known).toEqual(commandWords);
  expect(documented.filter((word) => !commandWords.includes(word))).toEqual([]);
});

test.each<[NodeJS.Platform, NodeJS.ProcessEnv, boolean]>([
  ['linux', {}, true],
  ['linux', { DISPLAY: '' }, true],
  ['linux', { DISPLAY: ':0' }, false],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, false],
  ['darwin', {}, false],
  ['win32', {}, false],
])('On %s with %j a display is missing: %s', (platform, env, isMissing) => {
  expect(lacksDisplay(platform, env)).toBe(isMissing);
});
