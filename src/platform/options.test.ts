import { expect, test } from 'vitest';
import { ownArguments, parseOptions, UsageError } from './options.ts';

test('without arguments everything is found by Andiron itself', () => {
  expect(parseOptions([])).toEqual({
    port: 0,
    dataDir: null,
    demo: false,
    engineUrl: null,
    workspace: null,
    open: false,
    page: true,
    help: false,
  });
});

test('every flag is read', () => {
  const args = ['--port', '4100', '--data-dir=/d', '--workspace', '/w', '--headless', '--open', '--no-page'];
  expect(parseOptions([...args, '--engine-url', 'http://gpu.lan:11434'])).toEqual({
    port: 4100,
    dataDir: '/d',
    demo: false,
    engineUrl: 'http://gpu.lan:11434',
    workspace: '/w',
    open: true,
    page: false,
    help: false,
  });
  expect(parseOptions(['--demo']).demo).toBe(true);
});

test.each([
  ['--port', '70000'],
  ['--port', '1e3'],
  ['--engine-url', 'localhost:11434'],
  ['--engine-url', 'file:///etc/passwd'],
  ['--demo', '--engine-url=http://127.0.0.1:1'],
  ['--fullscreen'],
  ['folder'],
])('%s %s is refused in words', (...args) => {
  expect(() => parseOptions(args)).toThrow(UsageError);
});

test('arguments of Chromium and of the system are left to them', () => {
  expect(
    ownArguments([
      '--no-sandbox',
      '--demo',
      '--ozone-platform=x11',
      '--data-dir',
      '/d',
      '-psn_0_1',
      '.',
      '--port=1',
    ]),
  ).toEqual(['--demo', '--data-dir=/d', '--port=1']);
});
