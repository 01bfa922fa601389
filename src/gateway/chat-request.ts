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

export const messageSchema = z.object({
  role: z
    .enum(['system', 'developer', 'user', 'assistant'])
    .transform((role) => (role === 'developer' ? 'system' : role)),
  content: contentSchema,
}) satisfies z.ZodType<ChatMessage>;

const maxMessages = 10_000;

/** Of an answer: the agent fills in no form. */
export const textFormatSchema = z.looseObject({ type: z.literal('text', 'answers are text') });

export const chatRequestSchema = z.object({
  model: z.string().min(1).max(200).describe('The id of a profile.'),
  messages: z.array(messageSchema).min(1).max(maxMessages),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  response_format: textFormatSchema.nullish(),
  n: z.literal(1, 'one answer alone can be had').nullish(),
});

const toolsSchema = z.looseObject({
  tools: z.array(z.unknown()).nullish(),
  functions: z.array(z.unknown()).nullish(),
  messages: z.array(z.looseObject({ role: z.unknown() })).nullish(),
  input: z.union([z.string(), z.array(z.looseObject({ type: z.unknown() }))]).nullish(),
});
const toolTypes: ReadonlySet<unknown> = new Set(['function_call', 'function_call_output']);

/** Throws ApiFailure. Sampling and the like are the profile's own, so what a program says of them is not read. */
export function readChatRequest({
  model,
  messages,
  stream,
  stream_options: options,
}: z.output<typeof chatRequestSchema>): ChatRequest {
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
export function refuseTools(body: unknown): void {
  const { tools, functions, messages, input } = toolsSchema.safeParse(body).data ?? {};
  const isResult =
    messages?.some(({ role }) => role === 'tool' || role === 'function') === true ||
    (Array.isArray(input) && input.some(({ type }) => toolTypes.has(type)));
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
  const instructions = instructionsIn(history);
  const said = of(({ role }) => role !== 'system').map(
    (message) => `${names[message.role]}: ${message.content}`,
  );
  if (instructions === '' && said.length === 0) return content;
  return [
    ...(instructions === '' ? [] : [instructions]),
    ...(said.length > 0 ? [`What was said before:\n${said.join('\n\n')}`] : []),
    `Message:\n${content}`,
  ].join('\n\n');
}

export const instructionsMark = 'Instructions of the program that sends this:\n';

/** Texts of the system as they stand in a message; '' = there are none. */
export function instructionsIn(history: readonly ChatMessage[]): string {
  const texts = history.filter(({ role }) => role === 'system').map(({ content }) => content);
  return texts.length === 0 ? '' : instructionsMark + texts.join('\n\n');
}

const names = { system: 'System', user: 'User', assistant: 'Assistant' } as const;
