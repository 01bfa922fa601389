import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limited, type CommandLimits } from './command-limits.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'andiron-limits-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function run(limits: Partial<CommandLimits>, file: string, ...args: string[]) {
  const start = limited({ file, args }, { fileBytes: null, processes: null, ...limits });
  const { status, signal, stdout, stderr } = spawnSync(start.file, start.args, {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, signal, stdout, stderr };
}
const shell = (limits: Partial<CommandLimits>, script: string) => run(limits, '/bin/sh', '-c', script);

describe.skipIf(process.platform === 'win32')('a command with limits', () => {
  test('is the program itself, with its arguments as they are', () => {
    const { status, stdout, stderr } = run(
      { fileBytes: 1e9 },
      'printf',
      '%s|',
      '$HOME',
      'two words',
      '',
      '-x',
    );
    expect([status, stdout, stderr]).toEqual([0, '$HOME|two words||-x|', '']);
  });

  test('ends as it ends by itself', () => {
    expect(shell({}, 'exit 7').status).toBe(7);
    expect(shell({}, 'kill -TERM $$').signal).toBe('SIGTERM');
  });

  test('does not write a file that is larger, and neither does what it starts', () => {
    const script = 'sh -c "head -c 100000 /dev/zero >large" 2>&1; wc -c <large';
    const { stdout } = shell({ fileBytes: 10_000 }, script);
    expect(Number(stdout.trim().split('\n').at(-1))).toBeLessThanOrEqual(10_240);
    expect(statSync(join(folder, 'large')).size).toBeLessThanOrEqual(10_240);
  });

  test('writes smaller ones', () => {
    expect(shell({ fileBytes: 10_000 }, 'head -c 9000 /dev/zero >small').status).toBe(0);
  });
});

describe.runIf(process.platform === 'linux')('a command on Linux', () => {
  test('is the first that ends where memory runs out, and so is what it starts', () => {
    expect(shell({}, 'cat /proc/self/oom_score_adj; sh -c "cat /proc/self/oom_score_adj"').stdout).toBe(
      '1000\n1000\n',
    );
  });

  test('has as many processes as it may have, under either shell', () => {
    const { stdout, stderr } = shell({ processes: 321 }, 'grep "Max processes" /proc/self/limits');
    expect(stdout).toMatch(/^Max processes\s+321\s+321\s/);
    expect(stderr).toBe('');
  });

  test('has no other limit than the person where none is set', () => {
    const own = spawnSync('sh', ['-c', 'grep -e "Max processes" -e "Max file size" /proc/self/limits'], {
      encoding: 'utf8',
    }).stdout;
    expect(shell({}, 'grep -e "Max processes" -e "Max file size" /proc/self/limits').stdout).toBe(own);
  });
});
