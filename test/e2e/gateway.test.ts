/** The built gateway as a process of its own, started by the command line. */
import OpenAI from 'openai';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCliHarness, type CliHarness, type CliRun } from './cli-harness.ts';

let harness: CliHarness;
beforeEach(async () => {
  harness = await openCliHarness();
});
afterEach(() => harness.close());

async function output(...args: string[]): Promise<string> {
  const run = harness.cli(...args);
  expect(await run.ended).toBe(0);
  return run.stdout().trim();
}

async function startGateway(): Promise<{ run: CliRun; baseURL: string }> {
  const run = harness.cli('gateway', '--port=0');
  await expect.poll(run.stderr).toMatch(/http:\S+\/v1/);
  return { run, baseURL: /http:\S+/.exec(run.stderr())?.[0] ?? '' };
}

test('andiron gateway answers a program with a token until it is interrupted, and nothing of the token is logged (X2)', async () => {
  const { run, baseURL } = await startGateway();
  const token = await output('token', 'create', 'Test');
  const client = new OpenAI({ apiKey: token, baseURL, maxRetries: 0 });
  const { choices } = await client.chat.completions.create({
    model: 'developer',
    messages: [{ role: 'user', content: 'hello' }],
  });
  expect(choices[0]?.message.content).toBe('Hello there.\nA second line.');
  const listed = await output('token', 'list');
  expect(listed).toMatch(/^tok_\S+ {2}guest {2}all {2}works {2}Test$/);
  await output('token', 'revoke', listed.split(' ')[0] ?? '');
  await expect(client.models.list()).rejects.toMatchObject({ status: 401 });
  run.kill('SIGINT');
  expect(await run.ended).toBe(0);
  await expect(fetch(baseURL)).rejects.toThrow('fetch failed');
  const logs = join(harness.dataDir, 'logs');
  const written = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
  expect([...written, run.stderr()].join('')).not.toContain(token.slice(4));
});

test('andiron gateway ends with its parent, and says why it cannot listen', async () => {
  const { run, baseURL } = await startGateway();
  const second = harness.cli('gateway', `--port=${new URL(baseURL).port}`);
  expect(await second.ended).toBe(2);
  expect(second.stderr()).toContain('choose one with --port');
  run.kill('SIGKILL');
  await expect
    .poll(() =>
      fetch(baseURL).then(
        () => 'answers',
        () => 'gone',
      ),
    )
    .toBe('gone');
});
