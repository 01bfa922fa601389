/** A key that a person sets in the window: it reaches its host, and nothing that is kept or told has it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHost, type Host } from '../../src/host/index.ts';
import type { Keychain } from '../../src/platform/keychain.ts';
import type { Log } from '../../src/platform/log.ts';
import type { hostMethods } from '../../src/protocol/host-methods.ts';
import { createRpcClient, type RpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { fastFolder, hostParts } from '../helpers/host-world.ts';
import { openAiServer, refusal, type OpenAiServer } from '../helpers/openai-server.ts';

const secret = 'sk-lab-0123456789abcdef';
const turned = (text: string): string => Buffer.from(text).toString('hex');
const keychain: Keychain = {
  name: 'macos',
  seal: (text) => Promise.resolve(turned(text)),
  open: (sealed) => Promise.resolve(Buffer.from(sealed, 'hex').toString()),
};

let dir: string;
let server: OpenAiServer;
let host: Host;
let logged: string;

const write = (...words: unknown[]): void => {
  logged += JSON.stringify(words);
};
const log: Log = { info: write, warn: write, error: (what, error) => write(what, String(error)) };

beforeEach(async () => {
  dir = mkdtempSync(join(fastFolder(), 'andiron-keys-'));
  for (const name of ['data', 'workspace']) mkdirSync(join(dir, name));
  // A host may repeat the key in its refusal.
  server = await openAiServer((response, request) =>
    refusal(401, `{"error":{"message":"wrong key ${request.headers.authorization ?? ''}"}}`)(
      response,
      request,
    ),
  );
  const hosts = { hosts: [{ id: 'lab', kind: 'openai', url: server.url }] };
  writeFileSync(join(dir, 'data', 'hosts.json'), JSON.stringify(hosts));
  logged = '';
});
afterEach(async () => {
  await host.close();
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

async function start(): Promise<RpcClient<typeof hostMethods>> {
  host = await createHost({ ...hostParts(dir), keychain, log });
  const [windowEnd, hostEnd] = createTransportPair();
  host.connectWindow(hostEnd);
  return createRpcClient<typeof hostMethods>(windowEnd);
}

/** Every file of the data folder, as text. */
const kept = (): string =>
  readdirSync(join(dir, 'data'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

/** A turn on the host, to its end. */
const ask = (window: RpcClient<typeof hostMethods>): Promise<unknown> =>
  window.call('session/create', {}).then(async ({ session: { id: sessionId } }) => {
    await window.call('session/update', { sessionId, model: 'lab/m' });
    return window.call('turn/run', { sessionId, text: 'Hello' });
  });

it('The host gets it with every request, also after a restart', async () => {
  const window = await start();
  await window.call('model-host/set-key', { hostId: 'lab', key: secret });
  expect((await window.call('model-host/list', {})).hosts).toMatchObject([{ id: 'lab', key: 'kept' }]);
  await ask(window);
  await host.close();
  await ask(await start());
  const sent = server.requests.map(({ headers }) => headers.authorization);
  expect(sent.length).toBeGreaterThan(1);
  expect(new Set(sent)).toEqual(new Set([`Bearer ${secret}`]));
});

it('Nothing on the disk, in the log or in an answer has it', async () => {
  const window = await start();
  let told = '';
  window.onEvent((_topic, _seq, event) => void (told += JSON.stringify(event)));
  await window.call('model-host/set-key', { hostId: 'lab', key: secret });
  told += JSON.stringify(await window.call('model-host/list', {}));
  told += JSON.stringify(await ask(window));
  expect(server.requests.length).toBeGreaterThan(0);
  expect([kept().includes(secret), logged.includes(secret), told.includes(secret)]).toEqual([
    false,
    false,
    false,
  ]);
  expect(told).toContain('(key)');
});

it('A host that is not in hosts.json gets none', async () => {
  const window = await start();
  await expect(window.call('model-host/set-key', { hostId: 'other', key: secret })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(kept()).not.toContain(turned(secret));
});
