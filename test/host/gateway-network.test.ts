/** The gateway on the local network, reached as another device would. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { MachineNames } from '../../src/gateway/network-servers.ts';
import { createAuthority, type KeyedCertificate } from '../../src/platform/tls-authority.ts';
import { script } from '../../src/sim/index.ts';
import { GatewayHarness } from '../helpers/gateway-harness.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';

/** Another address than the one that this machine's programs use, and nevertheless no one else's. */
const address = '127.0.0.2';
const publicAddress = '198.51.100.7';

type Sent = Omit<RequestOptions, 'headers'> & { headers?: Record<string, string> };

let harness: GatewayHarness | undefined;
afterEach(() => harness?.close());

async function open(machine: MachineNames = { addresses: [address, publicAddress], names: ['den.local'] }) {
  const authority = await createAuthority(Date.now());
  const changes: string[][] = [];
  const network = {
    authority,
    machine: () => machine,
    onChange: (urls: string[]) => void changes.push(urls),
  };
  const opened = await GatewayHarness.start(script([]), { network });
  harness = opened;
  const { text } = await opened.token();
  const ask = (more: Sent = {}) => askFrom(opened.gateway.port, authority, text, more);
  return { authority, changes, token: text, ask, port: opened.gateway.port };
}

async function askFrom(
  port: number,
  { certificate }: KeyedCertificate,
  token: string,
  { headers, ...more }: Sent,
): Promise<number | undefined> {
  const sent = request({
    host: address,
    port,
    path: '/v1/models',
    ca: certificate,
    agent: false,
    ...more,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

test('A device that trusts the certificate is served over TLS, by address and by name (X9)', async () => {
  const { ask, changes, port } = await open();
  expect(changes).toEqual([[`https://${address}:${String(port)}`]]);
  expect(await ask()).toBe(200);
  expect(await ask({ servername: 'den.local', headers: { host: `den.local:${String(port)}` } })).toBe(200);
});

test('An address that the internet can reach is not even tried', async () => {
  await open();
  expect(harness?.problems).toEqual([]);
});

test('A device that does not trust the certificate says so and sends nothing', async () => {
  const { ask } = await open();
  await expect(ask({ ca: [] })).rejects.toMatchObject({
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  });
  expect(harness?.problems).toEqual([]);
});

test.each([
  ['without a token', { authorization: '' }, 401],
  ['under the name of another', { host: 'evil.example' }, 403],
  ['by a web page', { origin: 'https://evil.example' }, 403],
])('Nobody is let in from the network %s', async (_, headers, status) => {
  const { ask } = await open();
  expect(await ask({ servername: 'den.local', headers })).toBe(status);
});

test('What is not encrypted gets no answer from the network', async () => {
  const { port, token } = await open();
  const socket = connect(port, address);
  let got = '';
  socket.on('data', (data: Buffer) => (got += data.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(
    `GET /v1/models HTTP/1.1\r\nHost: ${address}:${String(port)}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await once(socket, 'close');
  expect(got).not.toContain('HTTP/1.1 200');
  expect(got).not.toContain('developer');
});

test('A session is followed over TLS as on this machine (X9)', async () => {
  const { authority, port, token } = await open();
  const made = await harness?.post('/v1/sessions', token, { profile: 'developer' });
  const { id } = (JSON.parse(made?.body ?? '') as { session: { id: string } }).session;
  const url = `wss://${address}:${String(port)}/v1/sessions/${id}`;
  const socket = new WebSocket(url, { ca: authority.certificate });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'sign-in', token }));
  const [first] = (await once(socket, 'message')) as [Buffer];
  expect(first.toString()).toContain(id);
  socket.terminate();
});

test('A machine that comes into another network is reached there, and no longer at its old address', async () => {
  const clock = skippableClock();
  const machine = { addresses: [address], names: [] as string[] };
  const changed = Promise.withResolvers<string[]>();
  const authority = await createAuthority(Date.now());
  const onChange = (urls: string[]): void => {
    if (!urls.join('').includes(address)) changed.resolve(urls);
  };
  const network = { authority, machine: () => machine, onChange };
  harness = await GatewayHarness.start(script([]), { network, clock });
  const { text } = await harness.token();
  const { port } = harness.gateway;
  machine.addresses = ['127.0.0.3'];
  clock.skip(60_000);
  expect(await changed.promise).toEqual([`https://127.0.0.3:${String(port)}`]);
  expect(await askFrom(port, authority, text, { host: '127.0.0.3' })).toBe(200);
  await expect(askFrom(port, authority, text, {})).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
