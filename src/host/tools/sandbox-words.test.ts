import { expect, test } from 'vitest';
import { refusalIn, whyNotSandboxed } from './sandbox-words.ts';

test.each([
  ['network', 'npm error code EAI_AGAIN'],
  ['network', 'curl: (6) Could not resolve host: example.org'],
  ['network', 'fatal: unable to connect: Network is unreachable'],
  ['write', "touch: cannot touch '/etc/x': Read-only file system"],
  ['write', 'Error: EROFS: read-only file system, open'],
  ['write', 'error: could not write config file .git/config: Device or resource busy'],
] as const)('%s is what a command ran into that says "%s"', (refusal, printed) => {
  expect(refusalIn(printed)).toBe(refusal);
});

test.each([
  ['network', 'Error: getaddrinfo ENOTFOUND registry.example'],
  ['network', 'nodename nor servname provided, or not known'],
  ['write', 'touch: /etc/x: Operation not permitted'],
  ['write', "Error: EPERM: operation not permitted, open '/etc/x'"],
] as const)('%s is what a command of the sandbox runtime ran into that says "%s"', (refusal, printed) => {
  expect(refusalIn(printed, 'srt')).toBe(refusal);
  expect(refusalIn(printed, 'bwrap')).toBeNull();
});

test('a command that fails by itself ran into nothing', () => {
  expect(
    refusalIn('AssertionError: expected 1 to be 2\nPermission denied\nNo such file or directory'),
  ).toBeNull();
});

const why = (status: Parameters<typeof whyNotSandboxed>[0]): string => whyNotSandboxed(status) ?? '';

test('why there is no sandbox is said with what to do or what was found', () => {
  expect(why({ kind: 'none', problem: 'missing', detail: '' })).toContain('Install bubblewrap');
  expect(why({ kind: 'none', problem: 'refused', detail: 'uid map: Permission denied' })).toContain(
    'uid map',
  );
  expect(why({ kind: 'none', problem: 'leaky', detail: 'has a network' })).toContain('(it has a network)');
  expect(whyNotSandboxed({ kind: 'bwrap', version: '0.8.0', hasProxy: false })).toBeUndefined();
});
