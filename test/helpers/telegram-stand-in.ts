/** A local server that answers as Telegram's does, as far as a bot uses it, and keeps what it was sent. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Bell } from './waiting.ts';

export const botToken = '42:stand-in-token';

export interface SentRequest {
  method: string;
  params: Record<string, unknown>;
  /** As it came, for uploads. */
  raw: string;
}

type Failure = { error_code: number; description: string; parameters?: { retry_after: number } };

/** The headers of a file, and then at once the end of its part. */
const emptyFile = /filename=[^\r]*\r\n(?:[^\r]+\r\n)*\r\n\r\n--/;
const nonEmpty: Failure = { error_code: 400, description: 'Bad Request: file must be non-empty' };

export class TelegramStandIn {
  readonly sent: SentRequest[] = [];
  readonly files = new Map<string, Buffer>();
  /** Taken one by one by the next requests of that method. */
  readonly failures = new Map<string, Failure[]>();
  /** Below it everything was forgotten. */
  confirmed = 0;
  /** The newest message that a bot was given. */
  given = 0;
  /** Of whatever kind, so far. */
  requests = 0;
  readonly #updates: { update_id: number; message: object }[] = [];
  readonly #bell = new Bell();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #nextId = 1;

  static async start(): Promise<TelegramStandIn> {
    const standIn = new TelegramStandIn();
    standIn.#server.listen(0, '127.0.0.1');
    await once(standIn.#server, 'listening');
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** Somebody writes. Returns the id of the message. */
  write(message: object): number {
    const id = this.#nextId++;
    const base = { message_id: id, date: 1, from: { id: 7, is_bot: false, first_name: 'Ann' } };
    const chat = { id: 100, type: 'private' };
    this.#updates.push({ update_id: id, message: { ...base, chat, ...message } });
    this.#bell.ring();
    return id;
  }

  /** What was sent with `sendMessage`, as Telegram would show it. */
  texts(): string[] {
    return this.sent
      .filter(({ method }) => method === 'sendMessage')
      .map(({ params }) => String(params['text']));
  }

  until(ready: () => boolean): Promise<void> {
    return this.#bell.until(ready, () => JSON.stringify(this.sent.map(({ method }) => method)));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part as Uint8Array));
    const raw = Buffer.concat(parts).toString('latin1');
    const path = request.url ?? '';
    const file = this.files.get(path.slice(`/file/bot${botToken}/`.length));
    if (path.startsWith(`/file/bot${botToken}/`) && file) {
      response.end(file);
      return;
    }
    const method = path.split('/').at(-1) ?? '';
    this.requests += 1;
    this.#bell.ring();
    const isJson = request.headers['content-type']?.includes('json') === true;
    const params =
      isJson && raw !== '' ? (JSON.parse(Buffer.concat(parts).toString()) as SentRequest['params']) : {};
    if (!path.startsWith(`/bot${botToken}/`))
      return reply(response, { error_code: 401, description: 'Unauthorized' });
    const failure =
      this.failures.get(method)?.shift() ??
      (method === 'sendDocument' && emptyFile.test(raw) ? nonEmpty : undefined);
    if (failure) {
      this.#bell.ring();
      return reply(response, failure);
    }
    if (method === 'getUpdates') return this.#giveUpdates(Number(params['offset'] ?? 0), response);
    if (method !== 'getMe') this.sent.push({ method, params, raw });
    this.#bell.ring();
    reply(response, null, this.#resultOf(method, params));
  }

  #resultOf(method: string, params: SentRequest['params']): unknown {
    if (method === 'getMe') return { id: 42, is_bot: true, first_name: 'Andiron', username: 'andiron_bot' };
    if (method === 'getFile') return { file_id: params['file_id'], file_path: params['file_id'] };
    return method === 'sendChatAction'
      ? true
      : { message_id: 1_000_000 + this.#nextId++, date: 1, chat: { id: 1 } };
  }

  async #giveUpdates(offset: number, response: ServerResponse): Promise<void> {
    this.confirmed = Math.max(this.confirmed, offset);
    const open = () => this.#updates.filter(({ update_id: id }) => id >= offset);
    this.#bell.ring();
    await Promise.race([
      this.#bell.until(
        () => open().length > 0,
        () => 'updates',
      ),
      once(response, 'close'),
    ]).catch(() => undefined);
    if (response.destroyed) return;
    reply(response, null, open());
    this.given = open().at(-1)?.update_id ?? this.given;
    this.#bell.ring();
  }
}

function reply(response: ServerResponse, failure: Failure | null, result: unknown = null): void {
  response.writeHead(failure?.error_code ?? 200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(failure ? { ok: false, ...failure } : { ok: true, result }));
}
