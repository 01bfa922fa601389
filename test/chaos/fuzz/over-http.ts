/** The same over a real socket: mutants as answers of a server, some refused with a strange body, some cut by a reset. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { streamChat } from '../../../src/ollama/chat.ts';
import type { ChatLine } from '../../../src/ollama/schemas.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import type { ErrorCode } from '../../../src/protocol/errors.ts';
import type { Chance } from '../../bench/prefix/chance.ts';
import { inPieces, makeMutant } from './mutate.ts';
import { body } from './read.ts';

/** What a person may be told about a request that a server answered somehow. */
export const httpEndings: ReadonlySet<ErrorCode> = new Set([
  'stream_broken',
  'stream_cut',
  'engine_refused',
  'context_overflow',
  'template_refused',
  'model_missing',
  'model_without_tools',
  'model_without_vision',
  'attachment_invalid',
  'load_failed',
]);

export interface Answer {
  label: string;
  status: number;
  contentType: string;
  pieces: readonly Buffer[];
  /** Breaks the connection instead of ending the answer. */
  reset: boolean;
}

const statuses = [400, 401, 403, 404, 429, 500, 502, 503];
const contentTypes = ['application/json', 'application/json; charset=utf-8', 'text/plain', 'text/html', ''];
const errorBodies = [
  '',
  '{}',
  '[]',
  'null',
  '{"error":5}',
  '{"error":{"message":"inside"}}',
  '{"error":""}',
  '{"error":"{\\"error\\":{\\"code\\":400,\\"message\\":5}}"}',
  '{"error":"{\\"error\\":{\\"code\\":400,\\"message\\":\\"long\\",\\"type\\":\\"exceed_context_size_error\\"}}"}',
  '{"error":"cut in the mid',
  '{"error":"\\ud800\\u0000\\u001b[31m"}',
  '<html><body>502</body></html>',
  `{"error":"${'e'.repeat(100_000)}"}`,
  `{"error":"${'e'.repeat(20 * 1024 * 1024)}"}`,
  '['.repeat(1024 * 1024),
].map((text) => Buffer.from(text));

/** Three of four are answered with 200. */
export function makeAnswer(chance: Chance): Answer {
  if (chance.below(4) > 0) {
    const { mutations, bytes } = makeMutant(chance);
    const reset = chance.below(5) === 0;
    const label = `${mutations.join(', ')}${reset ? ', reset' : ''}`;
    return {
      label,
      status: 200,
      contentType: 'application/x-ndjson',
      pieces: inPieces(bytes, chance),
      reset,
    };
  }
  const status = chance.pick(statuses);
  const text = chance.pick(errorBodies);
  const contentType = chance.pick(contentTypes);
  const label = `HTTP ${String(status)} (${contentType}) ${text.toString('latin1', 0, 60)}`;
  return { label, status, contentType, pieces: [text], reset: chance.below(8) === 0 };
}

export interface Teller {
  /** Asks the server for this answer, as a turn would. */
  ask(answer: Answer): AsyncIterable<ChatLine>;
  close(): Promise<void>;
}

export async function startTeller(): Promise<Teller> {
  let next: Answer | undefined;
  const server = createServer((request, response) => {
    request.resume();
    if (next) void send(next, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    ask(answer) {
      next = answer;
      return streamChat({ url, body, clock: systemClock, signal: new AbortController().signal });
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function send({ status, contentType, pieces, reset }: Answer, response: ServerResponse): Promise<void> {
  response.on('error', () => response.destroy());
  response.writeHead(status, contentType === '' ? {} : { 'Content-Type': contentType });
  for (const piece of pieces) {
    if (response.destroyed) return;
    // Each piece is a packet of its own, as far as that can be asked for.
    await new Promise((resolve) => response.write(piece, resolve));
  }
  if (reset) response.socket?.resetAndDestroy();
  else response.end();
}
