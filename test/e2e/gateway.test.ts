/** The built gateway as a process of its own, started by the command line. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { once } from 'node:events';
import OpenAI from 'openai';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
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

test('a history and a response go on in their session after the gateway was killed and started again (Y15)', async () => {
  const server = await harness.startServer();
  const first = await startGateway();
  const token = await output('token', 'create', 'Test');
  const asOf = (baseURL: string) => new OpenAI({ apiKey: token, baseURL, maxRetries: 0 });
  const hello = { role: 'user', content: 'hello' } as const;
  const before = asOf(first.baseURL);
  const { choices } = await before.chat.completions.create({ model: 'developer', messages: [hello] });
  const response = await before.responses.create({ model: 'developer', input: 'hello again' });
  first.run.kill('SIGKILL');
  await first.run.ended;
  const after = asOf((await startGateway()).baseURL);
  const content = choices[0]?.message.content ?? '';
  const messages = [hello, { role: 'assistant', content } as const, hello];
  await after.chat.completions.create({ model: 'developer', messages });
  await after.responses.create({ model: 'developer', input: 'hello', previous_response_id: response.id });
  const listed = await fetch(`${after.baseURL}/sessions`, { headers: { authorization: `Bearer ${token}` } });
  expect(((await listed.json()) as { sessions: object[] }).sessions).toHaveLength(2);
  await server.stop();
});

test('the built gateway describes itself, and sends events over a WebSocket (Y15, X11)', async () => {
  const { baseURL } = await startGateway();
  const token = await output('token', 'create', 'Test');
  const headers = { authorization: `Bearer ${token}` };
  const described = await (await fetch(`${baseURL}/openapi.json`, { headers })).text();
  expect((await new Validator().validate(JSON.parse(described) as Record<string, unknown>)).valid).toBe(true);
  const opened = await fetch(`${baseURL}/sessions`, {
    method: 'POST',
    headers,
    body: '{"profile":"developer"}',
  });
  const { session } = (await opened.json()) as { session: { id: string } };
  const socket = new WebSocket(`${baseURL.replace('http', 'ws')}/sessions/${session.id}`);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'sign-in', token }));
  const [first] = (await once(socket, 'message')) as [Buffer];
  expect(JSON.parse(first.toString())).toMatchObject({ type: 'snapshot', session });
  socket.close();
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
