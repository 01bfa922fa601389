/**
 * The one way out of a sandbox: an HTTP proxy at a socket file. For each host it asks, and connects to none but those that
 * it was told it may. What comes to it was written by a command, so all of it is untrusted.
 */
import { lookup } from 'node:dns/promises';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { nodeHttp } from '../node-http.ts';
import { addressKind, parseAuthority, type AddressKind, type HostPort } from './host-addresses.ts';

export interface WantedHost extends HostPort {
  /** An address of the network that this computer is in. */
  isPrivate: boolean;
}

export interface HostProxyDeps {
  /** Whether a command may reach that host; false or a rejection = it may not. Nothing is looked up before. */
  mayReach: (wanted: WantedHost) => Promise<boolean>;
  /** All addresses of a name; the system's unless given. */
  resolve?: (host: string) => Promise<readonly string[]>;
  /** Only tests have servers elsewhere than on this computer. */
  kindOf?: (address: string) => AddressKind;
}

export interface HostProxy {
  /** Of the socket file. */
  path: string;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** A command with more connections at once waits. */
const maxConnections = 256;

/** Why nothing is connected, in words for whoever reads the output of the command. */
class Refusal extends Error {
  readonly status: 403 | 502;

  constructor(status: 403 | 502, message: string) {
    super(message);
    this.status = status;
  }
}

export async function openHostProxy(deps: HostProxyDeps): Promise<HostProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'andiron-proxy-'));
  const path = join(folder, 'socket');
  const ends = new Set<Duplex>();
  const hold = (end: Duplex): void => {
    ends.add(end);
    end.once('close', () => ends.delete(end)).on('error', () => end.destroy());
  };
  // The address of a request to a proxy is whole (RFC 9112, 3.2.2).
  const server = nodeHttp().createServer({ requireHostHeader: false }, (request, response) => {
    void forward(request, response, deps).catch((error: unknown) => refuse(error, request.socket, response));
  });
  server.maxConnections = maxConnections;
  server.on('connection', hold);
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void tunnel(request.url ?? '', socket, head, { ...deps, hold }).catch((error: unknown) =>
      refuse(error, socket),
    );
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    await chmod(path, 0o600);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    path,
    async close() {
      server.close();
      for (const end of ends) end.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** HTTPS, and whatever else goes through a tunnel. */
async function tunnel(
  authority: string,
  client: Duplex,
  head: Buffer,
  { hold, ...deps }: HostProxyDeps & { hold: (end: Duplex) => void },
): Promise<void> {
  const wanted = parseAuthority(authority);
  if (!wanted) throw new Refusal(403, `${authority.slice(0, 200)} names no host.`);
  const upstream = await dial(wanted, await allowedAddresses(wanted, deps));
  hold(upstream);
  if (client.destroyed) {
    upstream.destroy();
    return;
  }
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  if (head.length > 0) upstream.write(head);
  client.pipe(upstream).pipe(client);
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => client.destroy());
}

/** What is between two programs, and no part of what one says to a server (RFC 9110, 7.6.1). */
const hopHeaders = new Set(
  'connection keep-alive proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/** Plain HTTP, where the whole address stands in the request. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  deps: HostProxyDeps,
): Promise<void> {
  const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : null;
  if (url?.protocol !== 'http:') throw new Refusal(403, 'This is a proxy for programs in the sandbox.');
  const wanted = parseAuthority(`${url.hostname}:${url.port || '80'}`);
  if (!wanted) throw new Refusal(403, 'The request names no host.');
  const addresses = await allowedAddresses(wanted, deps);
  const headers = Object.fromEntries(
    Object.entries(request.headersDistinct).filter(([name]) => !hopHeaders.has(name)),
  );
  const onward = nodeHttp().request({
    host: wanted.host,
    port: wanted.port,
    lookup: answerWith(addresses),
    method: request.method,
    path: `${url.pathname}${url.search}`,
    // Another name in here than the one that was asked about would lead elsewhere.
    headers: { ...headers, host: url.host },
    agent: false,
  });
  await new Promise<void>((resolve, reject) => {
    onward.once('error', (error) =>
      reject(new Refusal(502, `${wanted.host} could not be reached: ${error.message}`)),
    );
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.once('error', () => response.destroy());
      resolve();
    });
    response.once('close', () => onward.destroy());
    request.pipe(onward);
  });
}

/** Those of a host that the person lets be reached. Rejects with a Refusal. */
async function allowedAddresses(wanted: HostPort, deps: HostProxyDeps): Promise<readonly string[]> {
  const { host } = wanted;
  const { kindOf = addressKind } = deps;
  const isLiteral = isIP(host) !== 0;
  if (host === 'localhost' || host.endsWith('.localhost')) throw ownComputer(host);
  if (!isLiteral) await mustBeAllowed({ ...wanted, isPrivate: false }, deps);
  const addresses = isLiteral ? [host] : await resolved(host, deps);
  const kinds = addresses.map((address) => kindOf(address));
  if (kinds.includes('own')) throw ownComputer(host);
  if (isLiteral) await mustBeAllowed({ ...wanted, isPrivate: kinds[0] === 'private' }, deps);
  // Behind a name that was allowed may lie what is nobody's business outside.
  else
    for (const [at, address] of addresses.entries())
      if (kinds[at] === 'private') await mustBeAllowed({ ...wanted, host: address, isPrivate: true }, deps);
  return addresses;
}

const ownComputer = (host: string): Refusal =>
  new Refusal(403, `${host} is this computer itself, which nothing in the sandbox reaches.`);

async function mustBeAllowed(wanted: WantedHost, { mayReach }: HostProxyDeps): Promise<void> {
  const mayIt = await mayReach(wanted).catch(() => false);
  if (!mayIt) throw new Refusal(403, `The person did not let this command reach ${wanted.host}.`);
}

async function resolved(
  host: string,
  { resolve = resolveBySystem }: HostProxyDeps,
): Promise<readonly string[]> {
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) throw new Refusal(502, `There is no host ${host}.`);
  return addresses;
}

const resolveBySystem = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** To nothing but the addresses that were looked at: a name may lead elsewhere the next time. */
const answerWith =
  (addresses: readonly string[]): LookupFunction =>
  (_host, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );

function dial({ host, port }: HostPort, addresses: readonly string[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: answerWith(addresses), autoSelectFamily: true });
    socket.once('error', (error) =>
      reject(new Refusal(502, `${host} could not be reached: ${error.message}`)),
    );
    socket.once('connect', () => resolve(socket));
  });
}

function refuse(error: unknown, socket: Duplex, response?: ServerResponse): void {
  const { status, message } =
    error instanceof Refusal
      ? error
      : new Refusal(502, error instanceof Error ? error.message : String(error));
  if (response) {
    if (response.headersSent) response.destroy();
    else response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
    return;
  }
  // The line is all that most programs show of it.
  const reason = status === 403 ? 'Not allowed by the person' : 'Bad Gateway';
  const body = `${message}\n`;
  if (!socket.destroyed)
    socket.end(
      `HTTP/1.1 ${String(status)} ${reason}\r\ncontent-type: text/plain; charset=utf-8\r\n` +
        `content-length: ${String(Buffer.byteLength(body))}\r\nconnection: close\r\n\r\n${body}`,
    );
}
