/** One streamed `/api/chat` through the `ollama` package, over a connection that can be closed at any moment. */
import { Ollama, type ChatRequest } from 'ollama';
import type { Clock } from '../platform/clock.ts';
import { openConnection, type OpenConnection } from './connection.ts';
import { describeFailure } from './failures.ts';
import { checkedLines } from './lines.ts';
import { chatLineSchema, type ChatLine } from './schemas.ts';

/** The package's types lag the wire (contract 8.1): values pass through untouched. */
export type ChatBody = Pick<ChatRequest, 'model' | 'format'> & {
  options?: Record<string, number | undefined>;
  messages: WireMessage[];
  tools?: WireTool[];
  think?: boolean | string;
  truncate: false;
  shift: false;
};

export interface WireMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  thinking?: string;
  /** Bytes, never text: the package would read a text that is a path from the disk (contract 8). */
  images?: Uint8Array[];
  tool_calls?: {
    id: string;
    function: { index: number; name: string; arguments: Record<string, unknown> };
  }[];
  tool_name?: string;
  tool_call_id?: string;
}

export interface WireTool {
  type: 'function';
  function: { name: string; description: string; parameters: object };
}

export interface ChatOptions {
  url: string;
  body: ChatBody;
  clock: Clock;
  /** Its reason is what the iterator throws; the connection is closed before that (design 6). */
  signal: AbortSignal;
  /** Only tests name another: one that brings bytes of their own. */
  connect?: OpenConnection;
}

/** Yields every line, the last one with `done`. Throws AndironError, or the signal's reason. */
export async function* streamChat(options: ChatOptions): AsyncGenerator<ChatLine> {
  const { url, body, clock, signal, connect = openConnection } = options;
  const connection = connect(clock, signal);
  const queue: ChatLine[] = [];
  const client = new Ollama({
    host: url,
    fetch: async (input, init) => {
      const response = await connection.fetch(input, init);
      if (!response.ok || !response.body) return response;
      const lines = checkedLines({
        schema: chatLineSchema,
        onLine: (line) => {
          connection.expectEnd((line.message.tool_calls?.length ?? 0) > 0);
          queue.push(line);
        },
      });
      return new Response(response.body.pipeThrough(lines), { status: response.status });
    },
  });
  try {
    const stream = await client.chat({ ...(body as ChatRequest), stream: true });
    for await (const _ of stream) {
      const line = queue.shift();
      if (line) yield line;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    // Valid lines that came together with the fault.
    yield* queue;
    throw describeFailure(error, body.model);
  } finally {
    if (!signal.aborted) connection.finish();
    await connection.closed();
  }
}
