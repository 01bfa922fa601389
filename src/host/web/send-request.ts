/** One request over HTTP, to addresses that were looked at before: no cookies, no proxy, no redirect, nothing kept open. */
import { isIP, type LookupFunction } from 'node:net';
import { createGunzip, createInflate } from 'node:zlib';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { nodeHttp, nodeHttps } from '../../platform/node-http.ts';
import { ToolFailure } from '../tools/tool.ts';

/** Of a body, unpacked. */
const maxBytes = 2 * 1024 * 1024;
const maxHeaderBytes = 32 * 1024;

export interface WebRequest {
  url: URL;
  /** Without brackets and without a dot at its end. */
  host: string;
  /** All that may be connected to. */
  addresses: readonly string[];
  headers?: Record<string, string>;
  /** Makes it a POST with JSON. */
  body?: string;
  signal: AbortSignal;
  /** The body is not read where this is false. Throws for what is not wanted. */
  wants?: (response: WebResponse) => boolean;
}

export interface WebResponse {
  status: number;
  header: (name: string) => string | null;
}

/** Rejects with ToolFailure, or with the signal's reason. */
export async function sendRequest(request: WebRequest): Promise<WebResponse & { body: Uint8Array }> {
  const { signal, host, wants = () => true } = request;
  signal.throwIfAborted();
  try {
    const message = await begin(request);
    const response: WebResponse = {
      status: message.statusCode ?? 0,
      header: (name) => message.headersDistinct[name]?.[0] ?? null,
    };
    try {
      const body = wants(response) ? await readBody(message, host) : new Uint8Array();
      return { ...response, body };
    } finally {
      message.destroy();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolFailure) throw error;
    const reason = error instanceof Error ? error.message.slice(0, 200) : '';
    throw new ToolFailure(`${host} could not be read: ${reason}.`, {
      advice: 'Do not repeat it as it was; try another source.',
      cause: error,
    });
  }
}

function begin({ url, host, addresses, headers, body, signal }: WebRequest): Promise<IncomingMessage> {
  const isTls = url.protocol === 'https:';
  const { request: send } = isTls ? nodeHttps() : nodeHttp();
  const own: OutgoingHttpHeaders = {
    host: url.host,
    'user-agent': 'Andiron',
    'accept-encoding': 'gzip, deflate',
    connection: 'close',
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = send({
      host,
      port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
      path: `${url.pathname}${url.search}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: own,
      lookup: answerWith(addresses),
      agent: false,
      maxHeaderSize: maxHeaderBytes,
      ...(isTls && isIP(host) === 0 && { servername: host }),
      signal,
    });
    outgoing.once('error', reject);
    outgoing.once('response', (message: IncomingMessage) => {
      // Whoever reads the body hears of it there.
      message.on('error', () => undefined);
      resolve(message);
    });
    outgoing.end(body);
  });
}

/** A name may lead elsewhere the next time, so nothing is looked up again. */
const answerWith =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, done) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first] = found;
    if (all || !first) done(null, found);
    else done(null, first.address, first.family);
  };

async function readBody(message: IncomingMessage, host: string): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of unpacked(message, host) as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxBytes)
      throw new ToolFailure(`What ${host} sends is larger than 2 MB.`, { advice: 'Read another page.' });
    pieces.push(piece);
  }
  if (!message.complete)
    throw new ToolFailure(`${host} ended its answer in the middle.`, { advice: 'Try it once more.' });
  return Buffer.concat(pieces);
}

/** A bomb is unpacked piece by piece, and no further than is read. */
function unpacked(message: IncomingMessage, host: string): Readable {
  const encoding = (message.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return message;
  const unpack =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'deflate'
        ? createInflate()
        : undefined;
  if (!unpack)
    throw new ToolFailure(`What ${host} sends is packed in a way that cannot be read.`, {
      advice: 'Read another page.',
    });
  message.once('error', (error) => unpack.destroy(error));
  message.once('aborted', () => unpack.destroy(new Error('its answer ended in the middle')));
  unpack.once('close', () => message.destroy());
  return message.pipe(unpack);
}
