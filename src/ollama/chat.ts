/** One streamed `/api/chat`: what is sent, and what comes line by line. */
import type { ChatRequest } from 'ollama';
import { maxStreamBytes } from '../protocol/limits.ts';
import { describeFailure } from './failures.ts';
import { untilRepeated } from './repeated-token.ts';
import { chatLineSchema, type ChatLine } from './schemas.ts';
import { streamLines, type Wire } from './stream.ts';

/** The package's types lag the wire: values pass through untouched. */
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
  /** As bytes; the wire has them in base64. */
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

export interface ChatOptions extends Wire {
  body: ChatBody;
}

/** Yields every line, the last one with `done`. Throws AndironError, or the signal's reason. */
export function streamChat({ body, ...wire }: ChatOptions): AsyncGenerator<ChatLine> {
  const lines = streamLines({
    ...wire,
    schema: chatLineSchema,
    maxBytes: maxStreamBytes,
    path: '/api/chat',
    body: { ...body, messages: body.messages.map(withEncodedImages), stream: true },
    onLine: (line, connection) => connection.expectEnd((line.message.tool_calls?.length ?? 0) > 0),
    describe: (error) => describeFailure(error, body.model),
  });
  return untilRepeated(lines, body.model);
}

const withEncodedImages = ({ images, ...message }: WireMessage): object =>
  images ? { ...message, images: images.map((image) => Buffer.from(image).toString('base64')) } : message;
