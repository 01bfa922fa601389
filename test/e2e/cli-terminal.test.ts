/** What a person gets of the built command line in a terminal, which is one of Python's. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openCliHarness, type CliHarness, type CliRun } from './cli-harness.ts';

const ctrlC = '\u0003';
const ctrlD = '\u0004';

/** One server for all of them: each has a session of its own, and only one looks at the others. */
let harness: CliHarness;
beforeAll(async () => {
  harness = await openCliHarness();
  await harness.startServer();
});
afterEach(() => rmSync(join(harness.workspace, 'proof'), { force: true }));
afterAll(() => harness.close());

/** What a terminal itself makes of the lines is no sign of ours. */
const shown = (run: CliRun): string => run.stdout().replaceAll('\r\n', '\n');
/** All that a terminal obeys or hides. */
const obeyed = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\n]]/v;

test('an answer with control and bidi characters shows them in a terminal', async () => {
  const run = harness.inTerminal('exec', 'hostile');
  expect(await run.ended).toBe(0);
  expect(shown(run)).toContain(
    String.raw`safe\u001b[2Jcleared \u202eturned\u202c zero\u200bwidth back\u000dover \u009b31mred`,
  );
  expect(shown(run)).not.toMatch(obeyed);
});

test('the same answer leaves as it is where no terminal obeys it', async () => {
  const run = harness.cli('exec', 'hostile');
  await run.ended;
  expect(run.stdout()).toContain('safe\u001B[2Jcleared \u202Eturned');
});

test('JSON lines in a terminal have no character that it obeys, and are the same JSON', async () => {
  const run = harness.inTerminal('exec', 'hostile', '--json');
  expect(await run.ended).toBe(0);
  expect(shown(run)).not.toMatch(obeyed);
  const last = shown(run)
    .trim()
    .split('\n')
    .findLast((line) => line.startsWith('{'));
  expect(JSON.parse(last ?? '')).toMatchObject({
    text: expect.stringContaining('safe\u001B[2Jcleared \u202Eturned') as string,
  });
});

test('names of files and folders with control characters show them in a terminal', async () => {
  const own = await openCliHarness();
  onTestFinished(() => own.close());
  await own.startServer();
  const folder = join(own.workspace, 'evil\u001B[2J\u202Efolder\nStopped.');
  mkdirSync(folder);
  const name = 'a\u001B]0;title\u0007\u202Etxt';
  const run = own.inTerminal('exec', 'hello', '--folder', folder, '--file', join(folder, name));
  expect(await run.ended).toBe(2);
  expect(shown(run)).not.toMatch(obeyed);
  writeFileSync(join(folder, name), 'words');
  const again = own.inTerminal('exec', 'run it', '--folder', folder, '--file', join(folder, name));
  await expect.poll(() => shown(again)).toContain('[N]o: ');
  again.write('n\n');
  await again.ended;
  const list = own.inTerminal('sessions');
  await list.ended;
  expect(shown(again) + shown(list)).not.toMatch(obeyed);
  expect(shown(list).trim().split('\n')).toHaveLength(1);
  expect(shown(list)).toContain(String.raw`evil\u001b[2J\u202efolder\nStopped.`);
});

test('a question is asked in the terminal with the whole command, and y runs it', async () => {
  const run = harness.inTerminal('exec', 'run it');
  await expect.poll(() => shown(run)).toContain('[N]o: ');
  expect(shown(run)).toContain('  | echo ran >proof\n');
  expect(existsSync(join(harness.workspace, 'proof'))).toBe(false);
  run.write('y\n');
  expect(await run.ended).toBe(0);
  expect(readFileSync(join(harness.workspace, 'proof'), 'utf8')).toBe('ran\n');
});

test.each(['n\n', '\n', 'yes please\n', ctrlD])('anything but a clear yes declines: %j', async (said) => {
  const run = harness.inTerminal('exec', 'run it');
  await expect.poll(() => shown(run)).toContain('[N]o: ');
  run.write(said);
  expect(await run.ended).toBe(0);
  expect(existsSync(join(harness.workspace, 'proof'))).toBe(false);
});

test('Ctrl-C at a question stops the turn', async () => {
  const run = harness.inTerminal('exec', 'run it');
  await expect.poll(() => shown(run)).toContain('[N]o: ');
  run.write(ctrlC);
  expect(await run.ended).toBe(3);
  expect(existsSync(join(harness.workspace, 'proof'))).toBe(false);
});

test('chat in a terminal goes on after Ctrl-C stopped an answer, and Ctrl-D ends it', async () => {
  const run = harness.inTerminal('chat');
  await expect.poll(() => shown(run)).toContain('> ');
  run.write('wait\n');
  await expect.poll(() => shown(run)).toContain('Half an answer.');
  run.write(ctrlC);
  await expect.poll(() => shown(run)).toMatch(/Stopped\.\n> $/);
  run.write('hello\n');
  await expect.poll(() => shown(run)).toMatch(/A second line\.\n> $/);
  run.write(ctrlD);
  expect(await run.ended).toBe(0);
});

test('a question of a chat waits for an answer of its own where several lines were pasted', async () => {
  const run = harness.inTerminal('chat');
  await expect.poll(() => shown(run)).toContain('> ');
  run.write('run it\ny\n');
  await expect.poll(() => shown(run)).toContain('[N]o: ');
  run.write('n\n');
  await expect.poll(() => shown(run)).toContain('It said: ');
  run.write(ctrlD);
  await run.ended;
  expect(existsSync(join(harness.workspace, 'proof'))).toBe(false);
});

test('Ctrl-C at the prompt of a chat ends it', async () => {
  const run = harness.inTerminal('chat');
  await expect.poll(() => shown(run)).toContain('> ');
  run.write(ctrlC);
  expect(await run.ended).toBe(0);
});
