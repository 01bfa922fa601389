/** Stands between the house and the engine and writes down what passes; it may change what goes on to the engine. */
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Passed {
  path: string;
  body: string;
  status: number;
  /** The answer as it came, lines and all. */
  answer: string;
}

export class WireTap {
  readonly url: string;
  readonly #close: () => Promise<void>;
  readonly #passed: Passed[];

  private constructor(url: string, passed: Passed[], close: () => Promise<void>) {
    this.url = url;
    this.#passed = passed;
    this.#close = close;
  }

  /** @param change of what is sent to a path; what is written down is as it came. */
  static async start(target: string, change: Change = ({ body }) => body): Promise<WireTap> {
    const passed: Passed[] = [];
    const server = createServer(
      (incoming, outgoing) => void pass({ target, change, passed }, incoming, outgoing),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return new WireTap(`http://127.0.0.1:${port}`, passed, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
  }

  /** What passed since the last call, prompts only. */
  take(): Passed[] {
    return this.#passed.splice(0).filter(({ path }) => /^\/api\/(chat|generate)/.test(path));
  }

  close(): Promise<void> {
    return this.#close();
  }
}

type Change = (sent: Pick<Passed, 'path' | 'body'>) => string;

interface Tapped {
  target: string;
  change: Change;
  passed: Passed[];
}

/** Resolves when the request is on its way; whoever closes on one side closes on the other too. */
async function pass(
  { target, change, passed }: Tapped,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk as Uint8Array));
  const { method = 'GET', url: path = '/' } = incoming;
  const record: Passed = { path, body: Buffer.concat(chunks).toString(), status: 0, answer: '' };
  passed.push(record);
  const body = Buffer.from(change(record));
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const onward = send(new URL(path, target), { method, headers }, (answer) => {
    record.status = answer.statusCode ?? 0;
    outgoing.writeHead(record.status, { 'content-type': answer.headers['content-type'] ?? '' });
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => {
      record.answer += text;
      outgoing.write(text);
    });
    answer.on('end', () => outgoing.end());
    answer.on('error', () => outgoing.destroy());
  });
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  onward.end(body);
}
