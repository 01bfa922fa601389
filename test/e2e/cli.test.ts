/** What a script gets of the built command line. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { openCliHarness, type CliHarness, type CliRun } from './cli-harness.ts';

let harness: CliHarness;
beforeEach(async () => {
  harness = await openCliHarness();
});
afterEach(() => harness.close());

/** With a running server, for tests that neither end it nor look at all that is there. */
let served: CliHarness;
beforeAll(async () => {
  served = await openCliHarness();
  await served.startServer();
});
afterAll(() => served.close());

/** Of the host that holds the data folder; undefined = nobody does. */
function holder({ dataDir } = harness): number | undefined {
  try {
    return (JSON.parse(readFileSync(join(dataDir, 'andiron.lock'), 'utf8')) as { pid: number }).pid;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const linesOf = (run: CliRun): unknown[] =>
  run
    .stdout()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

const sessionIn = (run: CliRun): string => /Session: (\S+)/.exec(run.stderr())?.[1] ?? '';

test('exec writes the answer of a running host to stdout and all else to stderr (M3, W12)', async () => {
  const pid = holder(served);
  const run = served.cli('exec', 'hello');
  expect(await run.ended).toBe(0);
  expect(run.stdout()).toBe('Hello there.\nA second line.\n');
  expect(run.stderr()).toMatch(/^Model: .+\nSession: \S+\n$/);
  expect(holder(served)).toBe(pid);
});

test('exec says on stderr how many turns have the GPU before it (X12)', async () => {
  const first = served.cli('exec', 'wait');
  await expect.poll(first.stdout).toContain('Half an answer.');
  const second = served.cli('exec', 'hello');
  await expect.poll(second.stderr).toContain('Waiting for the GPU: one turn comes first.');
  first.kill('SIGINT');
  expect(await second.ended).toBe(0);
  expect(second.stdout()).toBe('Hello there.\nA second line.\n');
});

test('exec without a running host starts one for as long as it takes, and ends it', async () => {
  const run = harness.cli('exec', 'wait');
  await expect.poll(run.stdout).toContain('Half an answer.');
  const pid = holder() ?? 0;
  expect(isAlive(pid)).toBe(true);
  run.kill('SIGINT');
  expect(await run.ended).toBe(3);
  expect(isAlive(pid)).toBe(false);
  expect(run.stderr()).toContain('Starting Andiron for this command.');
});

test('a host that exec started ends as well when exec is killed', async () => {
  const run = harness.cli('exec', 'wait');
  await expect.poll(run.stdout).toContain('Half an answer.');
  const pid = holder() ?? 0;
  run.kill('SIGKILL');
  await run.ended;
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('exec --json writes each event of the turn as a line, and one result at the end (X11)', async () => {
  const run = harness.cli('exec', '--json', 'hello');
  expect(await run.ended).toBe(0);
  const lines = linesOf(run);
  const events = lines.slice(0, -1) as SessionEvent[];
  expect(events.at(0)?.event.type).toBe('turn/queued');
  expect(events.at(-1)?.event.type).toBe('turn/closed');
  const seqs = events.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  expect(lines.at(-1)).toMatchObject({
    type: 'result',
    status: 'finished',
    text: 'Hello there.\nA second line.',
    error: null,
    denied: [],
    exitCode: 0,
  });
});

test('exec --no-plan asks for an answer without a plan, with files too (A1)', async () => {
  writeFileSync(join(harness.workspace, 'small.txt'), 'a few words');
  const run = harness.cli('exec', '--no-plan', '--json', 'hello', '--file=small.txt');
  expect(await run.ended).toBe(0);
  const [queued] = linesOf(run) as SessionEvent[];
  expect(queued?.event).toMatchObject({ type: 'turn/queued', turn: { mayPlan: false } });
});

test('a question where nobody can answer is denied, said on stderr, and ends with 2', async () => {
  const run = harness.cli('exec', 'run it');
  expect(await run.ended).toBe(2);
  expect(run.stderr()).toContain(
    'Denied, because nobody can be asked here:\n  | run_command: echo ran >proof',
  );
  expect(run.stdout()).toContain('Nobody is at a terminal to answer');
  expect(existsSync(join(harness.workspace, 'proof'))).toBe(false);
});

test('--allow none denies reading as well, and --allow reads allows it', async () => {
  const none = served.cli('exec', 'go on for ever', '--profile=short', '--allow=none', '--json');
  await none.ended;
  expect(linesOf(none).at(-1)).toMatchObject({
    denied: [expect.stringContaining('list_files'), expect.anything()],
  });
  const reads = served.cli('exec', 'go on for ever', '--profile=short', '--allow=reads', '--json');
  await reads.ended;
  expect(linesOf(reads).at(-1)).toMatchObject({ denied: [] });
});

test('the first Ctrl-C stops the turn and says so, and the exit code is 3', async () => {
  const run = served.cli('exec', 'wait', '--json');
  await expect.poll(run.stdout).toContain('an answer.');
  run.kill('SIGINT');
  expect(await run.ended).toBe(3);
  expect(run.stderr()).toContain('Stopping. Press Ctrl-C again to end at once.');
  expect(linesOf(run).at(-1)).toMatchObject({ type: 'result', status: 'stopped', exitCode: 3 });
});

test('the second Ctrl-C ends at once, whatever the host does', async () => {
  await harness.startServer();
  const run = harness.cli('exec', 'wait');
  await expect.poll(run.stdout).toContain('Half an answer.');
  const pid = holder() ?? 0;
  // A host that answers nothing.
  process.kill(pid, 'SIGSTOP');
  run.kill('SIGINT');
  await expect.poll(run.stderr).toContain('Stopping.');
  run.kill('SIGINT');
  expect(await run.ended).toBe(3);
  process.kill(pid, 'SIGCONT');
});

test('the step limit of a profile ends with 4 (P5)', async () => {
  const run = harness.cli('exec', 'go on for ever', '--profile', 'short');
  expect(await run.ended).toBe(4);
  expect(run.stderr()).toContain('Stopped at the step limit.');
});

test.each([['exec', 'hello'], ['exec', 'hello', '--no-plan'], ['models']])(
  'with a dead Ollama it ends with 2 and says what to do: %s %s %s (W12)',
  async (...args) => {
    await harness.sim.close();
    const run = harness.cli(...args);
    expect(await run.ended).toBe(2);
    expect(run.stdout()).toBe('');
    expect(run.stderr()).toMatch(/Ollama|No model can be used/);
  },
);

test('a dead Ollama ends --json with one result that says why (W12)', async () => {
  await harness.sim.close();
  const run = harness.cli('exec', 'hello', '--json');
  expect(await run.ended).toBe(2);
  expect(linesOf(run).at(-1)).toMatchObject({
    type: 'result',
    status: 'failed',
    error: { code: 'engine_unavailable' },
    exitCode: 2,
  });
});

test('two that start at once share one host, and both get their answer', async () => {
  const runs = [harness.cli('exec', 'hello'), harness.cli('exec', 'hello')];
  expect(await Promise.all(runs.map(({ ended }) => ended))).toEqual([0, 0]);
  expect(runs.map((run) => run.stdout())).toEqual(Array(2).fill('Hello there.\nA second line.\n'));
  await expect.poll(() => holder()).toBeUndefined();
});

test('a data folder whose host cannot be reached ends with 2 and names its process', async () => {
  writeFileSync(join(harness.dataDir, 'host.sock'), 'no socket');
  await harness.startServer();
  const run = harness.cli('exec', 'hello');
  expect(await run.ended).toBe(2);
  expect(run.stderr()).toContain(`Another Andiron (process ${String(holder())}) is using`);
});

test('the message comes from a pipe, and from stdin for -', async () => {
  for (const args of [['exec'], ['exec', '-']]) {
    const run = served.cli(...args);
    run.write('hel');
    run.write('lo\n');
    run.endInput();
    expect([await run.ended, run.stdout()]).toEqual([0, 'Hello there.\nA second line.\n']);
  }
});

test('files are attached with the message, small and large ones (X6)', async () => {
  const [small, large] = ['small.txt', 'large.bin'].map((name) => join(served.workspace, name));
  writeFileSync(small ?? '', 'a few words');
  writeFileSync(large ?? '', Buffer.alloc(3_000_000, 1));
  const run = served.cli('exec', 'files', '--file=small.txt', '--file', large ?? '');
  expect(await run.ended).toBe(0);
  expect(run.stdout()).toContain('small.txt');
  expect(run.stdout()).toContain('large.bin');
});

test('a file that is not there ends with 2 before anything is sent', async () => {
  const run = served.cli('exec', 'hello', '--file', 'absent.txt');
  expect(await run.ended).toBe(2);
  expect(run.stderr()).toContain('absent.txt cannot be read');
});

test('a session is continued, listed, and found again by its id', async () => {
  await harness.startServer();
  const first = harness.cli('exec', 'hello');
  await first.ended;
  const id = sessionIn(first);
  const second = harness.cli('exec', 'hello', '--session', id);
  expect(await second.ended).toBe(0);
  expect(sessionIn(second)).toBe(id);
  const list = harness.cli('sessions', '--json');
  expect(await list.ended).toBe(0);
  expect(linesOf(list)).toEqual([
    expect.objectContaining({ id, title: 'hello', workspace: harness.workspace }),
  ]);
});

test('models lists what Ollama has installed', async () => {
  const run = harness.cli('models');
  expect(await run.ended).toBe(0);
  expect(run.stdout()).toContain('qwen3.5:9b  ');
});

test('stop ends what runs in another process, which ends with 3', async () => {
  const run = served.cli('exec', 'wait');
  await expect.poll(run.stdout).toContain('Half an answer.');
  const stop = served.cli('stop');
  expect(await stop.ended).toBe(0);
  expect(stop.stderr()).toContain('Stopped: wait');
  expect(await run.ended).toBe(3);
});

test('stop where nothing runs starts nothing', async () => {
  const stop = harness.cli('stop');
  expect([await stop.ended, stop.stderr()]).toEqual([0, 'Nothing is running.\n']);
  expect(existsSync(join(harness.dataDir, 'logs', 'host.log'))).toBe(false);
});

test('a host that dies under a turn ends it with 2 (W12)', async () => {
  await harness.startServer();
  const run = harness.cli('exec', 'wait');
  await expect.poll(run.stdout).toContain('Half an answer.');
  process.kill(holder() ?? 0, 'SIGKILL');
  expect(await run.ended).toBe(2);
  expect(run.stderr()).toContain('The connection to Andiron was lost.');
});

test('a reader that leaves ends the turn without a stack trace', async () => {
  const run = served.inShell('"$@" | head -1', 'exec', 'many lines');
  expect(await run.ended).toBe(0);
  expect(run.stdout()).toBe('One line.\n');
  expect(run.stderr()).toMatch(
    /^Model: .+\nStopping, because nobody reads the answer any longer\.\nStopped\.\nSession: \S+\n$/,
  );
});

test('chat keeps one session for all its lines, and ends with them', async () => {
  await harness.startServer();
  const run = harness.cli('chat');
  run.write('hello\nhello again\n');
  run.endInput();
  expect(await run.ended).toBe(0);
  expect(run.stdout()).toBe('Hello there.\nA second line.\n'.repeat(2));
  const list = harness.cli('sessions', '--json');
  await list.ended;
  expect(linesOf(list)).toHaveLength(1);
});

test('wrong use ends with 1 and says what is right', async () => {
  const run = harness.cli('exec', 'hello', '--alow', 'none');
  expect(await run.ended).toBe(1);
  expect(run.stderr()).toBe(
    'There is no option --alow. Did you mean --allow?\nandiron --help shows all commands and options.\n',
  );
  expect(run.stdout()).toBe('');
});

test('schedule adds, runs, lists and removes a job, and usage counts what it took', async () => {
  await harness.startServer();
  const added = harness.cli('schedule', 'add', 'Greeting', 'hello', '--every=60', '--profile=short');
  expect(await added.ended).toBe(0);
  const id = added.stdout().trim();
  const run = harness.cli('schedule', 'run', id);
  expect(await run.ended).toBe(0);
  expect(run.stdout()).toBe('Hello there.\nA second line.\n');
  const list = harness.cli('schedule', 'list', '--json');
  expect(await list.ended).toBe(0);
  expect(linesOf(list)).toMatchObject([{ id, name: 'Greeting', runs: [{ state: 'ran', isManual: true }] }]);
  const usage = harness.cli('usage', '--by=person', '--json');
  expect(await usage.ended).toBe(0);
  expect(linesOf(usage)).toMatchObject([{ key: 'owner' }, { key: 'total' }]);
  expect(await harness.cli('schedule', 'remove', id).ended).toBe(0);
  const none = harness.cli('schedule', 'list');
  expect(await none.ended).toBe(0);
  expect(none.stderr()).toContain('There are no jobs yet.');
});

/** Adds a job that is due soon: later on a machine on which the command itself takes that long. Returns when. */
async function addDue(to: CliHarness): Promise<number> {
  for (let inMs = 8_000; ; inMs *= 4) {
    const at = Date.now() + inMs;
    const added = to.cli('schedule', 'add', 'Due', 'files', `--at=${new Date(at).toISOString()}`);
    const code = await added.ended;
    if (code === 0) return at;
    if (Date.now() < at) throw new Error(`The job was refused before its time: ${added.stderr()}`);
  }
}

test('schedule run without a running host waits for the answer, and begins nothing else that is due', async () => {
  const at = await addDue(harness);
  const added = harness.cli('schedule', 'add', 'Greeting', 'hello', '--every=60', '--profile=short');
  await added.ended;
  await expect.poll(() => Date.now()).toBeGreaterThan(at);
  const run = harness.cli('schedule', 'run', added.stdout().trim());
  expect([await run.ended, run.stderr()]).toEqual([0, expect.any(String)]);
  expect(run.stdout()).toContain('Hello there.');
  const list = harness.cli('schedule', 'list', '--json');
  await list.ended;
  expect(linesOf(list)).toMatchObject([
    { name: 'Due', runs: [] },
    { name: 'Greeting', runs: [{ state: 'ran' }] },
  ]);
});
