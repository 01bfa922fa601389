import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createOllamaApi } from '../../ollama/api.ts';
import { systemClock } from '../../platform/clock.ts';
import { createAuthority, issueCertificate, type KeyedCertificate } from '../../platform/tls-authority.ts';
import { probe } from './probe.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const ask = (url: string) => probe(createOllamaApi(systemClock), systemClock, url);

const names = { addresses: ['127.0.0.1'], names: [] };
const makers: Record<string, (now: number) => Promise<KeyedCertificate>> = {
  async 'is signed by one that it shows itself'(now) {
    const authority = await createAuthority(now);
    const { certificate, key } = await issueCertificate(authority, names, now);
    return { certificate: `${certificate}\n${authority.certificate}`, key };
  },
  'is signed by one that nobody knows': async (now) =>
    issueCertificate(await createAuthority(now), names, now),
  'is none of a server': createAuthority,
};

test.each(Object.entries(makers))(
  'an address whose certificate %s is said to be that, and not empty',
  async (_, make) => {
    const { certificate, key } = await make(systemClock.now());
    const port = await portOf(createTlsServer({ cert: certificate, key }, (_, response) => response.end()));
    const url = `https://127.0.0.1:${String(port)}`;
    expect(await ask(url)).toEqual({
      kind: 'wrong',
      barrier: 'certificate',
      message: expect.stringContaining(`The certificate of ${url} is not trusted: `) as string,
    });
  },
);

test('a server that does not speak TLS is something else at an address over TLS', async () => {
  const port = await portOf(createServer((_, response) => response.end()));
  const url = `https://127.0.0.1:${String(port)}`;
  expect(await ask(url)).toEqual({
    kind: 'wrong',
    message: expect.stringContaining(`Something else is using ${url}: `) as string,
  });
});

test.each([
  [401, 'refusal', 'refuses the requests of Andiron (HTTP 401).'],
  [403, 'refusal', 'refuses the requests of Andiron (HTTP 403).'],
  [502, 'gateway', 'answers, but Ollama behind it does not (HTTP 502).'],
  [503, 'gateway', 'answers, but Ollama behind it does not (HTTP 503).'],
  [504, 'gateway', 'answers, but Ollama behind it does not (HTTP 504).'],
])('a proxy in front of Ollama that says %d is told from a stranger', async (status, barrier, said) => {
  const port = await portOf(
    createServer((_, response) => response.writeHead(status).end('<html>Nginx</html>')),
  );
  const url = `http://127.0.0.1:${String(port)}`;
  expect(await ask(url)).toEqual({ kind: 'wrong', barrier, message: `${url} ${said}` });
});

test('a server that does not know the question is something else', async () => {
  const port = await portOf(createServer((_, response) => response.writeHead(404).end('Not found')));
  const url = `http://127.0.0.1:${String(port)}`;
  const message = `Something else is using ${url}: Ollama refused the request (404): Not found.`;
  expect(await ask(url)).toEqual({ kind: 'wrong', message });
});

test('an address at which nobody listens is empty', async () => {
  const server = createServer();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  expect(await ask(`https://127.0.0.1:${String(port)}`)).toEqual({ kind: 'nobody' });
});
