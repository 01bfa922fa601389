/** Where a browser comes back to after a sign-in: a port of this computer that is open for that one answer. */
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { timingSafeEqual } from 'node:crypto';
import { nodeHttp } from '../../platform/node-http.ts';

interface Callback {
  code: string;
  /** Who says that they sent it; undefined = they do not say. */
  iss: string | undefined;
}

export interface CallbackPage {
  /** `http://127.0.0.1:…/callback` */
  url: string;
  /** Resolves with the first answer that has the state. Rejects where that is a refusal. */
  answer: Promise<Callback>;
  close(): void;
}

const maxPart = 4_096;

/** @param state what the answer must bring back; whatever comes without it is turned away and ends nothing */
export async function openCallbackPage(state: string): Promise<CallbackPage> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Callback>();
  // Nobody may be waiting for it any more.
  answer.catch(() => undefined);
  let isOver = false;
  const server = nodeHttp().createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method !== 'GET' || pathname !== '/callback' || isOver)
      return say(response, 404, 'There is nothing here.');
    if (!isSame(searchParams.get('state') ?? '', state))
      return say(response, 400, 'This answer belongs to no sign-in of Andiron.');
    isOver = true;
    const code = searchParams.get('code') ?? '';
    if (code === '' || code.length > maxPart) {
      reject(new Error(refusalOf(searchParams.get('error'))));
      return say(response, 200, 'The sign-in was refused. You can close this page.');
    }
    resolve({ code, iss: searchParams.get('iss') ?? undefined });
    return say(response, 200, 'Andiron has its answer. You can close this page.');
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', listening);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/callback`,
    answer,
    close() {
      server.close();
      reject(new Error('The sign-in was ended.'));
    },
  };
}

function say(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(`${words}\n`);
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** One word of the standard, never a text of theirs. */
const refusalOf = (error: string | null): string =>
  error !== null && /^[a-z_]{1,40}$/.test(error)
    ? `The sign-in was refused: ${error}.`
    : 'The sign-in brought no code.';
