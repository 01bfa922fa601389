/** What a program asks for in OpenAI's form: a conversation whose last message is to be answered. */
import { z } from 'zod';
import { ApiFailure } from './api-failure.ts';

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface ChatRequest {
  /** A profile. */
  model: string;
  /** All but the last one. */
  history: ChatMessage[];
  message: ChatMessage;
  isStreamed: boolean;
  /** The last piece of the stream has it. */
  includesUsage: boolean;
}

const contentSchema = z.union([
  z.string(),
  z
    .array(z.object({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() }))
    .transform((parts) => parts.map(({ text }) => text).join('')),
]);

const messageSchema = z.object({
  role: z
    .enum(['system', 'developer', 'user', 'assistant'])
    .transform((role) => (role === 'developer' ? 'system' : role)),
  content: contentSchema,
}) satisfies z.ZodType<ChatMessage>;

const maxMessages = 10_000;

const requestSchema = z.object({
  model: z.string().min(1).max(200),
  messages: z.array(messageSchema).min(1).max(maxMessages),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1, 'one answer alone can be had').nullish(),
});

const toolsSchema = z.looseObject({
  tools: z.array(z.unknown()).nullish(),
  functions: z.array(z.unknown()).nullish(),
  messages: z.array(z.looseObject({ role: z.unknown() })).nullish(),
});

/** Throws ApiFailure. Sampling and the like are the profile's own, so what a program says of them is not read. */
export function readChatRequest(body: unknown): ChatRequest {
  refuseTools(body);
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) throw new ApiFailure(400, 'invalid_params', z.prettifyError(parsed.error));
  const { model, messages, stream, stream_options: options } = parsed.data;
  const message = messages.at(-1);
  if (message?.role !== 'user' || message.content.trim() === '')
    throw new ApiFailure(400, 'invalid_params', 'The last message must be a text of the user.');
  return {
    model,
    history: messages.slice(0, -1),
    message,
    isStreamed: stream === true,
    includesUsage: options?.include_usage === true,
  };
}

/** The agent has tools of its own, and no program runs them. */
function refuseTools(body: unknown): void {
  const { tools, functions, messages } = toolsSchema.safeParse(body).data ?? {};
  const isResult = messages?.some(({ role }) => role === 'tool' || role === 'function') === true;
  if ((tools?.length ?? 0) > 0 || (functions?.length ?? 0) > 0 || isResult)
    throw new ApiFailure(
      400,
      'tools_not_supported',
      'The agent uses its own tools. Leave out "tools" and messages of tools.',
    );
}

/**
 * The first message of a new session. What the program says beside it stands before it, and never in the head of the
 * prompt, so that all sessions of a profile share that in the cache.
 */
export function openingText(history: readonly ChatMessage[], { content }: ChatMessage): string {
  const of = (wanted: (message: ChatMessage) => boolean): ChatMessage[] => history.filter(wanted);
  const system = of(({ role }) => role === 'system').map((message) => message.content);
  const said = of(({ role }) => role !== 'system').map(
    (message) => `${names[message.role]}: ${message.content}`,
  );
  if (system.length === 0 && said.length === 0) return content;
  return [
    ...(system.length > 0 ? [`Instructions of the program that sends this:\n${system.join('\n\n')}`] : []),
    ...(said.length > 0 ? [`What was said before:\n${said.join('\n\n')}`] : []),
    `Message:\n${content}`,
  ].join('\n\n');
}

const names = { system: 'System', user: 'User', assistant: 'Assistant' } as const;
