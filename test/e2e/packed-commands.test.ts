/** The commands of an installed Andiron: main's built entry as the program, in Node over the strict stub of Electron. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { signatureOf } from '../../src/bridges/webhook/signed-request.ts';
import { connectLocally } from '../../src/platform/local-socket.ts';
import type { HostMethods } from '../../src/protocol/host-methods.ts';
import { maxFrameBytes } from '../../src/protocol/limits.ts';
import { createRpcClient, type RpcClient } from '../../src/protocol/rpc-client.ts';
import type { WayId } from '../../src/protocol/way-methods.ts';
import { reply, rule, script, startSim, type Sim } from '../../src/sim/index.ts';
import { freePort } from '../helpers/free-port.ts';
import { proveModels } from '../helpers/proven-models.ts';
import { projectRoot, temporaryFolder } from '../helpers/server-process.ts';

const folder = temporaryFolder();
const data = temporaryFolder();
let sim: Sim;
/** Stands for the file of an AppImage, which starts the program anew with what it is given. */
let program: string;
let options: string[];

beforeAll(async () => {
  sim = await startSim({
    speed: 100,
    script: script([
      rule({ user: 'hello' }, reply().text('Hello there.')),
      rule({ user: 'wait' }, reply().text('Half an answer. ').pause(300_000).text('The rest.')),
    ]),
  });
  program = join(folder.path, 'Andiron.AppImage');
  const main = join(projectRoot, 'test', 'helpers', 'desktop', 'main-process.ts');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(program, 0o755);
  options = [`--data-dir=${data.path}`, `--engine-url=${sim.url}`];
  await proveModels(options);
});
afterAll(async () => {
  await backgroundEnded();
  await sim.close();
  for (const each of [folder, data]) each.remove();
});

interface CommandRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** @param input null = it stays open */
function start(args: readonly string[], input: string | null = '') {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env;
  // What the file starts is in its mount.
  const image = { APPIMAGE: program, APPDIR: dirname(process.execPath) };
  const child = spawn(program, args, { cwd: folder.path, env: { ...env, ...image } });
  let [stdout, stderr] = ['', ''];
  const heard = Promise.withResolvers<void>();
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    stdout += part;
    heard.resolve();
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
  if (input !== null) child.stdin.end(input);
  const ended = once(child, 'close').then(([code]): CommandRun => ({
    code: code as number | null,
    stdout,
    stderr,
  }));
  return { child, heard: heard.promise, ended };
}
const run = (args: readonly string[], input?: string): Promise<CommandRun> => start(args, input).ended;

async function connect(): Promise<RpcClient<HostMethods>> {
  const pipe = await connectLocally(data.path, maxFrameBytes);
  if (!pipe) throw new Error('No host listens.');
  return createRpcClient<HostMethods>(pipe);
}

async function webhook(port: number, secret: string): Promise<unknown> {
  const body = JSON.stringify({ id: 'm1', user: { id: '7' }, text: 'hello', wait: true });
  const time = String(Math.floor(Date.now() / 1000));
  const headers = { 'x-andiron-time': time, 'x-andiron-signature': signatureOf(secret, time, body) };
  const url = `http://127.0.0.1:${String(port)}/v1/messages`;
  return (await fetch(url, { method: 'POST', headers, body })).json();
}

/** It names itself in the data folder as long as it holds it. */
const isRunning = (): boolean => existsSync(join(data.path, 'andiron.lock'));
const backgroundEnded = (): Promise<void> => vi.waitFor(() => expect(isRunning()).toBe(false), 100_000);

test('A command of the installed program starts Andiron without a window, and answers on stdout (Y8)', async () => {
  const { code, stdout, stderr } = await run(['exec', 'hello', ...options]);
  expect([code, stdout]).toEqual([0, 'Hello there.\n']);
  expect(stderr).toContain('Starting Andiron for this command.');
});

test('A second command uses the Andiron that the first one started, and it ends once nobody does (Y8)', async () => {
  const [first, second] = [
    await run(['exec', 'hello', ...options]),
    await run(['exec', '-', ...options], 'hello'),
  ];
  expect([first.stdout, second.stdout, second.code]).toEqual(['Hello there.\n', 'Hello there.\n', 0]);
  expect(second.stderr).not.toContain('Starting Andiron');
  await backgroundEnded();
});

test('Ctrl-C stops the turn of the installed program and says so by its exit code (Y8)', async () => {
  const { child, heard, ended } = start(['exec', 'wait', ...options]);
  await heard;
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([3, expect.stringContaining('Stopping.')]);
});

test('An editor that speaks ACP is answered by the installed program over stdin and stdout', async () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: 1, clientCapabilities: {} },
  };
  const { child, heard, ended } = start(['acp', ...options], null);
  child.stdin.write(`${JSON.stringify(initialize)}\n`);
  await heard;
  child.stdin.end();
  const { code, stdout } = await ended;
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { protocolVersion: 1 } });
  expect(code).toBe(0);
});

test('Wrong arguments are said before anything is started, and help is printed', async () => {
  await backgroundEnded();
  const [wrong, help] = [await run(['exec', '--nonsense', ...options]), await run(['--help'])];
  expect([wrong.code, help.code]).toEqual([1, 0]);
  expect(help.stdout).toContain('Usage: andiron COMMAND');
  expect(isRunning()).toBe(false);
});

test('The gateway is a switch of the installed app, and the command says so without starting it', async () => {
  const { code, stderr } = await run(['gateway', ...options]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('under Ways in')]);
  expect(isRunning()).toBe(false);
});

test('Gateway and webhook of the installed app are utility processes, and serve who may ask (Y15, desk-P14)', async () => {
  const { child, ended } = start(['chat', ...options], null);
  const rpc = await vi.waitFor(connect, 100_000);
  const stateOf = async (way: WayId) =>
    (await rpc.call('way/list', {})).ways.find(({ id }) => id === way)?.state;
  const [port, webhookPort] = [await freePort(), await freePort()];
  await rpc.call('way/change', { id: 'gateway', settings: { isOn: true, port } });
  await rpc.call('way/change', {
    id: 'webhook',
    settings: { isOn: true, port: webhookPort },
    secret: 'a secret',
  });
  const baseURL = `http://127.0.0.1:${String(port)}/v1`;
  await vi.waitFor(
    async () => expect(await stateOf('gateway')).toEqual({ state: 'listening', at: baseURL }),
    100_000,
  );
  await vi.waitFor(
    async () => expect(await stateOf('webhook')).toMatchObject({ state: 'listening' }),
    100_000,
  );
  const { text: apiKey } = await rpc.call('token/create', { name: 'Test' });
  const messages = [{ role: 'user', content: 'hello' } as const];
  const { choices } = await new OpenAI({ apiKey, baseURL }).chat.completions.create({
    model: 'developer',
    messages,
  });
  expect(choices[0]?.message.content).toBe('Hello there.');
  expect(await webhook(webhookPort, 'a secret')).toMatchObject({
    status: 'answered',
    content: 'Hello there.',
  });
  rpc.close();
  child.stdin.end();
  expect((await ended).code).toBe(0);
  await backgroundEnded();
  await expect(fetch(baseURL)).rejects.toThrow('fetch failed');
});

test('An Andiron that ends because nobody uses it leaves no failure in its log', async () => {
  await run(['exec', 'hello', ...options]);
  await backgroundEnded();
  expect(readFileSync(join(data.path, 'logs', 'main.log'), 'utf8')).not.toMatch(/"(warn|error)"/);
});
