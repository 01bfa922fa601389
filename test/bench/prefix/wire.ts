/** Chat requests as the simulator saw them, and its answers: only what the benchmark reads is checked. */
import { z } from 'zod';
import type { JsonObject, Message, ThinkValue, Tool } from '../../../src/sim/render/index.ts';

const callSchema = z.looseObject({
  id: z.string().optional(),
  function: z.looseObject({
    name: z.string(),
    arguments: z.custom<JsonObject>((value) => z.record(z.string(), z.json()).safeParse(value).success),
  }),
});

const messageSchema = z.looseObject({
  role: z.string(),
  content: z.string(),
  thinking: z.string().optional(),
  tool_calls: z.array(callSchema).optional(),
});

const toolSchema = z.custom<Tool>(
  (value) => z.looseObject({ function: z.looseObject({}) }).safeParse(value).success,
);

const chatSchema = z.looseObject({
  model: z.string(),
  messages: z.array(messageSchema),
  tools: z.array(toolSchema).optional(),
  think: z.custom<ThinkValue>((value) => ['boolean', 'string'].includes(typeof value)).optional(),
});

export type ChatBody = z.infer<typeof chatSchema>;
export type WireMessage = ChatBody['messages'][number];

export function parseChat(body: unknown): ChatBody {
  return chatSchema.parse(body);
}

/** The message of an unstreamed answer. */
export function parseAnswer(answer: unknown): WireMessage {
  return z.looseObject({ done: z.literal(true), message: messageSchema }).parse(answer).message;
}

/** Index of the model's last reply; -1 before the first one. */
export function lastReply(messages: readonly Pick<Message, 'role'>[]): number {
  return messages.findLastIndex(({ role }) => role === 'assistant');
}

/** What a conversation begins with; a subagent's or a summarised one has another beginning. */
export function firstSaid({ messages }: Pick<ChatBody, 'messages'>): string {
  return messages.find(({ role }) => role !== 'system')?.content ?? '';
}
