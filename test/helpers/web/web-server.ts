/** A server on this computer that answers as a test says, and knows what reached it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export class WebServer {
  readonly #server: Server;
  /** Host and path of each request. */
  readonly reached: string[] = [];
  /** Connections, also those without a request. */
  connections = 0;

  private constructor(answers: Record<string, Answer>) {
    this.#server = createServer((request, response) => {
      this.reached.push(`${request.headers.host ?? ''}${request.url ?? ''}`);
      const answer = answers[new URL(request.url ?? '/', 'http://a').pathname];
      if (answer) answer(request, response);
      else response.writeHead(404).end();
    });
    this.#server.on('connection', () => (this.connections += 1));
  }

  static async start(answers: Record<string, Answer>, address = '127.0.0.1'): Promise<WebServer> {
    const server = new WebServer(answers);
    await new Promise<void>((resolve) => server.#server.listen(0, address, resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(path: string, host = '127.0.0.1'): string {
    return `http://${host}:${String(this.port)}${path}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

export const page =
  (html: string, type = 'text/html; charset=utf-8'): Answer =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': type }).end(html);

export const leadsTo =
  (location: string, status = 302): Answer =>
  (_request, response) =>
    void response.writeHead(status, { location }).end();
