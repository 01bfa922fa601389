import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { namedIn } from './clean-start.ts';
import { inheritedEnvironment } from './inherited-environment.ts';

const module = new URL('clean-start.ts', import.meta.url).href;

interface Report {
  given: Record<string, string>;
  standing: string;
  pid: number;
  args: string[];
  child: Record<string, string>;
}

/** What a program that starts clean has, tells and passes on. */
function report(env: NodeJS.ProcessEnv): Report & { spawned: number } {
  const program = `
    import { readFileSync } from 'node:fs';
    import { execFileSync } from 'node:child_process';
    import { startClean } from ${JSON.stringify(module)};
    const given = startClean((name) => name === 'MY_LLM');
    const standing = readFileSync('/proc/self/environ', 'utf8');
    const child = JSON.parse(execFileSync(process.execPath, ['-p', 'JSON.stringify(process.env)']));
    console.log(JSON.stringify({ given, standing, pid: process.pid, args: process.argv.slice(2), child }));`;
  const folder = mkdtempSync(join(tmpdir(), 'andiron-clean-'));
  try {
    const path = join(folder, 'program.mjs');
    writeFileSync(path, program);
    const { stdout, stderr, pid } = spawnSync(process.execPath, [path, 'one two', "it's"], {
      env,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return { ...(JSON.parse(stdout) as Report), spawned: pid };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test.runIf(process.platform === 'linux')(
  'a process that starts with keys has them, and nobody who looks at it does (audit-S7)',
  () => {
    const keys = {
      OPENAI_API_KEY: "sk-1'$(x)\n2",
      GITHUB_TOKEN: 'ghp',
      MY_LLM: 'plain',
      DB_PASSWORD: 'p'.repeat(20_000),
    };
    const env = { PATH: process.env['PATH'], HOME: '/home/me', SSH_AUTH_SOCK: '/run/agent', ...keys };
    const { given, standing, pid, spawned, args, child } = report(env);
    expect(given).toMatchObject(env);
    expect(given).not.toHaveProperty('ANDIRON_HANDED');
    for (const name of Object.keys(keys)) expect(standing).not.toContain(name);
    expect(standing).not.toContain('sk-1');
    expect(standing).toContain('SSH_AUTH_SOCK=/run/agent');
    expect(child).toMatchObject({ HOME: '/home/me' });
    expect(Object.keys(child).filter((name) => name in keys || name === 'ANDIRON_HANDED')).toEqual([]);
    // The same process, with its arguments.
    expect([pid, args]).toEqual([spawned, ['one two', "it's"]]);
  },
);

test.runIf(process.platform === 'linux')('a process without keys goes on as it is', () => {
  const { given, standing } = report({ PATH: process.env['PATH'], LANG: 'C' });
  expect(given['LANG']).toBe('C');
  expect(standing).toContain('LANG=C');
});

test('a variable that hosts.json names is a secret, whatever its name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'andiron-clean-'));
  writeFileSync(join(folder, 'hosts.json'), '{ "hosts": [{ "apiKeyEnv": "MY_LLM" }] }');
  expect(namedIn(join(folder, 'hosts.json'))('MY_LLM')).toBe(true);
  expect(namedIn(join(folder, 'hosts.json'))('MY')).toBe(false);
  expect(namedIn(join(folder, 'none.json'))('MY_LLM')).toBe(false);
  rmSync(folder, { recursive: true });
});

test('the agent host inherits no variable that is not on its short list (audit-S7)', () => {
  const own = {
    PATH: '/bin',
    LC_ALL: 'C',
    OPENAI_API_KEY: 'x',
    MY_LLM: 'x',
    NODE_OPTIONS: 'x',
    HTTPS_PROXY: 'x',
  };
  expect(inheritedEnvironment(own)).toEqual({ PATH: '/bin', LC_ALL: 'C' });
});
