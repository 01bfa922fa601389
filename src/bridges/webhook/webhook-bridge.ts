/** Messages over HTTP on the loopback address, for programs that bring them from elsewhere. docs/bridges.md has the form. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import { maxTextLength } from '../../protocol/inbox-methods.ts';
import { parseJson } from '../../protocol/json.ts';
import { maxConnections, maxRequestsPerMinute } from '../../protocol/limits.ts';
import { createRateLimit } from '../../server/rate-limit.ts';
import { UndeliverableError, type Answer, type PlatformBridge, type Receiver } from '../platform-bridge.ts';
import { postAnswer, type AnswerBody } from './post-answer.ts';
import { createSignatureCheck, type SignatureFault } from './signed-request.ts';

export interface WebhookOptions {
  /** 0 = any free one. */
  port: number;
  secret: string;
  /** Where answers are sent; null = they are only returned. */
  answerUrl: string | null;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  onInternalError: (error: unknown) => void;
}

const loopback = '127.0.0.1';
const path = '/v1/messages';
const maxBodyBytes = 1024 * 1024;
const limits = { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 30_000 };

const name = z.string().max(200).default('');
const bodySchema = z.object({
  id: z.string().min(1).max(200),
  user: z.object({ id: z.string().min(1).max(200), name: z.string().max(100).default('') }),
  server: name,
  channel: name,
  thread: name,
  text: z.string().trim().min(1).max(maxTextLength),
  /** The response is the answer. */
  wait: z.boolean().default(false),
});

export function createWebhookBridge(options: WebhookOptions): PlatformBridge {
  const { secret, answerUrl, clock } = options;
  const server = createServer(limits);
  server.maxConnections = maxConnections;
  const check = createSignatureCheck(secret, clock);
  const isAllowed = createRateLimit(clock, maxRequestsPerMinute);
  const stopped = new AbortController();
  return {
    async start(receiver) {
      server.on('request', (request, response) => {
        void respond(request, response, { ...options, receiver, check, isAllowed, port: portOf(server) });
      });
      server.listen(options.port, loopback);
      try {
        await once(server, 'listening');
      } catch (error) {
        throw new AndironError(
          'invalid_params',
          `Port ${String(options.port)} cannot be used: ${reasonOf(error)}.`,
          'Choose another port.',
        );
      }
      return `http://${loopback}:${String(portOf(server))}${path}`;
    },
    pieces: ({ content }) => (answerUrl === null ? [] : [{ text: content }]),
    async send(place, _piece, { answer, id, readFile }) {
      if (answerUrl === null) return;
      const files: AnswerBody['files'] = [];
      for (const file of answer.files) {
        const bytes = await readFile(file);
        files.push({ name: file.name, mime: file.mime, data: bytes?.toString('base64') ?? null });
      }
      const { server: at, channel, thread, messageId } = place;
      const body = { ...bodyOf(messageId, answer), server: at, channel, thread, files };
      const status = await postAnswer(answerUrl, body, {
        secret,
        delivery: id,
        clock,
        signal: stopped.signal,
      });
      if (status === 410) throw new UndeliverableError(`${answerUrl} says that it is gone for good (410).`);
      if (status < 200 || status > 299) throw new Error(`the address answered with ${String(status)}`);
    },
    async stop() {
      stopped.abort();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Responding extends WebhookOptions {
  /** Where it listens. */
  port: number;
  receiver: Receiver;
  check: ReturnType<typeof createSignatureCheck>;
  isAllowed: () => boolean;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Never rejects. */
async function respond(request: IncomingMessage, response: ServerResponse, parts: Responding): Promise<void> {
  try {
    const { status, body } = await take(request, parts);
    send(response, status, body);
  } catch (error) {
    if (error instanceof Refusal) {
      send(response, error.status, { error: { code: error.code, message: error.message } });
      return;
    }
    parts.onInternalError(error);
    const message = 'The message was not taken. Send it again with the same id.';
    send(response, 503, { error: { code: 'unavailable', message } });
  }
}

async function take(
  request: IncomingMessage,
  { receiver, check, isAllowed, port }: Responding,
): Promise<{ status: number; body: object }> {
  const { host, origin } = request.headers;
  if (host !== `${loopback}:${String(port)}` && host !== `localhost:${String(port)}`)
    throw new Refusal(403, 'wrong_host', 'This address belongs to another server.');
  if (origin !== undefined) throw new Refusal(403, 'origin_refused', 'Web pages are not served here.');
  if (request.url !== path) throw new Refusal(404, 'unknown_path', `Send messages to ${path}.`);
  if (request.method !== 'POST') throw new Refusal(405, 'wrong_method', 'Send messages with POST.');
  if (!isAllowed()) throw new Refusal(429, 'rate_limited', 'Too many requests. Try again in a minute.');
  const bytes = await readBytes(request);
  const fault = check(request.headers, bytes);
  if (fault !== null) throw new Refusal(fault === 'replayed' ? 409 : 401, fault, faults[fault]);
  const { id: messageId, user, wait, ...message } = parse(bytes);
  const id = await receiver.receive({
    ...message,
    messageId,
    platformUserId: user.id,
    userName: user.name,
    isDirect: message.channel === '',
    files: [],
  });
  if (!wait) return { status: 202, body: { id: messageId, status: 'accepted' } };
  return { status: 200, body: bodyOf(messageId, await receiver.answer(id)) };
}

const faults: Record<SignatureFault, string> = {
  unsigned: 'Send X-Andiron-Time and X-Andiron-Signature.',
  wrong_signature: 'The signature does not fit the time and the body.',
  too_old: 'This was signed more than 5 minutes ago, or before Andiron started. Sign it again.',
  replayed: 'This very request was taken before. Sign it again to ask for its answer.',
};

function parse(bytes: Buffer): z.infer<typeof bodySchema> {
  try {
    const parsed = bodySchema.safeParse(parseJson(bytes.toString()));
    if (parsed.success) return parsed.data;
    throw new Refusal(400, 'invalid_message', z.prettifyError(parsed.error));
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'invalid_json', 'The body is not JSON.');
  }
}

const tooLarge = (): Refusal => new Refusal(413, 'too_large', 'A message can have 1 MB at most.');

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge();
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    const piece = Buffer.from(part as Uint8Array);
    bytes += piece.length;
    if (bytes > maxBodyBytes) throw tooLarge();
    parts.push(piece);
  }
  return Buffer.concat(parts);
}

const bodyOf = (id: string, { content, status, error }: Answer) => ({
  id,
  status,
  content,
  // What went wrong in here is for whoever runs this Andiron; a program can act on its code.
  error: error && { code: error.code },
});

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // What is left of a refused request is not read.
    ...(status >= 400 && { Connection: 'close' }),
  });
  response.end(text);
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
