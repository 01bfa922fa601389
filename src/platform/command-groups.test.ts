import { spawn, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from './clock.ts';
import { createGroupJournal, endLeftGroups } from './command-groups.ts';
import { createProcesses } from './processes.ts';

let dir: string;
let hosts: ChildProcess[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'andiron-groups-'));
  hosts = [];
});
afterEach(() => {
  for (const host of hosts) host.kill('SIGKILL');
  endLeftGroups(dir, true);
  rmSync(dir, { recursive: true, force: true });
});

const journalled = (): string[] => readdirSync(join(dir, 'commands'));
const module = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);

/** A process that runs the command as the host does, with its data in `dir`; `prelude` may change its `journal`. */
function startHost(command: string, prelude = '') {
  const program = `
    import { systemClock } from ${module('clock.ts')};
    import { createGroupJournal } from ${module('command-groups.ts')};
    import { createProcesses } from ${module('processes.ts')};
    const dir = ${JSON.stringify(dir)};
    let journal = createGroupJournal(dir);
    ${prelude}
    await createProcesses(systemClock, journal).run({
      file: '/bin/sh', args: ['-c', ${JSON.stringify(command)}], cwd: dir, env: process.env, signal: new AbortController().signal, outputLimit: 1000,
      onOutput: (_stream, text) => process.stdout.write(text),
    });`;
  const host = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  hosts.push(host);
  return {
    line: new Promise<string>((resolve) => createInterface({ input: host.stdout }).once('line', resolve)),
    ended: new Promise((resolve) => host.once('exit', resolve)),
    kill: () => host.kill('SIGKILL'),
  };
}

/** A dead process that nobody collected yet does not live. */
function lives(pid: string): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

test('what a killed host leaves running is ended, all of the group', async () => {
  const host = startHost('trap "" TERM; sleep 60 & echo $$ $!; wait');
  const pids = (await host.line).split(' ');
  host.kill();
  await host.ended;
  expect(pids.map(lives)).toEqual([true, true]);
  expect(endLeftGroups(dir, true)).toEqual([Number(pids[0])]);
  await expect.poll(() => pids.map(lives)).toEqual([false, false]);
  expect(journalled()).toEqual([]);
});

test('a later start ends it too, as long as its leader is the recorded process', async () => {
  const host = startHost('echo $$; sleep 60');
  const pid = await host.line;
  host.kill();
  await host.ended;
  expect(endLeftGroups(dir, false)).toEqual([Number(pid)]);
  await expect.poll(() => lives(pid)).toBe(false);
});

test.each([true, false])(
  'what left the group of a command is ended after its host was killed, sure %s (audit-S5)',
  async (sure) => {
    const host = startHost('env -i setsid sh -c "echo \\$\\$; sleep 60" & sleep 60');
    const pid = await host.line;
    host.kill();
    await host.ended;
    expect(lives(pid)).toBe(true);
    endLeftGroups(dir, sure);
    await expect.poll(() => lives(pid)).toBe(false);
  },
);

test('a host that dies before its command is in the journal has begun nothing', async () => {
  const host = startHost(
    `touch ${dir}/begun; sleep 60`,
    "journal = { begun: () => process.kill(process.pid, 'SIGKILL'), ended() {} };",
  );
  await host.ended;
  expect(endLeftGroups(dir, true)).toEqual([]);
  expect(existsSync(join(dir, 'begun'))).toBe(false);
});

test('a journal that cannot be written keeps the command from beginning', async () => {
  const journal = {
    begun: () => {
      throw new Error('The disk is full.');
    },
    ended: () => undefined,
  };
  const run = createProcesses(systemClock, journal).run({
    file: '/bin/sh',
    args: ['-c', 'touch begun'],
    cwd: dir,
    env: {},
    signal: new AbortController().signal,
    outputLimit: 1000,
    onOutput: () => undefined,
  });
  await expect(run).rejects.toThrow('The disk is full.');
  expect(existsSync(join(dir, 'begun'))).toBe(false);
});

test('a command that ended is forgotten', async () => {
  const journal = createGroupJournal(dir);
  const seen: string[] = [];
  await createProcesses(systemClock, journal).run({
    file: '/bin/sh',
    args: ['-c', 'echo on'],
    cwd: dir,
    env: {},
    signal: new AbortController().signal,
    outputLimit: 1000,
    onOutput: () => seen.push(...journalled()),
  });
  expect(seen).toHaveLength(1);
  expect(journalled()).toEqual([]);
});

/** What is alive by now, and since when; the rest is gone. */
const table = (identities: Record<number, string>) => ({
  pid: 1,
  isAlive: (pid: number) => pid in identities,
  identity: (pid: number) => identities[pid] ?? null,
});

test.each([
  ['the recorded process is alive', 'then', { 7: 'then' }, { sure: [7], later: [7] }],
  ['another process has its id', 'then', { 7: 'now' }, { sure: [], later: [] }],
  ['the leader is gone, the group perhaps not', 'then', {}, { sure: [7], later: [] }],
  ['the platform does not say since when it lives', '', {}, { sure: [7], later: [] }],
])('%s', (_name, recorded, alive, expected) => {
  for (const [sure, ended] of [[true, expected.sure] as const, [false, expected.later] as const]) {
    mkdirSync(join(dir, 'commands'), { recursive: true });
    writeFileSync(join(dir, 'commands', '7'), recorded);
    expect(
      endLeftGroups(dir, sure, table(alive), { group: () => undefined, marked: () => undefined }),
    ).toEqual(ended);
    expect(journalled()).toEqual([]);
  }
});

test('what carries the mark of a command is ended whoever has the id of its leader by now', () => {
  mkdirSync(join(dir, 'commands'));
  writeFileSync(join(dir, 'commands', '7'), 'then\n4711');
  writeFileSync(join(dir, 'commands', '8'), 'then\nno mark');
  const marked: string[] = [];
  endLeftGroups(dir, false, table({ 7: 'now', 8: 'now' }), {
    group: () => expect.fail('another process has the id'),
    marked: (mark) => marked.push(mark),
  });
  expect(marked).toEqual(['4711']);
});

test('a file that is no process id is swept away, and no group is asked', () => {
  mkdirSync(join(dir, 'commands'));
  for (const name of ['0', '1', '-5', 'x', '1.5']) writeFileSync(join(dir, 'commands', name), 'then');
  const nobody = {
    group: () => expect.fail('nobody is meant'),
    marked: () => expect.fail('nobody is meant'),
  };
  expect(endLeftGroups(dir, true, table({}), nobody)).toEqual([]);
  expect(journalled()).toEqual([]);
});
