/** A proxy before an engine: what its model says to some messages is written here, without any limit of the request. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

export interface HostileEngine {
  url: string;
  /** Bodies of the chats that came, oldest first. */
  chats: ChatBody[];
  close(): Promise<void>;
}

const chatSchema = z.object({
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.string(),
      tool_call_id: z.string().optional(),
      tool_calls: z.array(z.object({ id: z.string() })).optional(),
    }),
  ),
});
export type ChatBody = z.infer<typeof chatSchema>;

/** The whole body of the answer; null = the engine behind answers. */
export type HostileReply = (chat: ChatBody) => string | null;

export async function hostileEngine(behind: string, reply: HostileReply): Promise<HostileEngine> {
  const chats: ChatBody[] = [];
  const server = createServer((incoming, response) => void answer(incoming, response));

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const written = incoming.url === '/api/chat' ? hostile(body) : null;
    if (written === null) {
      passOn(incoming, body, response);
      return;
    }
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    response.end(written);
  }

  function hostile(body: Buffer): string | null {
    const chat = chatSchema.parse(JSON.parse(body.toString()));
    chats.push(chat);
    return reply(chat);
  }

  function passOn(incoming: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const { method, url, headers } = incoming;
    const onward = request(`${behind}${url ?? ''}`, { method, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end(body);
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    chats,
    close() {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

/** The whole of a reply in one line, in the dialect of Ollama. Its prompt is counted about right. */
export function oneLine({ messages }: ChatBody, message: object): string {
  const counters = {
    prompt_eval_count: Math.ceil(JSON.stringify(messages).length / 4),
    prompt_eval_duration: 1_000_000,
    eval_count: 50,
    eval_duration: 1_000_000,
  };
  const whole = { message: { role: 'assistant', content: '', ...message }, done: true, done_reason: 'stop' };
  return `${JSON.stringify({ ...whole, ...counters })}\n`;
}
